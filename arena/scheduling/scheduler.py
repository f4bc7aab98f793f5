"""The loop that keeps the bots playing: starts matches that wait, and has new ones made while there is room."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable
from typing import Final

import structlog

from arena.core.errors import UnavailableError
from arena.core.match import MatchState
from arena.core.pairing.dispatch import PendingMatch, startable
from arena.scheduling.bot_room import BotRoom
from arena.scheduling.recovery import Recovery
from arena.scheduling.turns import Supplier, Turns
from arena.store.database import Database
from arena.store.groups import GroupSecret
from arena.store.matches import MatchRow

MOST_MATCHES: Final = 1_000
"""Matches in play at once."""

LOOK_AGAIN_S: Final = 5.0
"""The scheduler looks again after this time even if nothing has changed."""

_log = structlog.get_logger(__name__)


class Scheduler:
    """Runs all ladders and tournaments of the arena, one look at a time."""

    def __init__(
        self, database: Database, room: BotRoom, recovery: Recovery, suppliers: tuple[Supplier, ...]
    ) -> None:
        """Nothing happens before `run`."""
        self._database = database
        self._room = room
        self._recovery = recovery
        self._turns = Turns(suppliers)
        self._woken = asyncio.Event()
        self._stopped = False

    def wake(self) -> None:
        """Something has changed: the scheduler looks again."""
        self._woken.set()

    def stop(self) -> None:
        """No match begins any more."""
        self._stopped = True

    async def run(self) -> None:
        """Looks whenever something has changed, for ever."""
        while not self._stopped:
            self._woken.clear()
            try:
                await self._look()
            except UnavailableError as error:
                _log.error("matchmaking must wait", why=error.sentence)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_AGAIN_S):
                    await self._woken.wait()

    async def _look(self) -> None:
        if await self._recovery.cancel_deserted(self._room.desk.plays):
            self._room.desk.bell.ring()
        rests = self._room.desk.rests
        for supplier in self._turns.suppliers:
            supplier.rest(rests)
        if rests:
            return
        await self._start()
        await self._turns.refresh()
        while not self._stopped and not self._room.desk.rests and await self._turns.take():
            await self._start()

    async def _start(self) -> None:
        """Every match that waits, and whose bots have room, begins."""
        unfinished = await self._database.read(lambda tx: tx.matches.unfinished())
        waiting = {
            match.id: match for match in self._room.pending(unfinished) if match.state is MatchState.PENDING
        }
        pending = [PendingMatch(match.id, match.bots) for match in waiting.values()]
        free = self._free(waiting.values())
        for match in startable(pending, free, slots=MOST_MATCHES - self._room.desk.running):
            secret = await self._secret_of(waiting[match].group)
            if secret is not None and not self._stopped:
                self._room.desk.seat(waiting[match], secret)

    async def _secret_of(self, group: int) -> GroupSecret | None:
        return await self._database.read(lambda tx: tx.groups.secret_of(group))

    def _free(self, matches: Iterable[MatchRow]) -> dict[str, int]:
        """How many more matches each bot takes; those that are away are left out."""
        return {
            bot: self._room.free(bot, match.game, match.rules_version)
            for match in matches
            for bot in match.bots
            if self._room.is_there(bot)
        }
