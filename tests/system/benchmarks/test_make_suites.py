"""How the set-ups of the suites that come with the games are chosen."""

from contextlib import suppress
from hashlib import sha256
from statistics import fmean

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arena.cli.suites import suite_named
from arena.core.suites import parse_suite
from benchmarks.make_suites import (
    CANDIDATES,
    SEED,
    TOLERANCE,
    SetUp,
    advantage_of,
    mirrored_pairs,
    played,
    shrunk,
    suite_text,
)
from engine.registry import GAMES

advantages = st.lists(st.floats(-0.5, 0.5), min_size=2, max_size=60)


@given(advantages)
def test_the_advantages_of_a_pair_cancel_and_no_set_up_is_in_two(values: list[float]) -> None:
    pairs: list[tuple[int, int]] = []
    with suppress(ValueError):
        for wanted in range(len(values) // 2 + 1):
            pairs = list(mirrored_pairs(values, wanted))
    places = [place for pair in pairs for place in pair]
    assert len(places) == len(set(places))
    assert all(abs(values[one] + values[two]) <= TOLERANCE for one, two in pairs)


@given(st.lists(st.floats(0.05, 0.5), min_size=1, max_size=20))
def test_every_set_up_with_a_mirrored_one_gets_a_pair(values: list[float]) -> None:
    mirrored = [*values, *(-value for value in values)]
    assert len(list(mirrored_pairs(mirrored, len(values)))) == len(values)


def test_too_few_pairs_are_no_suite() -> None:
    with pytest.raises(ValueError, match="only 1 pairs of 3"):
        list(mirrored_pairs([0.3, -0.3, 0.2], 2))


@given(st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=4, max_size=4), min_size=3, max_size=9))
def test_shrunk_advantages_have_the_same_mean_and_order_and_less_spread(scores: list[list[float]]) -> None:
    set_ups = [SetUp(bytes([number] * 32), tuple(each)) for number, each in enumerate(scores)]
    raw = [each.advantage for each in set_ups]
    assume(max(raw) > min(raw))
    pulled = shrunk(set_ups)
    assert fmean(pulled) == pytest.approx(fmean(raw))
    assert advantage_of(set_ups).value == pytest.approx(fmean(raw))
    assert all(
        abs(one - fmean(raw)) <= abs(two - fmean(raw)) + 1e-9 for one, two in zip(pulled, raw, strict=True)
    )


def test_playouts_that_agree_are_believed_whole() -> None:
    """Without any spread within a set-up, all spread is of the set-ups."""
    set_ups = [SetUp(bytes(32), (1.0, 1.0)), SetUp(bytes(32), (0.0, 0.0)), SetUp(bytes(32), (0.5, 0.5))]
    assert shrunk(set_ups) == pytest.approx([0.5, -0.5, 0.0])


def test_a_spread_that_playouts_explain_is_not_believed() -> None:
    set_ups = [SetUp(bytes(32), (1.0, 0.0, 1.0)), SetUp(bytes(32), (0.0, 1.0, 0.0))]
    assert shrunk(set_ups) == pytest.approx([0.0, 0.0])


@pytest.mark.parametrize("game", GAMES)
def test_playouts_of_a_set_up_are_the_same_each_time(game: str) -> None:
    seed = sha256(game.encode()).digest()
    first = played(game, seed, "choice", 8)
    assert first == played(game, seed, "choice", 8)
    assert set(first.scores) <= {0.0, 0.5, 1.0}


@pytest.mark.parametrize("game", GAMES)
def test_the_suite_of_a_game_is_made_of_the_published_candidates(game: str) -> None:
    suite = suite_named(f"{game}-2")
    seeds = [each.seed for each in suite.entries]
    candidates = {sha256(f"{game}/2/{number}/".encode() + SEED).digest() for number in range(CANDIDATES)}
    assert set(seeds) <= candidates
    assert parse_suite(suite.name, suite_text(game, seeds)) == suite
