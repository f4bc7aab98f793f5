"""The ledger: every rating follows from its entries, bit for bit. docs/ratings.md, "The ledger"."""

from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import DataLossError, ErrorReason
from arena.core.finished_match import FinishedMatch
from arena.core.rating.ledger import LedgerEntry, group_entry, replay, void_entry
from arena.core.rating.rating import INITIAL, PRIOR_INFORMATION, Rating
from tests.unit.core.rating.histories import BOTS, a_match, groups, in_version

FRESH = dict.fromkeys(BOTS, INITIAL)


def played(
    history: Iterable[tuple[FinishedMatch, ...]], voids: Iterable[int] = ()
) -> tuple[list[LedgerEntry], dict[str, Rating]]:
    """Return ledger and ratings of a ladder that rates these groups in order, then voids some of them."""
    entries: list[LedgerEntry] = []
    ratings = dict(FRESH)
    for group, matches in enumerate(history, start=1):
        entries.append(group_entry(ratings, seq=len(entries) + 1, group=group, matches=matches))
        ratings |= {change.bot: change.after for change in entries[-1].changes}
    rated = len(entries)
    for group in voids:
        if group <= rated:
            entries.append(void_entry(ratings, seq=len(entries) + 1, voided=entries[group - 1]))
            ratings |= {change.bot: change.after for change in entries[-1].changes}
    return entries, ratings


def is_damaged(entries: Iterable[LedgerEntry]) -> str:
    with pytest.raises(DataLossError) as caught:
        replay(entries)
    assert caught.value.reason is ErrorReason.STORAGE
    return caught.value.sentence


ONE = [(a_match(1, "ant", "bee"),)]
TWO = [*ONE, (a_match(2, "bee", "cat", "ant"),)]


@given(st.lists(groups(), max_size=8), st.sets(st.integers(1, 8), max_size=3))
def test_replaying_a_ledger_gives_every_rating_to_the_same_bits(
    history: list[tuple[FinishedMatch, ...]], voids: set[int]
) -> None:
    entries, ratings = played(history, voids)
    replayed = replay(entries)
    assert replayed.entries == len(entries)
    assert replayed.differing == ()
    assert FRESH | dict(replayed.ratings) == ratings


@given(st.lists(groups(), min_size=1, max_size=6), st.data())
def test_a_void_takes_back_exactly_the_points_of_its_group(
    history: list[tuple[FinishedMatch, ...]], data: st.DataObject
) -> None:
    voided = data.draw(st.integers(1, len(history)))
    entries, before = played(history)
    _, after = played(history, [voided])
    deltas = {change.bot: change.delta_milli for change in entries[voided - 1].changes}
    assert {bot: before[bot].rating_milli - after[bot].rating_milli for bot in BOTS} == {
        bot: deltas.get(bot, 0) for bot in BOTS
    }


def test_voiding_the_last_group_leaves_the_ratings_as_they_were() -> None:
    _, before = played(ONE)
    _, after = played(TWO, [2])
    assert after["cat"] == replace(INITIAL, version="1")
    assert {bot: after[bot] for bot in ("ant", "bee")} == {bot: before[bot] for bot in ("ant", "bee")}


def test_the_information_never_sinks_below_that_of_a_new_bot() -> None:
    _, ratings = played([*ONE * 9, (in_version(a_match(2, "ant", "bee"), "2"),)], range(1, 10))
    assert ratings["ant"].information == PRIOR_INFORMATION
    assert ratings["ant"].version_matches == 1


def test_matches_of_an_earlier_stay_of_a_version_are_not_taken_from_a_later_one() -> None:
    _, ratings = played([*ONE * 3, (in_version(a_match(2, "ant", "bee"), "2"),), *ONE], [1, 2, 3])
    assert ratings["ant"].version_matches == 0


def test_an_entry_whose_recorded_change_is_wrong_is_named_and_computed_anew() -> None:
    entries, ratings = played(TWO)
    wrong = replace(entries[0].changes[0], k=99)
    replayed = replay([replace(entries[0], changes=(wrong, *entries[0].changes[1:])), entries[1]])
    assert replayed.differing == (1,)
    assert FRESH | dict(replayed.ratings) == ratings


def test_a_void_with_wrong_changes_is_named() -> None:
    entries, _ = played(ONE, [1])
    assert replay([entries[0], replace(entries[1], changes=())]).differing == (2,)


def test_an_empty_ledger_replays_to_no_ratings() -> None:
    assert replay([]) == replay(iter(()))
    assert replay([]).entries == 0


def test_a_missing_entry_a_void_of_nothing_and_a_group_rated_twice_are_damage() -> None:
    first, second = played(TWO)[0]
    rated, voided = played(ONE, [1])[0]
    assert "entry 1 is missing" in is_damaged([second])
    assert "g1, which is not rated" in is_damaged([rated, voided, replace(voided, seq=3)])
    assert "g1 a second time" in is_damaged([first, replace(second, group=1)])


def test_knowing_what_is_taken_back_changes_nothing_but_what_is_remembered() -> None:
    entries, _ = played(TWO, [2])
    taken_back = {entry.group for entry in entries if entry.group is not None and not entry.matches}
    assert taken_back
    assert replay(entries, taken_back) == replay(entries)
    with pytest.raises(DataLossError, match="which is not rated"):
        replay(entries, ())
