"""What the audit trail tells of a void match; added by the transaction that makes it void."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.core.endings.arena_faults import DURING_BOT, Facts
from arena.core.endings.terminations import Fault
from arena.core.match import MatchResult
from arena.store.audit.entries import AuditEntry, AuditKind
from arena.store.matches.matches import MatchRow


def void_entries(
    match: MatchRow,
    result: MatchResult,
    replay: int | None,
    *,
    before: Sequence[int],
    details: Facts,
    now_us: int,
) -> Iterator[AuditEntry]:
    """The entries of a match that was made void.

    `match`: as it was; `replay`: what is played instead, None if it is left to the organiser; `before`: the matches in
    the same place of the group that were void before it; `details`: what organisers alone are told.
    """
    evidence = arena_evidence(result)
    name = _match(match.id)
    what = "It is left to the organiser." if replay is None else f"It is played again as match {replay}."
    yield AuditEntry(
        AuditKind.MATCH_VOID,
        now_us,
        f"Match {match.id}: {result.void_reason[0].lower()}{result.void_reason[1:]} {what}",
        (name, *([] if replay is None else [_match(replay)]), *event_and_bots(match)),
        (*evidence, ("void_before", str(match.voids)), *details),
    )
    facts = dict((*evidence, *details))
    if "error_id" in facts:
        during = facts.get(DURING_BOT)
        yield AuditEntry(
            AuditKind.INTERNAL_ERROR,
            now_us,
            f"An error of the arena made match {match.id} void; the service log tells more under its id "
            f"{facts['error_id']}.",
            (name, *([f"bots/{during}"] if during else [])),
            (("error_id", facts["error_id"]), *details),
        )
    if replay is None:
        voids = [*before, match.id]
        numbers = ", ".join(map(str, voids))
        yield AuditEntry(
            AuditKind.LEFT_TO_ORGANISER,
            now_us,
            f"Match {match.id} is left to the organiser, void {len(voids)} times now (matches {numbers}): "
            f"`arena match replay {match.id}` plays it again, `arena match void {match.id} --reason TEXT` leaves "
            "it out.",
            (*map(_match, voids), *event_and_bots(match)),
            (("voids", str(len(voids))), ("matches", numbers), *evidence, *details),
        )


def arena_evidence(result: MatchResult) -> Facts:
    """What shows the arena's fault: the evidence of any seat that had not forfeited before."""
    for seat in result.seats:
        if seat.ending.fault is Fault.ARENA:
            return seat.ending.evidence
    return ()


def _match(match: int) -> str:
    return f"matches/{match}"


def event_and_bots(match: MatchRow) -> list[str]:
    """What an entry on a match is about beside it: the ladder or the tournament that it is of, and its bots."""
    ladder = [] if match.ladder is None else [f"ladders/{match.ladder}"]
    tournament = [] if match.tournament is None else [f"tournaments/{match.tournament}"]
    return [*ladder, *tournament, *(f"bots/{bot}" for bot in dict.fromkeys(match.bots))]
