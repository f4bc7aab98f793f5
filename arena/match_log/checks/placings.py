"""Check of the placings."""

from collections.abc import Iterator
from typing import Final

from arena.core.endings.results import placings
from arena.core.match import ENDED_BY_FORFEIT, MatchState
from arena.match_log.checks.check import Check, judged, not_checked
from arena.match_log.reader import MatchLog
from engine.game import Outcome

PLACINGS: Final = "placings"


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
