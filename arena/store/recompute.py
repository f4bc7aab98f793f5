"""Whether the ratings in force are those that the rating ledger gives (docs/ratings.md)."""

from __future__ import annotations

from dataclasses import dataclass

from arena.core.rating.ledger import replay
from arena.core.rating.rating import INITIAL
from arena.store.store import Transaction


@dataclass(frozen=True, slots=True)
class Difference:
    """A bot whose rating in force is not the one recomputed."""

    bot: str
    stored_milli: int
    recomputed_milli: int


@dataclass(frozen=True, slots=True)
class Recomputed:
    """What replaying a ladder's ledger gave."""

    entries: int
    """Entries replayed."""
    differing: tuple[int, ...]
    """The seq of each entry whose recorded changes are not those computed again."""
    differences: tuple[Difference, ...]
    """By bot; a difference may be in the rating's uncertainty or version alone."""

    @property
    def identical(self) -> bool:
        """Whether everything came out the same to the last bit."""
        return not (self.differing or self.differences)


def recompute(tx: Transaction, ladder: str) -> Recomputed:
    """Replays the ladder's ledger from its beginning; nothing is changed. Raises DataLossError (STORAGE)."""
    replayed = replay(tx.ledger.all(ladder))
    differences = tuple(
        Difference(entry.bot, entry.rating_milli, again.rating_milli)
        for entry in tx.entries.all(ladder)
        if (again := replayed.ratings.get(entry.bot, INITIAL)) != entry.rating
    )
    return Recomputed(replayed.entries, replayed.differing, differences)
