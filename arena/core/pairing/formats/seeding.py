"""Seeds drawn from the tournament's secret instead of given by the order of entry."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.core.pairing.formats.plan import Format, History, NextRound, PlanSize
from arena.core.pairing.formats.progress import BotProgress, progress_of
from arena.core.pairing.formats.ties import BracketTie, ties_of
from arena.core.seeds import drawn_seeding


@dataclass(frozen=True, slots=True)
class DrawnSeeding:
    """A format whose entrants are in an order drawn from the secret (arena.core.seeds.drawn_seeding)."""

    form: Format

    def check(self, entrants: Sequence[str]) -> None:
        """Check that the format is possible; see Format."""
        self.form.check(entrants)

    def expected_size(self, entrants: int) -> PlanSize:
        """Return the size; see Format."""
        return self.form.expected_size(entrants)

    def next_round(self, history: History) -> NextRound:
        """Return the next round of the drawn entrants; see Format."""
        following = self.form.next_round(drawn(history))
        place = {bot: number for number, bot in enumerate(history.entrants)}
        return NextRound(
            tuple(
                replace(each, bots=tuple(sorted(each.bots, key=place.__getitem__)))
                for each in following.pairings
            ),
            tuple(sorted(following.byes, key=place.__getitem__)),
        )

    def ranking(self, history: History) -> tuple[tuple[str, ...], ...]:
        """Rank as the format does; see Format."""
        return self.form.ranking(drawn(history))

    def progress(self, history: History) -> dict[str, BotProgress]:
        """Return how far each entrant has come, if the format says so."""
        return progress_of(self.form, drawn(history))

    def ties(self, history: History) -> tuple[BracketTie, ...]:
        """Return the ties of the format, if it has brackets."""
        return ties_of(self.form, drawn(history))


def drawn(history: History) -> History:
    """Return the history with its entrants in the drawn order."""
    return replace(history, entrants=drawn_seeding(history.secret, history.entrants))
