"""Who gives to whom: by forfeits, by results, at third bots' cost."""

from dataclasses import replace
from random import Random

import pytest

from arena.core.fair_play.favours import Favour, FavourKind, givings
from arena.core.finished_match import FinishedMatch
from tests.unit.core.fair_play.leagues import results

STRENGTHS = {"ash": 1.5, "bay": 0.5, "elm": 0.0, "fir": -0.5, "oak": -1.5}


def found(history: list[FinishedMatch]) -> dict[tuple[FavourKind, str, str], Favour]:
    return {(each.kind, each.giver, each.receiver): each for each in givings(history)}


def rare(history: list[FinishedMatch], level: float = 0.01) -> set[tuple[FavourKind, str, str]]:
    return {
        key for key, each in found(history).items() if each.adjusted is not None and each.adjusted <= level
    }


def forfeiting(
    history: list[FinishedMatch], giver: str, receiver: str, often: float = 1.0
) -> list[FinishedMatch]:
    """Return groups in which the giver forfeits against the receiver at this rate, and at times against others."""
    source = Random(3)
    changed = []
    for each in history:
        chance = often if receiver in each.bots else 0.05
        lost = tuple(bot == giver and source.random() < chance for bot in each.bots)
        changed.append(replace(each, forfeited=lost))
    return changed


def test_forfeits_against_one_bot_alone_are_found_in_that_direction() -> None:
    history = forfeiting(results(STRENGTHS, 3), "bay", "elm")
    assert rare(history) == {(FavourKind.FORFEITS, "bay", "elm")}
    each = found(history)[FavourKind.FORFEITS, "bay", "elm"]
    assert (each.groups, each.other_groups, each.observed) == (8, 24, 1)
    assert each.low < 0.8
    assert each.expected < 0.2
    assert all({"bay", "elm"} == set(history[match - 1].bots) for match in each.matches)


def test_forfeits_against_all_bots_are_not_found() -> None:
    history = [
        replace(each, forfeited=tuple(bot == "bay" for bot in each.bots)) for each in results(STRENGTHS, 3)
    ]
    assert rare(history) == set()


def test_a_strong_bot_that_always_loses_to_a_weak_one_is_reported() -> None:
    history = results(STRENGTHS, 2, groups=12, gives=("ash", "oak"))
    assert rare(history) == {(FavourKind.RESULTS, "ash", "oak")}
    each = found(history)[FavourKind.RESULTS, "ash", "oak"]
    assert each.observed == 0
    assert each.expected > 0.75


def test_matches_that_a_pair_gives_each_other_do_not_spoil_what_is_expected_of_it() -> None:
    honest = found(results(STRENGTHS, 2, groups=12))[FavourKind.RESULTS, "ash", "oak"]
    given = found(results(STRENGTHS, 2, groups=12, gives=("ash", "oak")))[FavourKind.RESULTS, "ash", "oak"]
    assert given.expected == pytest.approx(honest.expected, abs=0.1)


def test_two_that_are_placed_above_third_bots_only_when_both_are_there_stand_out() -> None:
    history = []
    for each in results(STRENGTHS, 4, groups=6, seats=3):
        if {"elm", "fir"} <= set(each.bots):
            [third] = [seat for seat, bot in enumerate(each.bots) if bot not in {"elm", "fir"}]
            placings = [1, 2, 2]
            placings[third] = 3
            placings[[seat for seat in range(3) if seat != third][1]] = 2
            each = replace(each, placings=tuple(placings))
        history.append(each)
    assert (FavourKind.THIRD_BOTS, "elm", "fir") in rare(history)
    told = found(history)[FavourKind.THIRD_BOTS, "elm", "fir"]
    assert told.low <= told.observed <= told.high
    assert told.observed > told.expected


@pytest.mark.parametrize("seats", [2, 3])
def test_honest_leagues_have_few_false_alarms(seats: int) -> None:
    alarms = sum(bool(rare(results(STRENGTHS, seed, groups=6, seats=seats))) for seed in range(20))
    assert alarms <= 1


def test_the_order_of_matches_and_the_names_of_bots_change_nothing() -> None:
    history = forfeiting(results(STRENGTHS, 2, gives=("ash", "oak")), "bay", "elm", 0.5)
    shuffled = list(history)
    Random(1).shuffle(shuffled)
    assert givings(shuffled) == givings(history)
    new = {bot: f"x{9 - place}" for place, bot in enumerate(STRENGTHS)}
    renamed = found([replace(each, bots=tuple(new[bot] for bot in each.bots)) for each in history])
    for (way, giver, receiver), each in found(history).items():
        again = renamed[way, new[giver], new[receiver]]
        assert again.observed == each.observed
        assert again.chance == pytest.approx(each.chance, rel=1e-6)


def test_few_match_groups_are_not_enough_to_say() -> None:
    every = givings(results(STRENGTHS, 1, groups=2))
    assert every
    assert all(each.chance is None and each.adjusted is None for each in every)
