"""Which matches compare a new version of a bot with an old one, so that they differ in nothing else.

A group is one set-up. The two meet each other on it, or each of them meets the same opponents on the same seats; either
way each of them plays every seat equally often, on the same seed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from arena.core.finished_match import FinishedMatch
from arena.core.pairing.groups import by_turns
from arena.core.rating.elo import pair_halves
from arena.core.sequential.sprt import GroupScore, Hypotheses, SequentialTest, Verdict

NEW: Final = 0
OLD: Final = 1
FIRST_OPPONENT: Final = 2
"""Entrants are numbers: the new bot, the old one, then the opponents in order."""

_SEED_LABEL: Final = b"arena-comparison-v1"


@dataclass(frozen=True, slots=True)
class ComparisonMatch:
    """One match of a comparison."""

    group: int
    """From 0."""
    place: int
    """In its group, from 0."""
    entrants: tuple[int, ...]
    """By seat."""


@dataclass(frozen=True, slots=True)
class ComparisonPlan:
    """Who plays in which group."""

    seats: int
    opponents: int = 0
    """The number of opponents; 0: the two bots meet each other."""

    @property
    def group_size(self) -> int:
        """The number of matches in a group."""
        return len(self._line_ups(0))

    def group(self, number: int) -> tuple[ComparisonMatch, ...]:
        """Return the matches of a group, those of both bots by turns."""
        return tuple(
            ComparisonMatch(number, place, line_up) for place, line_up in enumerate(self._line_ups(number))
        )

    def score(self, matches: Sequence[ComparisonMatch], played: Sequence[FinishedMatch]) -> GroupScore:
        """Return the score of a group whose matches were all played. Seats of `played` have different names."""
        new = old = most = 0
        for match, result in zip(matches, played, strict=True):
            seats = [*enumerate(match.entrants)]
            for seat, entrant in seats:
                if entrant not in (NEW, OLD):
                    continue
                others = [other for other, who in seats if who != entrant]
                halves = sum(pair_halves(result, result.bots[seat], result.bots[other]) for other in others)
                most += 2 * len(others)
                new, old = new + halves * (entrant == NEW), old + halves * (entrant == OLD)
        return GroupScore(new, old, most // 2)

    def _line_ups(self, number: int) -> tuple[tuple[int, ...], ...]:
        """Return the entrants by seat of each match of a group."""
        if self.opponents:
            first = number * (self.seats - 1)
            field = [FIRST_OPPONENT + (first + each) % self.opponents for each in range(self.seats - 1)]
            line_ups = [(bot, *field) for bot in (NEW, OLD)]
        else:
            line_ups = [tuple((seat + begins) % 2 for seat in range(self.seats)) for begins in (NEW, OLD)]
        return tuple(dict.fromkeys(by_turns(line_ups)))


def derived_seed(secret: bytes, group: int) -> bytes:
    """Return the seed of a group, SHA-256("arena-comparison-v1" || secret || group as 8 bytes, big-endian)."""
    return sha256(_SEED_LABEL + secret + group.to_bytes(8, "big")).digest()


class ComparisonTally:
    """The results so far. Groups count in their order, whatever the order in which their matches end.

    So the verdict does not depend on how many matches are played at once, or on which of them are short.
    """

    def __init__(self, plan: ComparisonPlan, hypotheses: Hypotheses, groups: int) -> None:
        """Begin without results. `groups`: at most so many are played."""
        self._plan = plan
        self._groups = groups
        self.test = SequentialTest(hypotheses, field=plan.opponents > 0)
        self._results: dict[int, dict[int, FinishedMatch]] = {}
        """By group and place, of groups that do not count yet."""
        self._counted = 0

    def add(self, match: ComparisonMatch, result: FinishedMatch) -> None:
        """Take the result of a match; `settle` counts it."""
        self._results.setdefault(match.group, {})[match.place] = result

    def has(self, match: ComparisonMatch) -> bool:
        """Return whether the result of a match is there."""
        return match.group < self._counted or match.place in self._results.get(match.group, {})

    def settle(self) -> None:
        """Count the groups that are complete, up to the first one that is not."""
        scores = []
        while len(results := self._results.get(self._counted, {})) == self._plan.group_size:
            matches = self._plan.group(self._counted)
            scores.append(self._plan.score(matches, [results[match.place] for match in matches]))
            del self._results[self._counted]
            self._counted += 1
        self.test.extend(scores)

    @property
    def over(self) -> bool:
        """Whether there is a verdict, or all groups were played."""
        return self.test.verdict is not Verdict.UNDECIDED or self._counted >= self._groups

    def left(self) -> Iterator[ComparisonMatch]:
        """Yield the matches that are not played yet, in order, until it is over."""
        for number in range(self._counted, self._groups):
            for match in self._plan.group(number):
                if self.over:
                    return
                if not self.has(match):
                    yield match
