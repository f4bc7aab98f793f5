"""The match groups of the benchmark of luck, played by the rules of every game."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from arena.core.match import SeedPolicy
from benchmarks.luck import Plan, advantage_lines, spread_lines
from benchmarks.luck_groups import PERMILLE, SENSIBLE, Group, Series, play_groups, program_of
from engine.registry import GAMES


def a_group(game: str, slips: int, policy: SeedPolicy, *, program: str = "greedy") -> Group:
    """Return the first group of two bots."""
    series = Series(game, program, {"one": 0, "two": slips}, policy, bytes(32))
    return play_groups(series, range(1))[0]


@pytest.mark.parametrize("game", GAMES)
def test_bots_that_never_slip_play_the_same_match_twice_on_a_shared_seed(game: str) -> None:
    """The program draws nothing itself, so places change and luck cancels to the last placing."""
    one, two = a_group(game, 0, SeedPolicy.SHARED)
    assert one.bots == two.bots[::-1]
    assert (one.placings, one.first) == (two.placings, two.first)


@pytest.mark.parametrize("game", GAMES)
def test_a_bot_that_only_slips_loses_and_a_group_is_the_same_each_time(game: str) -> None:
    group = a_group(game, PERMILLE, SeedPolicy.DERIVED)
    assert group == a_group(game, PERMILLE, SeedPolicy.DERIVED)
    assert [match.against("one", "two") for match in group] == [1.0, 1.0]


def test_a_game_without_a_sample_bot_is_played_by_its_own_sensible_play() -> None:
    assert {program_of(game) for game in GAMES} == {"greedy"}
    assert program_of("nothing") == SENSIBLE
    assert len(a_group("caravanserai", 0, SeedPolicy.DERIVED, program=SENSIBLE)) == 2


def test_the_lines_name_every_place_and_both_kinds_of_seeds() -> None:
    plan = Plan("caravanserai", SENSIBLE, 3, 2, bytes(32), ThreadPoolExecutor(1))
    advantages, spreads = list(advantage_lines(plan, 50)), list(spread_lines(plan, 50))
    assert [line.count("±") for line in advantages] == [3, 3, 3]
    assert "groups with own seeds" in spreads[-1]
    assert spreads[-1].startswith("  50 Elo ")
