"""LadderService.RefitRatings over a real connection (docs/ratings.md, "The refit")."""

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from unittest.mock import patch

import pytest

from arena.core.finished_match import FinishedMatch
from arena.core.rating.refit import Refit, refit
from arena.runner.change_signal import ChangeSignal
from arena.server.services.rating_fits import RatingFits, bounded
from arena.store.database import Database
from arena.store.store import Store, Transaction
from tests.unit.server.services.harness import Arena, refusal_of
from tests.unit.store.store_fixture import StoreFixture

T = TypeVar("T")


@pytest.fixture(autouse=True)
def _third_bot(db: StoreFixture) -> None:
    db.populate_more("dog")


def refitted(arena: Arena, token: str = "bob") -> Any:
    return arena.call("RefitRatings", token, name="ladders/main")


def play(db: StoreFixture, *bots: str, times: int = 1) -> None:
    """Play groups in which the first bot is always first, the second second, and so on."""
    for _ in range(times):
        for k, match in enumerate(db.pair(*bots)):
            placings = list(range(1, len(bots) + 1))
            db.finish(match, *placings[k:], *placings[:k])


def test_versions_are_listed_with_intervals_and_superiority(arena: Arena, db: StoreFixture) -> None:
    play(db, "bee", "cat", "dog", times=3)
    play(db, "cat", "dog", times=2)
    found = refitted(arena)
    assert [line.bot_version for line in found.ratings] == [
        f"bots/{bot}/versions/1" for bot in ("bee", "cat", "dog")
    ]
    assert [line.matches for line in found.ratings] == [9, 13, 13]
    assert found.matches == 13
    for line in found.ratings:
        assert line.low_milli < line.rating_milli < line.high_milli
    assert sum(line.rating_milli for line in found.ratings) == pytest.approx(4_500_000, abs=2)
    first, second, last = (line.superiority_ppm for line in found.ratings)
    assert 900_000 < first <= 1_000_000
    assert 900_000 < second <= 1_000_000
    assert last == 0


def test_each_seat_count_has_its_seat_advantages(arena: Arena, db: StoreFixture) -> None:
    play(db, "bee", "cat", "dog", times=2)
    play(db, "cat", "dog")
    two, three = refitted(arena).seat_advantages
    assert (two.seats, two.matches, three.seats, three.matches) == (2, 2, 3, 6)
    assert (len(two.advantage_milli), len(two.uncertainty_milli)) == (2, 2)
    # Seats rotate and every bot keeps its place, so no seat is worth more than another.
    assert list(three.advantage_milli) == pytest.approx([0, 0, 0], abs=2)


def test_a_ladder_in_which_no_group_counts_is_refused_with_what_to_do(arena: Arena, db: StoreFixture) -> None:
    db.finish(db.pair("bee", "cat")[0], 1, 2)
    refused = refusal_of(refitted, arena)
    assert refused.reason == "TOO_FEW_MATCHES"
    assert "more matches" in refused.sentence


def test_the_next_call_knows_the_groups_rated_since(arena: Arena, db: StoreFixture) -> None:
    play(db, "bee", "cat")
    once = refitted(arena)
    assert refitted(arena) == once
    play(db, "bee", "cat")
    assert (once.matches, refitted(arena).matches) == (2, 4)


class RingingDatabase(Database):
    """Rings for every read that has been answered."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.change_signal = ChangeSignal()

    async def read(self, question: Callable[[Transaction], T]) -> T:
        found = await super().read(question)
        self.change_signal.notify()
        return found


def test_a_request_during_a_fit_shares_it(arena: Arena, db: StoreFixture) -> None:
    fits, go_on = [], threading.Event()

    def slow_fit(history: Sequence[FinishedMatch], anchors: Mapping[str, int]) -> Refit:
        fits.append(len(history))
        go_on.wait(20)
        return refit(history, anchors=anchors)

    async def ask_twice() -> list[Refit]:
        database = RingingDatabase(arena.store)
        refits = RatingFits(database)
        early = asyncio.create_task(refits.of("main"))
        await database.change_signal.after(1)  # where the ladder stood, and its history
        play(db, "bee", "cat")
        late = asyncio.create_task(refits.of("main"))
        await database.change_signal.after(2)  # where the ladder stands now
        go_on.set()
        return [await early, await late, await refits.of("main")]

    play(db, "bee", "cat")
    with patch("arena.server.services.rating_fits.refit", slow_fit):
        found = asyncio.run(ask_twice())
    assert [each.matches for each in found] == [2, 2, 4]
    assert fits == [2, 4]


def test_a_long_history_is_cut_to_the_newest_matches_and_players() -> None:
    history = [FinishedMatch((f"bot-{n}", f"bot-{n + 1}"), (1, 2)) for n in range(5)]
    assert list(bounded(history, 3, 99)) == history[:3]
    assert list(bounded(history, 99, 3)) == history[:2]
    assert list(bounded(history, 5, 6)) == history
