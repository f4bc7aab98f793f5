"""Void matches are counted per bot, and far more of them than others have are conspicuous."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from arena.core.endings import arena_faults
from arena.core.match import MatchState
from arena.store.matches.results import MatchReport
from arena.store.matches.void_counts import VoidCount, is_conspicuous
from tests.unit.store.world import World, a_result


def test_every_bot_of_a_void_match_has_one_more_and_a_second_report_changes_nothing(world: World) -> None:
    world.populate("ant", "bee", "cat")
    first, second = world.pair("ant", "bee")
    world.pair("bee", "cat")
    report = MatchReport(first, a_result(0, 0, state=MatchState.ABORTED), None, "")
    for _ in range(2):
        world.store.write(lambda tx: tx.record_result(report, now_us=5))
    world.finish(second, 1, 2)
    counts = world.store.read(lambda tx: tx.void_counts.all())
    assert set(counts) == {VoidCount("ant", 1, 2, False), VoidCount("bee", 1, 4, False)}
    assert world.store.read(lambda tx: [tx.void_counts.of(bot) for bot in ("ant", "cat", "nobody")]) == [
        1,
        0,
        0,
    ]


def void(world: World, match: int) -> None:
    report = MatchReport(match, a_result(0, 0, state=MatchState.ABORTED), None, "")
    world.store.write(lambda tx: tx.record_result(report, now_us=5))


def test_a_bot_whose_matches_are_void_is_conspicuous_and_its_opponents_are_not(world: World) -> None:
    """In an arena of four, too, where everybody has met it and shares its void matches."""
    world.populate("ant", "bee", "cat", "dog")
    for pair in combinations(("ant", "bee", "cat", "dog"), 2):
        for match in world.pair(*pair):
            if "ant" in pair:
                void(world, match)
            else:
                world.finish(match, 1, 2)
    again = [world.pair(*pair) for pair in (("bee", "cat"), ("bee", "dog"), ("cat", "dog"))]
    void(world, again[0][0])
    counts = world.store.read(lambda tx: tx.void_counts.all())
    assert {count.bot: (count.voids, count.matches, count.conspicuous) for count in counts} == {
        "ant": (6, 6, True),
        "bee": (3, 10, False),
        "cat": (3, 10, False),
        "dog": (2, 10, False),
    }


@pytest.mark.parametrize(
    ("cause", "conspicuous"),
    [
        (arena_faults.killed("", "later", in_good_order=False), False),
        (arena_faults.shut_down(10), False),
        (arena_faults.error("abc"), True),
    ],
)
def test_who_played_when_the_arena_ended_is_not_conspicuous(
    world: World, cause: arena_faults.VoidCause, conspicuous: bool
) -> None:
    world.populate("ant", "bee", "cat")
    result = replace(a_result(0, 0, state=MatchState.ABORTED), void_reason=cause.reason)
    for match in (*world.pair("ant", "bee"), *world.pair("ant", "bee")):
        world.report(MatchReport(match, result, None, ""))
    world.pair("bee", "cat")
    counts = world.store.read(lambda tx: tx.void_counts.all())
    assert {count.bot: (count.voids, count.conspicuous) for count in counts} == {
        "ant": (4, conspicuous),
        "bee": (4, False),
    }


@pytest.mark.parametrize(
    ("voids", "matches", "others", "of_others", "conspicuous"),
    [
        (3, 30, 1, 100, True),
        (3, 30, 1, 99, False),
        (2, 2, 0, 100, False),
        (3, 3, 0, 1, True),
        (3, 3, 0, 0, False),
        (50, 100, 50, 100, False),
    ],
)
def test_ten_times_the_share_of_all_others_is_conspicuous_from_the_third_on(
    voids: int, matches: int, others: int, of_others: int, conspicuous: bool
) -> None:
    assert is_conspicuous(voids, matches, others, of_others) == conspicuous
