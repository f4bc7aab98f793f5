"""Match logs as JSON lines for programs: one object a record, in the log's order (docs/log_format.md)."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from google.protobuf.json_format import MessageToDict

from arena.codecs.codec import Codec
from arena.core.match import MatchSetup, SeatResult
from arena.core.ply import PlyRecord
from arena.core.solo.boards import solo_level
from arena.core.units import NS_PER_MS
from arena.match_log.decode import LoggedPly, LoggedSetUp
from arena.match_log.reader import MatchLog
from arena.match_report.evaluations import evaluation_document
from arena.match_report.plies import notations
from arena.v1 import games_pb2
from engine.game import Event, Game

SCHEMA: Final = 1
"""Rises when a release renames or removes a field or changes its meaning or type, but not for new fields."""

EXACT_NUMBERS: Final = 2**53
"""JSON numbers from here on are rounded by readers that use doubles, such as JavaScript (RFC 8259, 6)."""

Json = dict[str, Any]


def export_lines(log: MatchLog, codec: Codec) -> Iterator[str]:
    """Yield the log as lines of JSON, without line ends; a file may hold several logs. `codec`: of its game."""
    for record in _records(log, codec):
        head = {"schema": SCHEMA, "match": f"matches/{log.setup.match}"}
        yield json.dumps(head | record, ensure_ascii=False, separators=(",", ":"))


def _records(log: MatchLog, codec: Codec) -> Iterator[Json]:
    yield _header(log, codec)
    texts = notations(log, codec.game)
    number = 0
    for entry in log.entries:
        if isinstance(entry.content, LoggedPly):
            yield _ply(number, entry.content.record, texts[number], codec)
            number += 1
        elif isinstance(entry.content, LoggedSetUp):
            yield {"record": "set_up", "events": _events(entry.content.events, codec)}
        else:
            note = entry.content
            about = {"seat": note.seat, "what": note.what, "text": note.text}
            yield {"record": "note", "at_ms": _ms(note.at_ns), **about}
    yield _footer(log, codec.game)


def _header(log: MatchLog, codec: Codec) -> Json:
    setup, control = log.setup, log.setup.time_control
    return {
        "record": "header",
        "log": log.name,
        "ladder": f"ladders/{setup.ladder}" if setup.ladder is not None else None,
        "tournament": f"tournaments/{setup.tournament}" if setup.tournament is not None else None,
        "group": f"g{setup.group}",
        "group_index": setup.seed_group_index,
        "attempt": setup.seed_attempt,
        "place": setup.place,
        "replay": setup.replay,
        "replay_of": f"matches/{setup.replay_of}" if setup.replay_of is not None else None,
        "game": setup.game,
        "rules_version": setup.rules_version,
        "options": codec.game.option_values(setup.options),
        "seats": [
            {"bot": f"bots/{seat.bot}", "bot_version": f"bots/{seat.bot}/versions/{seat.version}"}
            for seat in setup.seats
        ],
        "time_control": {name: getattr(control, name) for name in control.__dataclass_fields__},
        "seed_commitment": log.seed_commitment.hex(),
        "seed_policy": setup.seed_policy.name,
        "secret_commitment": setup.secret_commitment.hex(),
        "rated": setup.rated,
        "start_time_ms": log.origin.start_time_ms,
        "software": log.origin.software,
        "key_id": log.origin.key_id,
        **_origin_of_position(setup),
    }


def _origin_of_position(setup: MatchSetup) -> Json:
    """Return the suite and the match that it plays on from; no fields for what there is not."""
    found: Json = {}
    if setup.suite is not None:
        found["suite"] = {"name": setup.suite.suite, "sha256": setup.suite.sha256, "entry": setup.suite.entry}
    if setup.continued_from is not None:
        found["continued_from"] = {"log": setup.continued_from.log, "plies": setup.continued_from.plies}
    return found


def _ply(number: int, ply: PlyRecord, notation: str | None, codec: Codec) -> Json:
    return {
        "record": "ply",
        "ply": number,
        "seat": ply.seat,
        "decision": ply.decision,
        "cause": ply.cause.name,
        "notation": notation,
        "action": ply.action if ply.action < EXACT_NUMBERS else str(ply.action),
        "started_ms": _ms(ply.started_ns),
        "used_ms": _ms(ply.used_ns),
        "credit_ms": _ms(ply.credit_ns),
        "stall_ms": _ms(ply.stall_ns),
        "wait_ms": _ms(ply.wait_ns),
        "bank_ms": _ms(ply.bank_ns),
        "over_seat_limit": ply.over_seat_limit,
        "events": _events(ply.events, codec),
        **_evaluation(ply),
    }


def _evaluation(ply: PlyRecord) -> Json:
    """Return what the bot expected, if its answer said so; otherwise no field."""
    return {} if ply.evaluation is None else {"evaluation": evaluation_document(ply.evaluation)}


def _events(events: Sequence[Event], codec: Codec) -> list[Json]:
    return [
        {
            "text": codec.describe_event(event),
            "seats": None if (audience := event.audience()) is None else sorted(audience),
            "event": MessageToDict(
                games_pb2.GameEvent.FromString(codec.encode_event(event)),
                preserving_proto_field_name=True,
                always_print_fields_with_no_presence=True,
            ),
        }
        for event in events
    ]


def _footer(log: MatchLog, game: Game) -> Json:
    result = log.result
    level = solo_level(game, result.ending, result.seats)
    return {
        "record": "footer",
        "state": result.state.name,
        "ending": result.ending,
        "plies": result.plies,
        "duration_ms": _ms(result.duration_ns),
        "void_reason": result.void_reason,
        "seed": log.setup.seed.hex(),
        "seats": [_seat(seat, level) for seat in result.seats],
    }


def _seat(seat: SeatResult, level: str) -> Json:
    return {
        "placing": seat.placing,
        "score": seat.score,
        "level": level,
        "termination": seat.ending.termination.name,
        "fault": seat.ending.fault.name,
        "evidence": [list(fact) for fact in seat.ending.evidence],
        "sentence": seat.ending.sentence,
        "decisions": seat.decisions,
        "used_ms": _ms(seat.used_ns),
        "longest_ms": _ms(seat.longest_ns),
        "strikes": seat.strikes,
    }


def _ms(ns: int) -> float:
    """Return milliseconds, the nanoseconds as decimals."""
    return ns / NS_PER_MS
