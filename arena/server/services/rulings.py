"""The organiser's rulings on matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.core.errors import invalid_field
from arena.core.match_record import MatchRecord
from arena.scheduling.result_recorder import event_and_bots, replay_of
from arena.server.auth.permissions import current_caller
from arena.server.services.service_context import ServiceContext, record_decision
from arena.store.audit.entries import AuditKind
from arena.store.store import Transaction
from arena.v1 import match_pb2 as pb
from arena.wire.messages.match import match_message
from arena.wire.resource_names import match_name, parse_match

MAX_REASON: Final = 200


async def replay_match(platform: ServiceContext, request: pb.ReplayMatchRequest) -> pb.ReplayMatchResponse:
    """Replay a void match that was left to the organiser.

    Raises NotFoundError (MATCH_NOT_FOUND), FailedPreconditionError (MATCH_STATE).
    """
    number, caller = parse_match("name", request.name), current_caller()

    def change(tx: Transaction) -> MatchRecord:
        match = tx.matches.get(number)
        again = tx.rulings.replay(match, replay_of(tx, match), platform.now_us())
        sentence = f"Match {number} is played again as match {again}."
        record_decision(tx, AuditKind.RULING, caller, platform.now_us(), sentence, *_about(match, again))
        return tx.matches.get(again)

    row = await platform.database.write(change)
    platform.runtime.wake_scheduler()
    return pb.ReplayMatchResponse(match=match_message(row, platform.catalogue))


async def void_match(platform: ServiceContext, request: pb.VoidMatchRequest) -> pb.VoidMatchResponse:
    """Void a match for good, and take back its group's rating changes.

    Raises:
        NotFoundError: MATCH_NOT_FOUND.
        FailedPreconditionError: MATCH_STATE.
        InvalidArgumentError: FIELD_INVALID, the reason.
    """
    number, reason = parse_match("name", request.name), _reason(request.reason)
    caller = current_caller()

    def change(tx: Transaction) -> tuple[MatchRecord, tuple[int, ...]]:
        match = tx.matches.get(number)
        unrated = tx.rulings.void(match, reason, platform.now_us())
        sentence = f"Match {number} does not count: {reason.rstrip('.')}. {_consequence(number, unrated)}"
        record_decision(tx, AuditKind.RULING, caller, platform.now_us(), sentence.rstrip(), *_about(match))
        return tx.matches.get(number), unrated

    row, unrated = await platform.database.write(change)
    platform.runtime.wake_scheduler()
    return pb.VoidMatchResponse(
        match=match_message(row, platform.catalogue), consequence=_consequence(number, unrated)
    )


def _consequence(number: int, unrated: Sequence[int]) -> str:
    """Return the effect on ratings. `unrated`: the matches of the group that no longer count."""
    if not unrated:
        return ""
    others = [str(match) for match in unrated if match != number]
    if not others:
        return "What it had changed of ratings is taken back."
    return (
        "What its match group had changed of ratings is taken back: other matches of the group "
        f"({', '.join(others)}) keep their results, but count for no rating any more."
    )


def _about(match: MatchRecord, *others: int) -> tuple[str, ...]:
    """Return the resource names of a ruling. `others`: the replays."""
    return (*map(match_name, (match.id, *others)), *event_and_bots(match))


def _reason(text: str) -> str:
    if not text.strip() or len(text) > MAX_REASON or not text.isprintable():
        raise invalid_field(
            "reason",
            f"reason must be one line of 1 to {MAX_REASON} characters: everybody reads it beside the match.",
        )
    return text.strip()
