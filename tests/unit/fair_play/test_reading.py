"""What of a stored match the fair play report is given."""

from dataclasses import replace
from pathlib import Path

from arena.core.endings.terminations import Fault, SeatEnding, Termination
from arena.fair_play.reading import result_of
from arena.store.matches.results import MatchReport
from tests.unit.store.store_fixture import StoreFixture, a_result, open_store


def test_a_resignation_is_a_lost_match_and_no_forfeit(tmp_path: Path) -> None:
    """A bot that resigns when it has lost does so most against the strongest, which would look like gifts."""
    store = open_store(tmp_path)
    world = StoreFixture(store)
    world.populate("ant", "bee")
    seen = []
    for match, termination in zip(
        world.pair("ant", "bee"), (Termination.RESIGNATION, Termination.TIME_FORFEIT), strict=True
    ):
        result = a_result(1, 2)
        ending = SeatEnding(termination, Fault.BOT, (), "It ended so.")
        seats = (result.seats[0], replace(result.seats[1], ending=ending))
        world.start(match)
        world.report(MatchReport(match, replace(result, seats=seats), bytes(32), "ab" * 32))
        seen.append(result_of(world.store.read(lambda tx, match=match: tx.matches.get(match))))  # type: ignore[misc]
    store.close()
    assert [each.forfeited for each in seen] == [(False, False), (False, True)]
    assert [each.placings for each in seen] == [(1, 2), (1, 2)]
