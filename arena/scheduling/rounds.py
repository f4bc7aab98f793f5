"""The next round of a tournament that is planned round by round: planned once all of the newest has ended.

A round follows from what is stored and nothing else, so a crash at any moment changes none: what was not stored is
planned again, and equal.
"""

import asyncio
from collections.abc import Callable

import structlog

from arena.core.pairing.formats.gate import Gate
from arena.core.pairing.formats.parameters import FormatParameters
from arena.core.pairing.formats.plan import Format, History, NextRound
from arena.core.sequential.sprt import Verdict
from arena.core.tournaments import PLANNED_AT_ONCE, TournamentFormat, TournamentState
from arena.scheduling.gates import end_gate
from arena.scheduling.wall_clock import now_us
from arena.store.database import Database
from arena.store.store import Transaction
from arena.store.tournaments.tournaments import TournamentRow

FormatOf = Callable[[TournamentFormat, int, FormatParameters], Format]
"""Returns a format by its kind, the seats of a match and its parameters."""

_log = structlog.get_logger(__name__)


class RoundPlanning:
    """Plans the rounds of all tournaments."""

    def __init__(self, database: Database, format_of: FormatOf) -> None:
        self._database = database
        self._format_of = format_of

    async def plan_next(self, row: TournamentRow) -> bool:
        """Plan the next round if the newest is complete, or finish the tournament. Return whether its plan has changed.

        A round of many bots takes a while, so it is planned in a thread of its own and stored only if nothing that
        decides it has changed meanwhile. Raises UnavailableError: STORAGE.
        """
        if row.format in PLANNED_AT_ONCE or row.state is not TournamentState.RUNNING:
            return False
        history = await self._database.read(lambda tx: _complete_history(tx, row))
        if history is None:
            return False
        format_ = self._format_of(row.format, row.seats, row.parameters)
        planned = await asyncio.to_thread(format_.next_round, history)
        is_over = not planned.pairings
        verdict = await asyncio.to_thread(_verdict, format_, history) if is_over else None
        stored = await self._database.write(lambda tx: _store(tx, row, history, planned, verdict))
        if stored:
            _log.info(
                "round planned" if planned.pairings else "tournament over",
                tournament=row.id,
                round=row.current_round + bool(planned.pairings),
                pairings=len(planned.pairings),
                byes=planned.byes,
            )
        return stored


def _complete_history(tx: Transaction, row: TournamentRow) -> History | None:
    """Return what decides the next round; None if a pairing has not ended."""
    return None if tx.pairings.any_open(row.id) else tx.rounds.history(row)


def _verdict(format_: Format, history: History) -> Verdict | None:
    """Return the verdict of a gate; None for other formats."""
    return format_.test(history).verdict if isinstance(format_, Gate) else None


def _store(
    tx: Transaction, row: TournamentRow, history: History, planned: NextRound, verdict: Verdict | None
) -> bool:
    """Store the round unless something that decides it has changed. Return whether it was stored."""
    newest = history.rounds[-1] if history.rounds else None
    if tx.tournaments.find(row.id) != row or tx.rounds.newest(row) != newest:
        return False
    now = now_us()
    tx.rounds.add(row, planned, now)
    if verdict is not None:
        end_gate(tx, row, verdict, now)
    return True
