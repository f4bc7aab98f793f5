"""Messages of a log back as the arena's own records.

Wrong content raises ValueError; its message is a part of a sentence.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from arena.codecs.codec import Codec
from arena.codecs.shared_messages import evaluation_of, same, time_control_of
from arena.core.endings.terminations import Fault, SeatEnding, Termination
from arena.core.errors import InvalidArgumentError
from arena.core.match import (
    Cause,
    Continuation,
    MatchResult,
    MatchSetup,
    MatchState,
    NoteRecord,
    SeatHolder,
    SeatResult,
    SeedPolicy,
    SuitePlace,
)
from arena.core.ply import PlyRecord
from arena.match_log.encode import FORMAT, LISTED_LIMIT, SAME_IN_HEADER, SAME_IN_PLY, SAME_IN_SEAT
from arena.v1 import match_log_pb2, match_pb2
from engine.game import Event, GameError

_HASH_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class LoggedPly:
    """A ply as a log tells it."""

    record: PlyRecord
    audiences: tuple[frozenset[int] | None, ...]
    """By event: the seats that are said to have seen it in full, or EVERYBODY."""


@dataclass(frozen=True, slots=True)
class LoggedSetUp:
    """What happened before the first action, as a log tells it."""

    events: tuple[Event, ...]
    audiences: tuple[frozenset[int] | None, ...]
    """As in LoggedPly."""


def decode_setup(header: match_log_pb2.LogHeader, codec: Codec, seed: bytes) -> MatchSetup:
    """Return the set-up of the match. `seed`: as the footer reveals it. Raises ValueError."""
    if header.format != FORMAT:
        raise ValueError(f"its format is {header.format}, but only format {FORMAT} is known")
    seats = tuple(_holder(seat.bot, seat.bot_version) for seat in header.seats)
    try:
        options = codec.decode_options(header.options, len(seats))
        time_control = time_control_of(header.time_control)
    except (GameError, InvalidArgumentError) as error:
        raise ValueError(str(error).rstrip(".")) from error
    return MatchSetup(
        match=_number(header.match, "matches/"),
        ladder=header.ladder.removeprefix("ladders/") if header.ladder else None,
        tournament=header.tournament.removeprefix("tournaments/") if header.tournament else None,
        group=_number(header.group, "g"),
        seed_group_index=header.group_index,
        seed_attempt=header.attempt,
        **same(header, *SAME_IN_HEADER),
        options=options,
        seats=seats,
        time_control=time_control,
        seed=seed,
        seed_policy=SeedPolicy(header.seed_policy),
        replay_of=_number(header.replay_of, "matches/") if header.replay_of else None,
        suite=_suite(header.suite) if header.HasField("suite") else None,
        continued_from=_continuation(header.continued_from) if header.HasField("continued_from") else None,
    )


def _suite(suite: match_log_pb2.LogSuite) -> SuitePlace:
    if len(suite.sha256) != _HASH_BYTES:
        raise ValueError(f"the hash of its suite has {len(suite.sha256)} bytes, not {_HASH_BYTES}")
    return SuitePlace(suite.name, suite.sha256.hex(), suite.entry)


def _continuation(continued: match_log_pb2.LogContinuation) -> Continuation:
    if not re.fullmatch(f"[0-9a-f]{{{2 * _HASH_BYTES}}}", continued.log):
        raise ValueError(f'"{continued.log}", which it plays on from, is not the name of a log')
    return Continuation(continued.log, continued.plies)


def decode_ply(ply: match_log_pb2.LogPly, codec: Codec, seats: int) -> LoggedPly:
    """Return one ply. Raises ValueError."""
    record = PlyRecord(
        _seat(ply.seat, seats),
        ply.decision,
        _action(ply),
        Cause(ply.cause),
        _events(ply.events, codec),
        **same(ply, *SAME_IN_PLY),
        evaluation=evaluation_of(ply.evaluation, seats) if ply.HasField("evaluation") else None,
    )
    return LoggedPly(record, _audiences(ply.events))


def decode_set_up(set_up: match_log_pb2.LogSetUp, codec: Codec) -> LoggedSetUp:
    """Return what happened before the first action. Raises ValueError."""
    return LoggedSetUp(_events(set_up.events, codec), _audiences(set_up.events))


def _events(entries: Iterable[match_log_pb2.LogEvent], codec: Codec) -> tuple[Event, ...]:
    return tuple(codec.decode_event(entry.event) for entry in entries)


def _audiences(entries: Iterable[match_log_pb2.LogEvent]) -> tuple[frozenset[int] | None, ...]:
    return tuple(None if entry.everybody else frozenset(entry.seats) for entry in entries)


def decode_note(note: match_log_pb2.LogNote, seats: int) -> NoteRecord:
    """Return a note. Raises ValueError."""
    return NoteRecord(
        note.at_ns, _seat(note.seat, seats) if note.HasField("seat") else None, note.what, note.text
    )


def decode_result(
    footer: match_log_pb2.LogFooter, setup: MatchSetup, plies: tuple[PlyRecord, ...]
) -> MatchResult:
    """Return the result; exact thinking times are taken from the plies. Raises ValueError."""
    holders = tuple(_holder(seat.bot, seat.bot_version) for seat in footer.seats)
    if holders != setup.seats:
        raise ValueError("its seats are not those of the header")
    return MatchResult(
        MatchState(footer.state),
        footer.ending,
        len(plies),
        tuple(_seat_result(seat, number, plies) for number, seat in enumerate(footer.seats)),
        footer.duration_ns,
        footer.void_reason,
        footer.digest,
    )


def _seat_result(seat: match_pb2.MatchSeat, number: int, plies: tuple[PlyRecord, ...]) -> SeatResult:
    times = [ply.used_ns for ply in plies if ply.seat == number]
    return SeatResult(
        **same(seat, *SAME_IN_SEAT),
        ending=SeatEnding(
            Termination(seat.ending.termination),
            Fault(seat.ending.fault),
            tuple((entry.fact, entry.value) for entry in seat.ending.evidence),
            seat.ending.sentence,
        ),
        used_ns=sum(times),
        longest_ns=max(times, default=0),
    )


def _seat(seat: int, seats: int) -> int:
    if seat >= seats:
        raise ValueError(f"there is no seat {seat}")
    return seat


def _action(ply: match_log_pb2.LogPly) -> int:
    if ply.HasField("listed"):
        return ply.listed
    action = int.from_bytes(ply.unlisted, "big")
    if action < LISTED_LIMIT:
        raise ValueError("its action is missing, or is stored as bytes though it is a number")
    return action


def _holder(bot: str, version: str) -> SeatHolder:
    if not bot.startswith("bots/") or not version.startswith(f"{bot}/versions/"):
        raise ValueError(f'"{bot}" with "{version}" is no bot with one of its versions')
    return SeatHolder(bot.removeprefix("bots/"), version.removeprefix(f"{bot}/versions/"))


def _number(name: str, prefix: str) -> int:
    digits = name.removeprefix(prefix)
    if not name.startswith(prefix) or not (digits.isascii() and digits.isdigit()):
        raise ValueError(f'"{name}" is not of the form {prefix}NUMBER')
    return int(digits)
