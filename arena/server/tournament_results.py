"""The results of a tournament up to now, and the standings that follow from them."""

from dataclasses import dataclass

from arena.core.pairing.formats.formats import format_of
from arena.core.pairing.formats.plan import Format, History
from arena.core.tournaments import (
    PLANNED_AT_ONCE,
    Crosstable,
    TournamentFormat,
    TournamentState,
    crosstable,
)
from arena.store.store import Transaction
from arena.store.tournaments.pairings import TournamentHistory
from arena.store.tournaments.tournaments import TournamentRow


@dataclass(frozen=True, slots=True)
class TournamentResults:
    """A tournament with its matches that have ended."""

    row: TournamentRow
    matches: TournamentHistory
    rounds: History | None
    """Its complete rounds; None: its plan was known as a whole before the first match."""

    @property
    def form(self) -> Format:
        """Its format."""
        return format_of(self.row.format, self.row.seats, self.row.parameters)

    def crosstable(self) -> Crosstable:
        """Return standings and crosstable. Many bots and matches take some seconds: call it on a thread.

        A format that plans round by round ranks by the complete rounds. A running gate may have none for long, so it
        ranks by score per pair.
        """
        gate_runs = (
            self.row.format is TournamentFormat.GATE and self.row.state is not TournamentState.FINISHED
        )
        ranking = None if self.rounds is None or gate_runs else self.form.ranking(self.rounds)
        return crosstable(self.row.bots, self.matches.played, self.matches.not_played, ranking)


def read_results(tx: Transaction, tournament: str) -> TournamentResults:
    """Read the results of a tournament. Raises NotFoundError (TOURNAMENT_NOT_FOUND)."""
    row = tx.tournaments.get(tournament)
    rounds = None if row.format in PLANNED_AT_ONCE else tx.rounds.history(row)
    return TournamentResults(row, tx.pairings.history(tournament), rounds)
