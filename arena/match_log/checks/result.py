"""Checks of the result: endings follow from what was played, placings from the rules."""

from collections.abc import Iterator
from itertools import chain
from typing import Final

from arena.core.endings.results import placings
from arena.core.endings.terminations import Fault, SeatEnding, Termination
from arena.core.match import ENDED_BY_FORFEIT, LAST_STANDING, SOLO_FORFEIT, Cause, MatchState
from arena.core.ply import PlyRecord
from arena.core.units import NS_PER_MS
from arena.match_log.checks.check import Check, judged, not_checked
from arena.match_log.framing import Flaw
from arena.match_log.reader import MatchLog
from engine.game import Outcome

ENDINGS: Final = "endings"
PLACINGS: Final = "placings"

_BY_STRIKES: Final = {
    Cause.TIME_FORFEIT: Termination.TIME_FORFEIT,
    Cause.ILLEGAL_ACTION: Termination.ILLEGAL_ACTION,
}

_LIMITS_OF_PROGRAMS: Final = {"cpu_limit_s", "wall_limit_s"}
"""Evidence of `arena.sandbox.exit_status`."""


def check_endings(log: MatchLog) -> Check:
    """Check that strikes, forfeits, decisions and thinking times in the footer are those of the plies."""
    flaws = chain(_flaws_of_forfeits(log), map(log.footer_flaw, _misstated(log)))
    sentence = "Strikes, forfeits, decisions and thinking times follow from the plies."
    return judged(ENDINGS, next(flaws, None), sentence)


def _flaws_of_forfeits(log: MatchLog) -> Iterator[Flaw]:
    """Yield where a forfeited seat played no default, or another seat did."""
    gone: set[int] = set()
    for index, logged in log.numbered_plies:
        ply = logged.record
        if ply.cause is not Cause.FORFEITED:
            if ply.seat in gone:
                what = f"has a decision of seat {ply.seat}, which had forfeited before"
                yield Flaw(index, f"Record {index} {what}.")
            continue
        gone.add(ply.seat)
        if not log.result.seats[ply.seat].ending.forfeited:
            yield Flaw(index, f"Record {index} is a default of seat {ply.seat}, which has not forfeited.")


def _misstated(log: MatchLog) -> Iterator[str]:
    yield from _misstated_match(log)
    for seat in range(len(log.setup.seats)):
        own = [ply for ply in log.plies if ply.seat == seat]
        yield from _misstated_termination(log, seat, own)
        yield from _misstated_counts(log, seat, own)


def _misstated_match(log: MatchLog) -> Iterator[str]:
    result = log.result
    standing = sum(not seat.ending.forfeited for seat in result.seats)
    if result.state not in (MatchState.FINISHED, MatchState.ABORTED, MatchState.NO_CONTEST):
        yield f"no match ends in the state {result.state.name}"
    finished = result.state is MatchState.FINISHED
    if finished == bool(result.void_reason) or finished != bool(result.ending):
        yield "a match has either an ending or a reason for being void"
    # What forfeits make the ending, unless the last ply also ended the game; empty if there are not enough of them.
    alone = standing == 1 and len(result.seats) > 1
    due = SOLO_FORFEIT if not standing else LAST_STANDING if alone else ""
    by_forfeit = result.ending in ENDED_BY_FORFEIT
    fits = result.ending == due if by_forfeit else not due or _last_ply_forfeited(log)
    if finished and not fits:
        yield f"{standing} seats are left standing, but the ending is {result.ending}"
    at_fault = any(seat.ending.fault is Fault.ARENA for seat in result.seats)
    if at_fault and result.state is not MatchState.ABORTED:
        yield "a fault of the arena voids the match"


def _last_ply_forfeited(log: MatchLog) -> bool:
    """Return whether the last ply cost its seat the match: if it also ended the game, the rules decide."""
    last = log.plies[-1] if log.plies else None
    return last is not None and last.cause in _BY_STRIKES and log.result.seats[last.seat].ending.forfeited


def _misstated_termination(log: MatchLog, seat: int, own: list[PlyRecord]) -> Iterator[str]:
    stated = log.result.seats[seat]
    strikes = [ply.cause for ply in own if ply.cause in _BY_STRIKES]
    if stated.strikes != len(strikes):
        yield f"seat {seat} has {stated.strikes} strikes, but its plies show {len(strikes)}"
    termination, allowed = stated.ending.termination, log.setup.time_control.strikes
    if len(strikes) > allowed:
        due = _BY_STRIKES[strikes[allowed]]
        if termination is not due:
            yield f"seat {seat} ended by {termination.name}, but its strikes make it {due.name}"
    elif termination in _BY_STRIKES.values() and not _by_limit(stated.ending):
        yield f"seat {seat} ended by {termination.name}, but {len(strikes)} strikes are not too many"


def _by_limit(ending: SeatEnding) -> bool:
    """Return whether a hosted program's limit of time or processor time was reached, which needs no strikes."""
    facts = {fact for fact, _ in ending.evidence}
    return ending.termination is Termination.TIME_FORFEIT and not facts.isdisjoint(_LIMITS_OF_PROGRAMS)


def _misstated_counts(log: MatchLog, seat: int, own: list[PlyRecord]) -> Iterator[str]:
    answered = max((ply.decision for ply in own), default=0)
    decisions = log.result.seats[seat].decisions
    # One more was asked if it was still open when the seat, or the match, ended.
    if decisions not in (answered, answered + 1):
        yield f"seat {seat} was asked {decisions} decisions, but its plies show {answered}"
    used_ms = log.result.seats[seat].used_ns // NS_PER_MS
    if log.stated_used_ms[seat] != used_ms:
        yield f"seat {seat} used {log.stated_used_ms[seat]} ms, but its plies add up to {used_ms} ms"


def check_placings(log: MatchLog, outcome: Outcome | None) -> Check:
    """Check that seats are placed as the game placed them, and forfeited ones share the last placing.

    `outcome`: of the re-simulation; None if there was none or the game did not end.
    """
    flaw = next((log.footer_flaw(what) for what in _misplaced(log, outcome)), None)
    if flaw is None and _by_the_rules(log) and outcome is None:
        return not_checked(PLACINGS, "Without re-simulation, only the form of the placings was looked at.")
    return judged(PLACINGS, flaw, "Scores and placings are what the rules and the forfeits make them.")


def _by_the_rules(log: MatchLog) -> bool:
    return log.result.state is MatchState.FINISHED and log.result.ending not in ENDED_BY_FORFEIT


def _misplaced(log: MatchLog, outcome: Outcome | None) -> Iterator[str]:
    stated = tuple(seat.placing for seat in log.result.seats)
    scores = tuple(seat.score for seat in log.result.seats)
    standing = [not seat.ending.forfeited for seat in log.result.seats]
    if not _by_the_rules(log):
        if any(scores):
            yield "a match that did not end by the game's rules has no scores"
        finished = log.result.state is MatchState.FINISHED
        due = placings([1] * len(standing), standing) if finished else (0,) * len(standing)
    elif outcome is not None:
        if outcome.scores != scores:
            yield f"the scores are {_listed(scores)}, but the game's are {_listed(outcome.scores)}"
        due = placings(outcome.placings, standing)
    else:
        # The stated placings of seats that did not forfeit, ranked again: an invalid ranking comes out differently.
        due = placings(stated, standing)
    if stated != due:
        yield f"the placings are {_listed(stated)}, but should be {_listed(due)}"


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(str(number) for number in numbers)
