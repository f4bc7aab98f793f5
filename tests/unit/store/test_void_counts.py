"""Void matches are counted per bot, and far more of them than others have are conspicuous."""

from dataclasses import replace
from itertools import combinations

import pytest

from arena.core.endings import arena_faults
from arena.core.match import MatchState
from arena.store.matches.results import MatchReport
from arena.store.matches.void_counts import VoidCount, is_conspicuous
from tests.unit.store.store_fixture import StoreFixture, a_result


def test_every_bot_of_a_void_match_has_one_more_and_a_second_report_changes_nothing(db: StoreFixture) -> None:
    db.populate("ant", "bee", "cat")
    first, second = db.pair("ant", "bee")
    db.pair("bee", "cat")
    report = MatchReport(first, a_result(0, 0, state=MatchState.ABORTED), None, "")
    for _ in range(2):
        db.store.write(lambda tx: tx.record_result(report, now_us=5))
    db.finish(second, 1, 2)
    counts = db.store.read(lambda tx: tx.void_counts.all())
    assert set(counts) == {VoidCount("ant", 1, 2, False), VoidCount("bee", 1, 4, False)}
    assert db.store.read(lambda tx: [tx.void_counts.of(bot) for bot in ("ant", "cat", "nobody")]) == [1, 0, 0]


def test_a_bot_whose_matches_are_void_is_conspicuous_and_its_opponents_are_not(db: StoreFixture) -> None:
    """In an arena of four, too, where everybody has met it and shares its void matches."""
    db.populate("ant", "bee", "cat", "dog")
    for pair in combinations(("ant", "bee", "cat", "dog"), 2):
        for match in db.pair(*pair):
            if "ant" in pair:
                db.abort(match, None)
            else:
                db.finish(match, 1, 2)
    again = [db.pair(*pair) for pair in (("bee", "cat"), ("bee", "dog"), ("cat", "dog"))]
    db.abort(again[0][0], None)
    counts = db.store.read(lambda tx: tx.void_counts.all())
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
def test_shutdowns_make_no_bot_conspicuous(
    db: StoreFixture, cause: arena_faults.VoidCause, conspicuous: bool
) -> None:
    db.populate("ant", "bee", "cat")
    result = replace(a_result(0, 0, state=MatchState.ABORTED), void_reason=cause.reason)
    for match in (*db.pair("ant", "bee"), *db.pair("ant", "bee")):
        db.report(MatchReport(match, result, None, ""))
    db.pair("bee", "cat")
    counts = db.store.read(lambda tx: tx.void_counts.all())
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
def test_ten_times_the_share_of_others_is_conspicuous(
    voids: int, matches: int, others: int, of_others: int, conspicuous: bool
) -> None:
    assert is_conspicuous(voids, matches, others, of_others) == conspicuous
