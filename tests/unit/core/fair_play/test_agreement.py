"""Copies stand out; different bots, and bots that play at random, do not."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.fair_play.agreement import Agreement, agreements
from arena.core.fair_play.choice import Choice, Likeness
from arena.core.fair_play.finding import Weight, weight_of
from tests.unit.core.fair_play.leagues import a_league, dice, taste

POLICIES = {
    "ash": taste("ash"),
    "copy": taste("ash"),
    "near": taste("ash", slips=0.1),
    "elm": taste("elm"),
    "fir": taste("fir"),
    "dice-a": dice,
    "dice-b": dice,
}
FAMILY = {"ash", "copy", "near"}


def judged(choices: list[Choice]) -> dict[tuple[str, str], Agreement]:
    """By pair, with the choices as those of same legal actions."""
    return {(each.one, each.other): each for each in agreements({Likeness.ACTIONS: choices})}


def worth(found: dict[tuple[str, str], Agreement]) -> set[tuple[str, str]]:
    return {pair for pair, each in found.items() if weight_of(each, same_owner=False) is Weight.WORTH_A_LOOK}


@pytest.mark.parametrize("seed", range(3))
def test_copies_and_near_copies_stand_out_and_nobody_else_does(seed: int) -> None:
    found = judged(a_league(POLICIES, seed))
    assert worth(found) == {pair for pair in found if set(pair) <= FAMILY}


def test_a_copy_is_as_like_its_original_as_that_is_like_itself_slips_or_not() -> None:
    found = judged(a_league(POLICIES, 1))
    for pair in (("ash", "copy"), ("ash", "near"), ("copy", "near")):
        overlap = found[pair].overlap
        assert overlap == pytest.approx(1, abs=0.1)
    assert found["ash", "near"].agreement < found["ash", "copy"].agreement == 1


def test_what_is_expected_is_at_least_what_random_answers_give() -> None:
    found = judged(a_league(POLICIES, 1))
    each = found["dice-a", "dice-b"]
    mean = sum(1 / (2 + n % 7) for n in range(200)) / 200
    assert each.agreement == pytest.approx(mean, abs=0.03)
    assert each.expected >= mean - 0.02
    assert each.overlap is None  # they cannot be told by their choices, not even from themselves
    assert each.chance is not None
    assert each.chance > 0.05


def test_the_order_of_choices_and_the_names_of_bots_change_nothing() -> None:
    choices = a_league(POLICIES, 2)
    shuffled = list(choices)
    Random(5).shuffle(shuffled)
    assert agreements({Likeness.ACTIONS: shuffled}) == agreements({Likeness.ACTIONS: choices})
    new = {bot: f"x{10 - place}" for place, bot in enumerate(POLICIES)}
    renamed = judged([replace(choice, bot=new[choice.bot]) for choice in choices])
    for (one, other), each in judged(choices).items():
        a, b = sorted((new[one], new[other]))
        again = renamed[a, b]
        assert (again.situations, again.groups, again.matches) == (each.situations, each.groups, each.matches)
        assert again.agreement == pytest.approx(each.agreement)
        assert again.overlap == pytest.approx(each.overlap, nan_ok=True) or again.overlap is each.overlap
        assert again.adjusted == pytest.approx(each.adjusted)


def test_under_the_null_small_chances_are_as_rare_as_they_say() -> None:
    """Bots that play at random: what is looked at is as often below a chance as the chance says, or more rarely."""
    chances = [
        each.chance
        for seed in range(40)
        for each in judged(a_league(dict.fromkeys("abcdef", dice), seed, groups=3)).values()
    ]
    told = [chance for chance in chances if chance is not None]
    assert len(told) == 40 * 15
    for level, most in ((0.01, 0.02), (0.05, 0.075), (0.2, 0.25)):
        assert sum(chance <= level for chance in told) / len(told) <= most
    assert min(told) < 0.2  # nor is everything called likely


def test_few_match_groups_are_not_enough_to_say() -> None:
    found = judged(a_league({bot: POLICIES[bot] for bot in ("ash", "copy", "elm")}, 1, groups=2))
    each = found["ash", "copy"]
    assert each.chance is None
    assert each.adjusted is None
    assert weight_of(each, same_owner=False) is Weight.NOT_ENOUGH


def test_of_two_bots_alone_nothing_is_said_where_one_action_is_often_plainly_best() -> None:
    """They agree as copies do; only other bots show that everybody does."""
    alone = {"ash": taste("ash", sound=0.9), "elm": taste("elm", sound=0.9)}
    [each] = judged(a_league(alone, 1, groups=12)).values()
    assert each.agreement > 0.9
    assert weight_of(each, same_owner=False) is Weight.NOT_ENOUGH
    among_others = alone | {"fir": taste("fir", sound=0.9)}
    assert not worth(judged(a_league(among_others, 1, groups=12)))


def test_choices_within_one_match_are_not_compared() -> None:
    choices = [Choice(bot, 1, 1, "here", "this", 0.5) for bot in ("ash", "copy")]
    assert agreements({Likeness.POSITION: choices}) == ()


def test_the_matches_to_look_at_are_those_with_the_most_equal_answers() -> None:
    shared = [("ash", 1), ("copy", 2)]
    choices = [Choice(bot, match, match, n, "same", 0.5) for bot, match in shared for n in range(5)]
    choices += [Choice("ash", 3, 3, n, "other", 0.5) for n in range(5)]
    [each] = agreements({Likeness.POSITION: choices})
    assert each.matches == (1, 2)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.integers(1, 6), st.integers(0, 3), st.integers(0, 2)),
        max_size=60,
    )
)
def test_whatever_was_chosen_shares_stay_shares(rows: list[tuple[str, int, int, int]]) -> None:
    choices = [Choice(bot, match, match // 2, what, answer, 0.5) for bot, match, what, answer in rows]
    for likeness in Likeness:
        for each in agreements({likeness: choices}):
            assert each.one < each.other
            assert 0 <= each.low <= each.agreement + 1e-9
            assert each.agreement <= each.high + 1e-9 <= 1 + 2e-9
            assert 0 <= each.expected <= 1
            assert each.chance is None or 0 < each.chance <= 1
