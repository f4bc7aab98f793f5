"""Groups chosen one after the other from one look are those that a new look before each would give."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from math import isqrt

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.pairing.matchmaker import Candidate, Matchmaker, PairingRules
from arena.core.rating.expected_score import MILLIONTHS, expected_score
from engine.randomness import Stream
from tests.unit.core.pairing.test_matchmaker import a_stream, chosen

BOTS = 9

candidates = st.builds(
    Candidate,
    bot=st.just(""),
    owner=st.sampled_from("pqrst"),
    rating_milli=st.integers(500_000, 2_500_000),
    uncertainty_milli=st.sampled_from((60_000, 150_000, 686_000)),
    waited=st.integers(0, 3 * BOTS),
    free=st.integers(-1, 4),
    running_groups=st.integers(0, 3),
    willing=st.booleans(),
)

fields = st.lists(candidates, min_size=2, max_size=BOTS).map(
    lambda found: [
        replace(each, bot=f"b{number}", willing=each.willing or each.free > 0)
        for number, each in enumerate(found)
    ]
)


def after(before: Sequence[Candidate], group: Sequence[str]) -> list[Candidate]:
    """Return the candidates once the group is made and its matches wait."""
    return [
        replace(each, waited=0, free=each.free - len(group), running_groups=each.running_groups + 1)
        if each.bot in group
        else replace(each, waited=each.waited + 1)
        for each in before
    ]


@settings(max_examples=60, deadline=None)
@given(found=fields, same_owner=st.booleans(), number=st.integers(0, 99), held=st.sets(st.just("b0")))
def test_one_look_gives_the_groups_of_many(
    found: list[Candidate], same_owner: bool, number: int, held: set[str]
) -> None:
    rules = PairingRules((2, 3), same_owner)
    field, recent = Matchmaker(found, (), rules), list[tuple[str, ...]]()
    for step in range(4):
        seen = [replace(each, free=0) if each.bot in held else each for each in found]
        group = field.choose_group(a_stream(number + step), held)
        assert group == chosen(seen, rules, recent, number=number + step)
        if group is None:
            break
        field.made(group, matches=len(group))
        found, recent = after(found, group), [group, *recent]


def drawn_as_documented(free: Sequence[Candidate], stream: Stream) -> tuple[str, str]:
    """Two bots by the words of docs/matchmaking.md, which nobody overdue, no group before and equals leave out."""
    ordered = sorted(free, key=lambda each: each.bot)
    needs = [
        Fraction(each.uncertainty_milli * (1 + each.waited), 1 + each.running_groups) for each in ordered
    ]
    neediest = [each for each, need in zip(ordered, needs, strict=True) if need == max(needs)]
    anchor = neediest[stream.uniform(len(neediest))]
    others = [each for each in ordered if each is not anchor]
    weights = []
    for each in others:
        doubt = isqrt(each.uncertainty_milli**2 + anchor.uncertainty_milli**2)
        expected = expected_score(max(0, abs(each.rating_milli - anchor.rating_milli) - doubt))
        closeness = expected * (MILLIONTHS - expected) // MILLIONTHS
        weights.append(1 + closeness * (1 + min(each.waited, 7)) // (1 + each.running_groups))
    ticket = stream.uniform(sum(weights))
    opponent = next(each for each, end in zip(others, accumulate(weights), strict=True) if ticket < end)
    return anchor.bot, opponent.bot


@settings(max_examples=60, deadline=None)
@given(found=fields, number=st.integers(0, 99))
def test_a_pair_is_drawn_as_the_page_on_matchmaking_says(found: list[Candidate], number: int) -> None:
    free = [replace(each, free=1, willing=True, waited=each.waited % len(found)) for each in found]
    assert chosen(free, number=number) == drawn_as_documented(free, a_stream(number))
