"""What an arena exports, as rows of the tables."""

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from arena.codecs.codec import codec_for
from arena.codecs.shared_messages import time_control_of
from arena.core.ply import PlyRecord
from arena.match_log.reader import MatchLog, UnreadableLogError, read_log
from arena.match_report.plies import positions
from arena.v1 import ending_pb2, export_pb2, match_pb2
from engine.game import GameError

Record = dict[str, object]
"""A row by column."""

LARGEST_ACTION: Final = 2**63 - 1
"""Wider actions, such as offers, have only their text."""

_NULL_REPLAY: Final[Mapping[str, object]] = {"notation": None, "list_place": None, "legal_actions": None}


class ExportError(Exception):
    """What the arena has sent cannot be stored; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class ExportedMatch:
    """A match that has come completely."""

    position: int
    match: match_pb2.Match
    log_state: str
    """PRESENT, NONE, REMOVED or DAMAGED."""
    log: bytes


@dataclass(frozen=True, slots=True)
class ExportedEntry:
    """An entry of a rating ledger."""

    position: int
    entry: export_pb2.ExportedLedgerEntry


@dataclass(frozen=True, slots=True)
class CallEnd:
    """The end of a call."""

    cursor: int
    end: int
    """Where the export ends; if it is larger than the cursor, another call has to follow."""


def assembled(
    responses: Iterable[export_pb2.ExportMatchesResponse],
) -> Iterator[ExportedMatch | ExportedEntry | CallEnd]:
    """Yield what the responses of a call bring; a match when its log is complete."""
    head: export_pb2.ExportedMatch | None = None
    chunks: list[bytes] = []
    for response in responses:
        kind = response.WhichOneof("content")
        if kind is None:
            yield CallEnd(response.cursor, response.end)
        elif kind == "ledger_entry":
            yield ExportedEntry(response.cursor, response.ledger_entry)
        else:
            if kind == "match":
                head, chunks = response.match, []
            else:
                chunks.append(response.log_chunk)
            if response.cursor and head is not None:
                state = export_pb2.ExportedMatch.LogState.Name(head.log_state)
                yield ExportedMatch(
                    response.cursor, head.match, state.removeprefix("LOG_STATE_"), b"".join(chunks)
                )


def log_of(exported: ExportedMatch) -> MatchLog | None:
    """Return the log of a match; None if there is none.

    Raises ExportError: it cannot be read, or is not the one that the match names.
    """
    if not exported.log:
        return None
    try:
        log = read_log(exported.log)
    except UnreadableLogError as error:
        raise ExportError(
            f"The log of {exported.match.name} cannot be read by this software: {error.flaw.sentence} Install the "
            "version of the arena, or leave the match out with --game."
        ) from error
    if log.name != exported.match.log:
        raise ExportError(f"The log of {exported.match.name} is not the one that the arena names. Try again.")
    return log


def match_record(exported: ExportedMatch) -> Record:
    """Return the row of a match."""
    match = exported.match
    return {
        "match": _number(match.name),
        "position": exported.position,
        "ladder": _id(match.ladder),
        "tournament": _id(match.tournament),
        "match_group": match.group,
        "group_index": match.group_index,
        "attempt": match.attempt,
        "game": match.game,
        "rules_version": match.rules_version,
        "seats": len(match.seats),
        "options": _options(match),
        "time_control": _json(asdict(time_control_of(match.time_control))),
        "state": match_pb2.MatchState.Name(match.state).removeprefix("MATCH_STATE_"),
        "rated": match.rated,
        "ending": match.ending,
        "plies": match.plies,
        "seed": match.seed.hex() or None,
        "seed_commitment": match.seed_commitment.hex(),
        "log": match.log or None,
        "log_state": exported.log_state,
        "created_us": _us(match.create_time),
        "started_us": _us(match.start_time) if match.HasField("start_time") else None,
        "ended_us": _us(match.end_time) if match.HasField("end_time") else None,
        "void_reason": match.void_reason or None,
        "replayed_as": _number(match.replayed_as) if match.replayed_as else None,
        "replay_of": _number(match.replay_of) if match.replay_of else None,
    }


def seat_records(exported: ExportedMatch) -> list[Record]:
    """Return the rows of the seats."""
    return [
        {
            "match": _number(exported.match.name),
            "position": exported.position,
            "seat": number,
            "bot": _id(seat.bot),
            "bot_version": _id(seat.bot_version),
            "final_placing": seat.placing,
            "score": seat.score,
            "termination": ending_pb2.Termination.Name(seat.ending.termination).removeprefix("TERMINATION_"),
            "fault": ending_pb2.Fault.Name(seat.ending.fault).removeprefix("FAULT_"),
            "decisions": seat.decisions,
            "used_ms": seat.used_ms,
            "strikes": seat.strikes,
            "level": seat.level or None,
        }
        for number, seat in enumerate(exported.match.seats)
    ]


def decision_records(exported: ExportedMatch, log: MatchLog) -> list[Record]:
    """Return the rows of the actions; the match is played again for their texts and places."""
    head = {"match": _number(exported.match.name), "position": exported.position}
    replayed: list[Record] = []
    for state, ply in positions(log, codec_for(log.setup.game).game):
        legal = state.legal_actions()
        place = bisect_left(legal, ply.action)
        is_listed = place < len(legal) and legal[place] == ply.action
        replayed.append(
            {
                "notation": state.format_action(ply.action),
                "list_place": place if is_listed else None,
                "legal_actions": len(legal),
            }
        )
    return [
        {
            **head,
            "ply": number,
            **_ply(ply),
            **(replayed[number] if number < len(replayed) else _NULL_REPLAY),
        }
        for number, ply in enumerate(log.plies)
    ]


def _ply(ply: PlyRecord) -> Record:
    return {
        "seat": ply.seat,
        "decision": ply.decision,
        "action": ply.action if ply.action <= LARGEST_ACTION else None,
        "cause": ply.cause.name,
        "started_ns": ply.started_ns,
        "used_ns": ply.used_ns,
        "credit_ns": ply.credit_ns,
        "stall_ns": ply.stall_ns,
        "wait_ns": ply.wait_ns,
        "bank_ns": ply.bank_ns,
        "over_seat_limit": ply.over_seat_limit,
    }


def rating_records(exported: ExportedEntry) -> list[Record]:
    """Return a row for each change of an entry."""
    entry = exported.entry
    return [
        {
            "position": exported.position,
            "ladder": _id(entry.ladder),
            "seq": entry.seq,
            "kind": export_pb2.ExportedLedgerEntry.Kind.Name(entry.kind).removeprefix("KIND_"),
            "match_group": entry.group or None,
            "closed_season": entry.closed_season or None,
            "time_us": _us(entry.time),
            "bot": _id(change.bot),
            "bot_version": _id(change.bot_version),
            "rating_milli_before": change.rating_milli_before,
            "rating_milli_after": change.rating_milli_after,
            "uncertainty_milli_before": change.uncertainty_milli_before,
            "uncertainty_milli_after": change.uncertainty_milli_after,
        }
        for change in entry.changes
    ]


def _options(match: match_pb2.Match) -> str | None:
    """Return the options as JSON; None for a game that this software does not know."""
    try:
        codec = codec_for(match.game)
        return _json(codec.game.option_values(codec.decode_options(match.options, len(match.seats))))
    except (KeyError, GameError):
        return None


def _json(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def _id(name: str) -> str | None:
    """Return the last part of a resource name; None if there is none."""
    return name.rpartition("/")[2] or None


def _number(name: str) -> int:
    return int(name.removeprefix("matches/"))


def _us(time: Timestamp) -> int:
    return time.ToMicroseconds()
