"""A history written in bulk is one that an arena could have played."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.core.match import MatchState
from arena.store.ladders.recompute import recompute
from arena.store.store import Store
from benchmarks.growth.costs import match_ms, standings_ms
from benchmarks.growth.history import LADDER, Size, build
from benchmarks.growth.lookout import look_costs

SIZE = Size(5, 60)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Build a history; return its database."""
    build(tmp_path / "arena.db", SIZE)
    return tmp_path / "arena.db"


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    """Open the history."""
    opened = Store(f"sqlite:///{file}")
    yield opened
    opened.close()


def test_its_ledger_gives_the_ratings_that_are_stored_also_after_more_matches(store: Store) -> None:
    before = store.read(lambda tx: recompute(tx, LADDER))
    assert (before.entries, before.identical) == (30, True)
    assert match_ms(store, SIZE.bots) > 0 < standings_ms(store)
    after = store.read(lambda tx: recompute(tx, LADDER))
    assert (after.entries, after.identical) == (80, True)


def test_its_counters_are_those_of_its_matches(store: Store) -> None:
    entries = store.read(lambda tx: tx.entries.all(LADDER))
    assert store.read(lambda tx: tx.tallies.in_state(MatchState.FINISHED)) == SIZE.matches
    played = store.read(lambda tx: tx.tallies.finished_since(LADDER, 0))
    assert {entry.bot: entry.matches for entry in entries} == played
    assert sum(entry.placing_sum for entry in entries) == 3 * SIZE.matches


def test_every_bot_with_capacity_is_seated_in_the_measured_rounds(file: Path, store: Store) -> None:
    costs = look_costs(file, SIZE.bots)
    assert min(costs.for_each_group, costs.with_nobody_free, costs.longest_wait) > 0
    assert store.read(lambda tx: tx.tallies.in_state(MatchState.PENDING)) == 2 * (SIZE.bots // 2)
