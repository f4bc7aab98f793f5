"""Matches that are played as they should be."""

from __future__ import annotations

from typing import Final

from arena.conformance.scenario import Scenario
from arena.conformance.seat import Seat
from arena.conformance.stage import Stage
from arena.conformance.table import Table

_MOST_DECISIONS: Final = 60
"""A match that is not over after so many decisions of the bot is ended by the kit."""


async def seats(stage: Stage) -> None:
    """One match after the other: each number of seats, the bot on each seat."""
    talk = await stage.welcomed()
    game = stage.game(talk)
    assignment = 0
    for count in range(game.spec.min_seats, game.spec.max_seats + 1):
        for place in range(count):
            assignment += 1
            seat = Seat(
                talk, Table(game, assignment, seats=count, own=(place,)), seat=place, assignment=assignment
            )
            await seat.begin()
            await seat.play(_MOST_DECISIONS)
            await seat.end()


SCENARIOS: Final = (Scenario("seats", "Plays matches of each size to their end, from every seat.", seats),)
