"""A ladder or tournament that is deleted while a look plans its matches: none is stored, and nothing breaks."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from arena.core.pairing.formats.plan import History, NextRound, RoundPairing
from arena.core.tournaments import TournamentState
from arena.scheduling import rounds
from arena.scheduling.planning_round import PlanningRound
from arena.scheduling.scheduler import MADE
from arena.scheduling.snapshot import read_snapshot
from arena.store.store import Transaction
from tests.unit.scheduling.fakes import SchedulingFixture, add_tournament, opened
from tests.unit.store.store_fixture import LADDER, a_ladder

BOTS = ("ant", "bee")


def delete_ladder(tx: Transaction) -> None:
    tx.ladders.remove(LADDER)


def replace_ladder(tx: Transaction) -> None:
    """Delete the ladder, and create another of the same id."""
    delete_ladder(tx)
    tx.ladders.add(replace(a_ladder(), created_us=9_999))
    tx.ladders.run(LADDER, None)


@pytest.mark.parametrize("change", [delete_ladder, replace_ladder])
@pytest.mark.parametrize("planned_first", [True, False], ids=["planned", "seen"])
def test_no_group_of_a_deleted_ladder_is_stored(
    tmp_path: Path, change: Callable[[Transaction], None], planned_first: bool
) -> None:
    async def look(fixture: SchedulingFixture) -> None:
        database, ladders = fixture.database, fixture.ladders
        snapshot = await database.read(read_snapshot)
        now = await PlanningRound.of(fixture.room, snapshot.matches)
        ladders.refresh(snapshot)
        if not planned_first:
            await database.write(change)
        assert await ladders.make(LADDER, now, first=True, held=frozenset()) is MADE
        if planned_first:
            await database.write(change)
        await now.store(database)
        assert fixture.matches() == []
        assert await fixture.turn() is not MADE  # a deleted one is not running, a new one has no bots

    for fixture in opened(SchedulingFixture(tmp_path, *BOTS)):
        fixture.db.store.write(lambda tx: tx.ladders.run(LADDER, None))
        asyncio.run(look(fixture))


def test_no_match_of_a_deleted_tournament_is_stored(tmp_path: Path) -> None:
    async def look(fixture: SchedulingFixture) -> None:
        database = fixture.database
        snapshot = await database.read(read_snapshot)
        now = await PlanningRound.of(fixture.room, snapshot.matches)
        assert fixture.tournaments.refresh(snapshot) == ("cup",)
        assert await fixture.tournaments.make("cup", now, first=True, held=frozenset()) is MADE
        await database.write(lambda tx: tx.tournaments.remove("cup"))
        await now.store(database)
        assert fixture.matches() == []

    for fixture in opened(SchedulingFixture(tmp_path, *BOTS)):
        add_tournament(fixture.db.store, "cup", *BOTS)
        fixture.db.store.write(lambda tx: tx.tournaments.set_state("cup", TournamentState.RUNNING))
        asyncio.run(look(fixture))


def test_no_round_of_a_deleted_tournament_is_stored(tmp_path: Path) -> None:
    for fixture in opened(SchedulingFixture(tmp_path, *BOTS)):
        store = fixture.db.store
        add_tournament(store, "cup", *BOTS)
        row = store.read(lambda tx: tx.tournaments.get("cup"))
        before = History(row.bots, secret=row.secret)
        store.write(lambda tx: tx.tournaments.remove("cup"))
        store_round = partial(
            rounds._store, row=row, history=before, planned=NextRound((RoundPairing(BOTS),)), verdict=None
        )
        assert not store.write(store_round)
