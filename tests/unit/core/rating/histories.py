"""Matches and whole histories of match groups for the tests of ratings."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st

from arena.core.endings.results import placings
from arena.core.finished_match import FinishedMatch
from arena.core.rating.rating import PRIOR_INFORMATION, Rating

BOTS = ("ant", "bee", "cat", "dog", "elk", "fox")


def a_rating(points: float = 1500, *, version: str = "1", version_matches: int = 30) -> Rating:
    return Rating(round(points * 1000), PRIOR_INFORMATION, version, version_matches)


def a_match(
    match: int, *bots: str, placed: Sequence[int] | None = None, forfeited: str = ""
) -> FinishedMatch:
    """Return a match of bots by seat, placed in this order by default; `forfeited`: bots, separated by spaces."""
    gone = forfeited.split()
    given = placed or range(1, len(bots) + 1)
    final = placings(given, [bot not in gone for bot in bots])
    forfeits = tuple(bot in gone for bot in bots)
    return FinishedMatch(bots, final, forfeits, match=match, versions=("1",) * len(bots))


def in_version(match: FinishedMatch, version: str) -> FinishedMatch:
    """Return the match as played by these versions of all its bots."""
    return replace(match, versions=(version,) * len(match.bots))


@st.composite
def groups(draw: st.DrawFn) -> tuple[FinishedMatch, ...]:
    """Draw the matches of one group: 2 to 6 bots, ties, forfeits, voids left out, versions that change."""
    bots = draw(st.permutations(BOTS))[: draw(st.integers(2, 6))]
    return tuple(
        _drawn_match(draw, number, bots[number:] + bots[:number])
        for number in range(draw(st.integers(1, len(bots))))
    )


def _drawn_match(draw: st.DrawFn, number: int, bots: Sequence[str]) -> FinishedMatch:
    count = len(bots)
    scores = draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
    by_rules = [1 + sum(other > score for other in scores) for score in scores]
    standing = draw(st.lists(st.sampled_from([True, True, True, False]), min_size=count, max_size=count))
    versions = draw(st.lists(st.sampled_from("112"), min_size=count, max_size=count))
    final = placings(by_rules, standing)
    forfeits = tuple(not up for up in standing)
    return FinishedMatch(tuple(bots), final, forfeits, match=number, versions=tuple(versions))
