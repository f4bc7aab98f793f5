"""The arena's records as the bytes of LogRecord messages.

Plies are many: their message object is reused, and their events are joined to it as bytes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from arena.codecs.codec import Codec
from arena.codecs.serialized import varint
from arena.codecs.shared_messages import evaluation_message, same, seat_ending_message, time_control_message
from arena.core.match import Cause, MatchResult, MatchSetup, NoteRecord, SeatHolder, SeatResult
from arena.core.ply import PlyRecord
from arena.core.units import NS_PER_MS
from arena.v1 import match_log_pb2, match_pb2
from engine.game import Event
from engine.randomness import commitment

FORMAT: Final = 1
"""The version of the log format that is written."""

LISTED_LIMIT: Final = 1 << 32
"""Actions below it are stored as a number, others as bytes."""

_CAUSES: Final = {cause: match_log_pb2.LogPly.Cause.ValueType(cause.value) for cause in Cause}
_CHOSEN: Final = _CAUSES[Cause.CHOSEN]  # looked up for nearly every ply otherwise, and an enum's hash is slow
SAME_IN_HEADER: Final = ("game", "rules_version", "secret_commitment", "rated", "place", "replay")
"""The fields that are the same in set-up and message."""

SAME_IN_PLY: Final = (
    *("started_ns", "used_ns", "credit_ns", "stall_ns", "wait_ns", "bank_ns"),
    *("over_seat_limit", "digest"),
)
"""The fields that are the same in ply and message, and often empty."""

SAME_IN_SEAT: Final = ("placing", "score", "decisions", "strikes")
"""The fields that are the same in a seat's result and its message."""

_PLY_IN_RECORD: Final = b"\x12"
_EVENT_IN_PLY: Final = b"\x32"
_EVENT_IN_SET_UP: Final = b"\x0a"
_SET_UP_IN_RECORD: Final = b"\x32"
_GAME_EVENT: Final = b"\x0a"
_SEATS_OF_EVENT: Final = b"\x12"
_EVERYBODY: Final = b"\x18\x01"


@dataclass(frozen=True)
class LogOrigin:
    """Who wrote a log, and when."""

    software: str
    """For example "caravan-arena 0.1.0"."""
    key_id: str
    """16 hex digits."""
    start_time_ms: int
    """When the match began, milliseconds since 1970 UTC; informative only."""


def encode_header(setup: MatchSetup, codec: Codec, origin: LogOrigin) -> bytes:
    """Return the first record. It does not hold the seed."""
    header = match_log_pb2.LogHeader(
        format=FORMAT,
        match=f"matches/{setup.match}",
        ladder=f"ladders/{setup.ladder}" if setup.ladder is not None else "",
        tournament=f"tournaments/{setup.tournament}" if setup.tournament is not None else "",
        group=f"g{setup.group}",
        group_index=setup.seed_group_index,
        attempt=setup.seed_attempt,
        **same(setup, *SAME_IN_HEADER),
        options=codec.encode_options(setup.options),
        seats=[match_log_pb2.LogSeat(**_names(seat)) for seat in setup.seats],
        time_control=time_control_message(setup.time_control),
        seed_commitment=commitment(setup.seed),
        seed_policy=match_pb2.SeedPolicy.ValueType(setup.seed_policy.value),
        **same(origin, "software", "key_id", "start_time_ms"),
        replay_of=f"matches/{setup.replay_of}" if setup.replay_of is not None else "",
    )
    if (place := setup.suite) is not None:
        header.suite.CopyFrom(
            match_log_pb2.LogSuite(name=place.suite, sha256=bytes.fromhex(place.sha256), entry=place.entry)
        )
    if (continued := setup.continued_from) is not None:
        header.continued_from.CopyFrom(
            match_log_pb2.LogContinuation(log=continued.log, plies=continued.plies)
        )
    return match_log_pb2.LogRecord(header=header).SerializeToString()


class PlyEncoder:
    """Encodes the plies of one match. Not for several threads: it fills the same message again and again."""

    __slots__ = ("_codec", "_ply")

    def __init__(self, codec: Codec) -> None:
        """`codec`: of the match's game."""
        self._codec = codec
        self._ply = match_log_pb2.LogPly()

    def encode(self, record: PlyRecord) -> bytes:
        """Return the record of one ply."""
        ply = self._ply
        ply.Clear()
        ply.seat = record.seat
        ply.decision = record.decision
        ply.cause = _CHOSEN if record.cause is Cause.CHOSEN else _CAUSES[record.cause]
        if record.action < LISTED_LIMIT:
            ply.listed = record.action
        else:
            ply.unlisted = record.action.to_bytes((record.action.bit_length() + 7) // 8, "big")
        for name in SAME_IN_PLY:
            if value := getattr(record, name):
                setattr(ply, name, value)
        if record.evaluation is not None:
            ply.evaluation.CopyFrom(evaluation_message(record.evaluation))
        body = ply.SerializeToString()
        if record.events:
            body += _events(_EVENT_IN_PLY, record.events, self._codec)
        return _PLY_IN_RECORD + varint(len(body)) + body


def encode_set_up(events: Sequence[Event], codec: Codec) -> bytes:
    """Return the record of what happened before the first action."""
    body = _events(_EVENT_IN_SET_UP, events, codec)
    return _SET_UP_IN_RECORD + varint(len(body)) + body


def _events(field: bytes, events: Sequence[Event], codec: Codec) -> bytes:
    """Return these events as LogEvents in a repeated field."""
    return b"".join([field + _event(event, codec) for event in events])


@lru_cache(maxsize=8192)
def _event(event: Event, codec: Codec) -> bytes:
    """Return an event as a LogEvent behind its length, with the codec's bytes as they are. Cached: events repeat."""
    game_event = codec.encode_event(event)
    audience = event.audience()
    if audience is None:
        seen = _EVERYBODY
    else:
        seats = b"".join(varint(seat) for seat in sorted(audience))
        seen = _SEATS_OF_EVENT + varint(len(seats)) + seats if seats else b""
    body = _GAME_EVENT + varint(len(game_event)) + game_event + seen
    return varint(len(body)) + body


def encode_note(record: NoteRecord) -> bytes:
    """Return the record of a note."""
    note = match_log_pb2.LogNote(at_ns=record.at_ns, seat=record.seat, what=record.what, text=record.text)
    return match_log_pb2.LogRecord(note=note).SerializeToString()


def encode_footer(setup: MatchSetup, result: MatchResult) -> bytes:
    """Return the last record of the chain; it reveals the seed."""
    footer = match_log_pb2.LogFooter(
        state=match_pb2.MatchState.ValueType(result.state.value),
        seats=[_seat(holder, seat) for holder, seat in zip(setup.seats, result.seats, strict=True)],
        seed=setup.seed,
        **same(result, "ending", "duration_ns", "void_reason", "digest"),
    )
    return match_log_pb2.LogRecord(footer=footer).SerializeToString()


def _seat(holder: SeatHolder, seat: SeatResult) -> match_pb2.MatchSeat:
    return match_pb2.MatchSeat(
        **_names(holder),
        **same(seat, *SAME_IN_SEAT),
        ending=seat_ending_message(seat.ending),
        used_ms=seat.used_ns // NS_PER_MS,
    )


def _names(holder: SeatHolder) -> dict[str, Any]:
    return {"bot": f"bots/{holder.bot}", "bot_version": f"bots/{holder.bot}/versions/{holder.version}"}
