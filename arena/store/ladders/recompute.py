"""Checks that ratings follow from the ledger, and solo scores from the matches (docs/ratings.md)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from arena.core.errors import DataLossError, ErrorReason
from arena.core.rating.ledger import replay
from arena.core.rating.rating import INITIAL, Rating
from arena.core.seasons import read_document
from arena.core.solo.boards import SoloTotals
from arena.core.solo.standings import SoloScore, solo_scores
from arena.store.store import Transaction


@dataclass(frozen=True, slots=True)
class Difference:
    """A bot whose rating in force or at the end of a season, or adjusted score, is not the one recomputed.

    In thousandths.
    """

    bot: str
    stored_milli: int
    recomputed_milli: int


@dataclass(frozen=True, slots=True)
class Recomputed:
    """What replaying a ladder's ledger gave, or counting the boards of a solo ladder again."""

    entries: int
    """Entries replayed, or boards counted."""
    differing: tuple[int, ...]
    """The seq of each entry whose recorded changes are not those computed again."""
    differences: tuple[Difference, ...]
    """By bot; a difference may be in the rating's uncertainty or version, or in the sums behind a score, alone."""

    @property
    def identical(self) -> bool:
        """Whether everything came out the same to the last bit."""
        return not (self.differing or self.differences)


def recompute(tx: Transaction, ladder: str) -> Recomputed:
    """Replay the ladder's ledger from its beginning, or count its boards again; nothing is changed.

    Raises NotFoundError (LADDER_NOT_FOUND), DataLossError (STORAGE).
    """
    if tx.ladders.get(ladder).solo:
        return _recounted(tx, ladder)
    replayed = replay(tx.ledger.all(ladder), tx.ledger.taken_back(ladder))
    differences = [
        Difference(entry.bot, entry.rating_milli, again.rating_milli)
        for entry in tx.entries.all(ladder)
        if (again := replayed.ratings.get(entry.bot, INITIAL)) != entry.rating
        or entry.anchor != (entry.bot in replayed.anchors)
    ]
    differences += _final_differences(tx, ladder, replayed.final_ratings)
    return Recomputed(replayed.entries, replayed.differing, tuple(differences))


def _final_differences(
    tx: Transaction, ladder: str, final: Mapping[int, Mapping[str, Rating]]
) -> Iterator[Difference]:
    """Yield the bots whose rating in the final standings of a season is not the one recomputed."""
    seasons = tx.seasons.all(ladder)
    if [season.number for season in seasons] != [*final]:
        raise DataLossError(
            ErrorReason.STORAGE,
            f"The rating ledger of the ladder {ladder} closes {len(final)} seasons, and the final standings of "
            f"{len(seasons)} are stored; restore the data folder from a backup.",
        )
    for season in seasons:
        for line in read_document(season.document).lines:
            again = final[season.number].get(line.bot, INITIAL)
            if (again.rating_milli, again.uncertainty_milli) != (line.value_milli, line.uncertainty_milli):
                yield Difference(line.bot, line.value_milli, again.rating_milli)


def _recounted(tx: Transaction, ladder: str) -> Recomputed:
    stored = {boards.players: boards for boards in tx.solo_boards.all(ladder)}
    counted: dict[tuple[str, ...], SoloTotals] = {}
    for board in tx.solo_boards.counted(ladder):
        known = counted.get(board.players)
        counted[board.players] = board if known is None else known.plus(board)
    differing = {
        player
        for players in stored.keys() | counted.keys()
        if stored.get(players) != counted.get(players)
        for player in players
    }
    before, again = solo_scores(stored.values()), solo_scores(counted.values())
    differences = (
        Difference(player.partition("/")[0], _score(before, player), _score(again, player))
        for player in sorted(differing)
    )
    return Recomputed(sum(boards.count for boards in counted.values()), (), tuple(differences))


def _score(scores: Mapping[str, SoloScore], player: str) -> int:
    return scores[player].adjusted_milli if player in scores else 0
