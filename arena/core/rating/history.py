"""The rating history of a bot: a point for each entry of the ledger that changed its rating."""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.core.rating.rating import uncertainty_milli


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A rating after an entry of the ledger."""

    rating_milli: int
    """Thousandths of a point."""
    information: int
    """As in `Rating`."""
    version: str
    """The version that played the last match of the group; in a VOID the version of the rating."""
    matches: int
    """Rated matches so far, those of groups that were taken back left out."""
    group: int | None
    """The match group that was rated, or taken back; None: no match changed the rating."""
    match: int | None
    """The last match of the group that was rated; None without a group."""
    at_us: int
    """When the entry was stored, microseconds since 1970 UTC."""
    taken_back: bool
    """Whether the entry is a VOID."""
    closed_season: int = 0
    """The season that was closed here, which pulled the rating to the mean; 0: none."""
    anchored: bool = False
    """Whether the rating was fixed here."""
    released: bool = False
    """Whether an anchor began to be rated here."""

    @property
    def uncertainty_milli(self) -> int:
        """Half the width of the rating's 95 % interval in thousandths of a point."""
        return uncertainty_milli(self.information)


def thinned(points: Sequence[RatingPoint], most: int) -> tuple[RatingPoint, ...]:
    """Return at most `most` points (1 or more), evenly chosen, in their order.

    The first, the last, the first of each version, and those without a match group are always among them, or if these
    alone are too many, evenly chosen ones of them with the first and the last. If `most` is 1, it is the last.
    """
    if len(points) <= most:
        return tuple(points)
    marks = (place for place, point in enumerate(points) if point.group is None)
    kept = sorted({0, len(points) - 1, *_first_of_versions(points), *marks})
    if len(kept) > most:
        chosen = {kept[place] for place in _evenly(len(kept), most)}
    else:  # two of the even places, the first and the last, are kept already
        chosen = {*kept, *_evenly(len(points), most - len(kept) + 2)}
    return tuple(points[place] for place in sorted(chosen))


def _first_of_versions(points: Sequence[RatingPoint]) -> Sequence[int]:
    """Return the places at which a version appears for the first time."""
    first: dict[str, int] = {}
    for place, point in enumerate(points):
        first.setdefault(point.version, place)
    return tuple(first.values())


def _evenly(count: int, most: int) -> set[int]:
    """Return so many of the places below `count`, the last among them, the first, too, if there are two."""
    steps = max(most - 1, 1)
    return {(count - 1) * step // steps for step in range(steps, steps - most, -1)}
