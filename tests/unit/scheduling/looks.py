"""Looks of the scheduler, one turn each, as tests take them."""

from __future__ import annotations

from arena.scheduling.availability import Availability
from arena.scheduling.planning_round import PlanningRound
from arena.scheduling.rotation import FairRotation, Supplier, Turn
from arena.store.database import Database


async def planning(database: Database, room: Availability) -> PlanningRound:
    """Return a planning round for the matches that are open now."""
    return await PlanningRound.of(room, await database.read(lambda tx: tx.open_matches.all()))


async def one_turn(
    supplier: Supplier,
    name: str,
    database: Database,
    room: Availability,
    *,
    first: bool,
    held: frozenset[str],
) -> Turn:
    """One of the supplier's has its turn, and what it makes is stored."""
    now = await planning(database, room)
    turn = await supplier.make(name, now, first=first, held=held)
    await now.store(database)
    return turn


async def take_one(turns: FairRotation, database: Database, room: Availability) -> bool:
    """Whoever is first and can has made a match group, and it is stored."""
    now = await planning(database, room)
    taken = await turns.take(now)
    await now.store(database)
    return taken
