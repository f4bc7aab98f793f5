"""What bots have traded with each other, summed up over matches: counted, not weighed, as no rule says what is fair."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


def summed(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Return the sums, in alphabetical order."""
    sums: Counter[str] = Counter()
    for each in parts:
        sums.update(each)
    return dict(sorted(sums.items()))


@dataclass(frozen=True, slots=True)
class TradeTotals:
    """The trades of two bots, in one match or in several. Amounts are by the words of the game's notation."""

    one: str
    other: str
    """By name, the later of the two."""
    matches: tuple[int, ...]
    """In which one has made the other an offer, ascending."""
    offers: int
    """Offers of either side that were answered."""
    accepted: int
    one_gave: Mapping[str, int]
    other_gave: Mapping[str, int]
    one_gifts: int
    """How often it gave and got nothing for it."""
    other_gifts: int

    @property
    def rank(self) -> tuple[object, ...]:
        """Sort key: more gifts, and to one side, first."""
        uneven, gifts = abs(self.one_gifts - self.other_gifts), self.one_gifts + self.other_gifts
        return -uneven, -gifts, -self.accepted, -self.offers, self.one, self.other


def summed_up(dealings: Iterable[TradeTotals]) -> tuple[TradeTotals, ...]:
    """Return one for each two bots, by `rank`; the given order does not matter."""
    pairs: dict[tuple[str, str], list[TradeTotals]] = defaultdict(list)
    for each in dealings:
        pairs[each.one, each.other].append(each)
    return tuple(sorted(map(_summed, pairs.values()), key=lambda each: each.rank))


def _summed(same_two: Sequence[TradeTotals]) -> TradeTotals:
    return TradeTotals(
        same_two[0].one,
        same_two[0].other,
        tuple(sorted({match for each in same_two for match in each.matches})),
        sum(each.offers for each in same_two),
        sum(each.accepted for each in same_two),
        summed(each.one_gave for each in same_two),
        summed(each.other_gave for each in same_two),
        sum(each.one_gifts for each in same_two),
        sum(each.other_gifts for each in same_two),
    )
