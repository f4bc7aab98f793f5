"""Tournaments: the matches of the plan are made in its order, as the bots have room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import structlog

from arena.scheduling.bot_room import BotRoom
from arena.scheduling.planned import planned_matches
from arena.scheduling.turns import MADE, NOTHING, Turn
from arena.scheduling.wall_time import now_us
from arena.store.database import Database
from arena.store.groups import MatchTerms
from arena.store.matches import MatchRow
from arena.store.pairings import PairingRow
from arena.store.store import Transaction
from arena.store.tournaments import TournamentRow

MOST_DESERTED: Final = 64
"""Matches that wait at once for bots that are away, when nothing else is left to play."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Look:
    """A tournament at one moment."""

    row: TournamentRow
    unmade: Sequence[PairingRow]
    """In the order of the plan."""
    unfinished: tuple[MatchRow, ...]
    """The matches of the whole arena that have not ended."""

    @property
    def own(self) -> tuple[MatchRow, ...]:
        """Those of the tournament."""
        return tuple(match for match in self.unfinished if match.tournament == self.row.id)


class Tournaments:
    """Makes the matches of all running tournaments."""

    def __init__(self, database: Database, room: BotRoom) -> None:
        """`room`: of all bots."""
        self._database = database
        self._room = room
        self._resting = ""
        self._waiting_for: dict[str, str] = {}
        self._unmade: dict[str, list[PairingRow]] = {}
        """What is still to be made of each running tournament: read once, then kept up to date."""

    def waiting_for(self, tournament: str) -> str:
        """Why no match of a running tournament began at the last look; empty if all is well."""
        return self._resting or self._waiting_for.get(tournament, "")

    # What the scheduler asks (arena.scheduling.turns.Supplier)

    async def running(self) -> tuple[str, ...]:
        """The tournaments that are running, by id."""
        rows = await self._database.read(lambda tx: tx.tournaments.running())
        names = tuple(row.id for row in rows)
        self._unmade = {name: unmade for name, unmade in self._unmade.items() if name in names}
        self._waiting_for = {name: why for name, why in self._waiting_for.items() if name in names}
        return names

    def rest(self, why: str) -> None:
        """No match is made for the time being; empty: they are made again."""
        self._resting = why

    async def make(self, name: str, *, first: bool, held: frozenset[str]) -> Turn:
        """The matches of the next pairing that can be played.

        If it is first and all its bots are full, those of its next pairing at all, which then wait for their bots; at
        most one pairing waits so.
        """
        look = await self._look(name)
        pairings, self._waiting_for[name] = self._choose(look, first=first, held=held)
        if pairings:
            await self._make(look.row, pairings)
            return MADE
        return NOTHING

    async def _look(self, name: str) -> _Look:
        known = self._unmade.get(name)

        def question(tx: Transaction) -> _Look:
            unmade = tx.pairings.unmade(name) if known is None else known
            return _Look(tx.tournaments.get(name), unmade, tx.matches.unfinished())

        look = await self._database.read(question)
        self._unmade[name] = list(look.unmade)
        return look

    def _choose(self, look: _Look, *, first: bool, held: frozenset[str]) -> tuple[Sequence[PairingRow], str]:
        """The pairings whose matches are made now, and what the tournament waits for otherwise."""
        own, missing = look.own, self._room.who_is_missing(look.own)
        free = self._free(look)
        fitting = (each for each in look.unmade if all(free[b] > 0 and b not in held for b in each.bots))
        if (pairing := next(fitting, None)) is not None:
            return [pairing], missing
        playable = [each for each in look.unmade if self._would_play(look.row, each)]
        if first and playable and not self._room.pending(own):
            return playable[:1], missing
        if playable or own:
            return [], missing
        if not any(self._room.is_there(bot) for bot in look.row.bots):
            return [], "none of its bots is connected"
        deserted = [each for each in look.unmade if not all(map(self._room.is_there, each.bots))]
        return deserted[: MOST_DESERTED // look.row.seats], missing or _why_none(look)

    def _free(self, look: _Look) -> dict[str, int]:
        """The room of each bot, less what is kept for matches that wait for it."""
        row, kept = look.row, self._room.kept(look.unfinished)
        return {bot: self._room.free(bot, row.game, row.rules_version) - kept[bot] for bot in row.bots}

    def _would_play(self, row: TournamentRow, pairing: PairingRow) -> bool:
        return all(self._room.would_take(bot, row.game, row.rules_version) for bot in pairing.bots)

    async def _make(self, row: TournamentRow, pairings: Sequence[PairingRow]) -> None:
        terms = MatchTerms(
            game=row.game,
            rules_version=row.rules_version,
            options=row.options,
            time_control=row.time_control,
            rated=False,
            tournament=row.id,
        )

        def change(tx: Transaction) -> list[tuple[int, ...]]:
            return [
                tx.groups.add_matches(
                    each.group,
                    terms,
                    planned_matches(row.secret, each.group, each.bots, row.seed_policy),
                    now_us(),
                )
                for each in pairings
            ]

        matches = await self._database.write(change)
        done = {each.number for each in pairings}
        self._unmade[row.id] = [each for each in self._unmade[row.id] if each.number not in done]
        for pairing, ids in zip(pairings, matches, strict=True):
            _log.info(
                "pairing begins", tournament=row.id, number=pairing.number, bots=pairing.bots, matches=ids
            )


def _why_none(look: _Look) -> str:
    """Why a tournament with bots that are there has no match to make."""
    if look.unmade:
        return "its bots ask for no matches, or do not play its game by these rules"
    return "void matches that are left to the organiser: arena match list shows them with --state aborted"
