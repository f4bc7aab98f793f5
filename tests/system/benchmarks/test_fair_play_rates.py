"""A small league of sample bots: what the report says of it is what is known of it."""

from benchmarks.fair_play_league import CAST, play_league
from benchmarks.fair_play_rates import what_it_says


def test_of_real_bots_the_copy_is_worth_a_look_and_nobody_else() -> None:
    cast = {bot: CAST[bot] for bot in ("greedy", "twin", "hasty", "dice-a")}
    said = list(what_it_says(list(play_league("caravanserai", 0, 3, cast))))
    assert {truth for truth, worth in said if worth} == {"a copy"}
    assert said.count(("two different bots", False)) == 5
    assert said.count(("gives nothing", False)) == 12


def test_a_league_is_the_same_each_time() -> None:
    cast = {bot: CAST[bot] for bot in ("near-twin", "dice-a")}
    assert list(play_league("caravanserai", 1, 1, cast)) == list(play_league("caravanserai", 1, 1, cast))
