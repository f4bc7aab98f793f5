"""A history written in bulk is one that an arena could have played."""

from pathlib import Path

from arena.core.match import MatchState
from arena.store.ladders.recompute import recompute
from arena.store.store import Store
from benchmarks.growth.costs import match_ms, standings_ms
from benchmarks.growth.history import LADDER, Size, build
from benchmarks.growth.lookout import look_costs

SIZE = Size(5, 60)


def test_its_ledger_gives_the_ratings_that_are_stored_also_after_more_matches(tmp_path: Path) -> None:
    build(tmp_path / "arena.db", SIZE)
    store = Store(f"sqlite:///{tmp_path / 'arena.db'}")
    before = store.read(lambda tx: recompute(tx, LADDER))
    assert (before.entries, before.identical) == (30, True)
    assert match_ms(store, SIZE.bots) > 0 < standings_ms(store)
    after = store.read(lambda tx: recompute(tx, LADDER))
    assert (after.entries, after.identical) == (80, True)
    store.close()


def test_its_counters_are_those_of_its_matches(tmp_path: Path) -> None:
    build(tmp_path / "arena.db", SIZE)
    store = Store(f"sqlite:///{tmp_path / 'arena.db'}")
    entries = store.read(lambda tx: tx.entries.all(LADDER))
    finished = store.read(lambda tx: tx.tallies.in_state(MatchState.FINISHED))
    played = store.read(lambda tx: tx.tallies.finished_since(LADDER, 0))
    assert finished == SIZE.matches
    assert {entry.bot: entry.matches for entry in entries} == played
    assert sum(entry.placing_sum for entry in entries) == 3 * SIZE.matches
    store.close()


def test_everybody_with_room_is_seated_in_the_looks_that_are_measured(tmp_path: Path) -> None:
    build(tmp_path / "arena.db", SIZE)
    costs = look_costs(tmp_path / "arena.db", SIZE.bots)
    assert min(costs.for_each_group, costs.with_nobody_free, costs.longest_wait) > 0
    store = Store(f"sqlite:///{tmp_path / 'arena.db'}")
    pending = store.read(lambda tx: tx.tallies.in_state(MatchState.PENDING))
    assert pending == 2 * (SIZE.bots // 2)
    store.close()
