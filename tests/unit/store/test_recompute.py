"""The ledger as stored gives the ratings in force again, to the last bit (docs/ratings.md)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from arena.core.errors import DataLossError
from arena.core.finished_match import FinishedMatch
from arena.core.rating.elo import Change
from arena.core.rating.ledger import EntryKind, LedgerEntry
from arena.core.rating.rating import INITIAL, Rating
from arena.core.rating.seasons import Anchor, SeasonClose
from arena.store.ladders.ledger import pack_body, unpack_body
from arena.store.ladders.recompute import Recomputed, recompute
from tests.unit.store.store_fixture import LADDER, StoreFixture

RATINGS = st.builds(
    Rating, st.integers(-(10**7), 10**7), st.integers(1, 10**12), st.text(max_size=8), st.integers(0, 10**6)
)
CHANGES = st.builds(Change, st.text(max_size=8), st.integers(0, 100), RATINGS, RATINGS)
SEATS = st.tuples(st.uuids().map(str), st.integers(1, 6), st.booleans(), st.text(max_size=8))


@st.composite
def finished_matches(draw: st.DrawFn) -> FinishedMatch:
    """Draw a match of different bots."""
    seats = draw(st.lists(SEATS, min_size=2, max_size=6, unique_by=lambda seat: seat[0]))
    bots, placings, forfeited, versions = zip(*seats, strict=True)
    return FinishedMatch(bots, placings, forfeited, match=draw(st.integers(1, 10**9)), versions=versions)


@pytest.fixture
def played(db: StoreFixture) -> StoreFixture:
    """Return a ladder in which three groups were rated."""
    db.populate("ant", "bee", "cat")
    for bots, placings in (
        (("ant", "bee"), ((1, 2), (1, 1))),
        (("bee", "cat", "ant"), ((1, 2, 3), (3, 1, 2), (1, 1, 1))),
        (("cat", "ant"), ((2, 1), (2, 1))),
    ):
        for match, placing in zip(db.pair(*bots), placings, strict=True):
            db.finish(match, *placing)
    return db


def recomputed(db: StoreFixture) -> Recomputed:
    """Return what replaying the ladder's ledger gives."""
    return db.store.read(lambda tx: recompute(tx, LADDER))


@given(st.lists(finished_matches()).map(tuple), st.lists(CHANGES).map(tuple))
def test_a_ledger_entry_is_read_back_as_it_was_written(
    matches: tuple[FinishedMatch, ...], changes: tuple[Change, ...]
) -> None:
    entry = LedgerEntry(1, EntryKind.MATCH_GROUP, 1, matches, changes)
    assert unpack_body(pack_body(entry)) == (matches, changes, None, None)


@given(st.integers(1, 99), st.integers(0, 100), st.none() | st.integers(0, 4_000_000))
def test_what_was_decided_is_read_back_too(number: int, keep: int, rating: int | None) -> None:
    close, anchor = SeasonClose(number, keep), Anchor("ant", rating)
    closing = LedgerEntry(1, EntryKind.SEASON_CLOSE, None, (), (), season=close)
    assert unpack_body(pack_body(closing)) == ((), (), close, None)
    anchoring = LedgerEntry(1, EntryKind.ANCHOR, None, (), (), anchor=anchor)
    assert unpack_body(pack_body(anchoring)) == ((), (), None, anchor)


def test_the_text_of_an_entry_of_a_match_group_is_the_same_as_ever() -> None:
    assert pack_body(LedgerEntry(1, EntryKind.VOID, 1, (), ())) == '{"changes":[],"matches":[]}'


def test_replaying_the_ledger_gives_the_ratings_in_force(played: StoreFixture) -> None:
    found = recomputed(played)
    assert (found.entries, found.identical, found.differences) == (3, True, ())
    assert len({entry.rating_milli for entry in played.entries().values()}) == 3


def test_a_rating_that_was_tampered_with_is_named(played: StoreFixture) -> None:
    ant = played.entries()["ant"]
    wrong = replace(ant.rating, rating_milli=ant.rating_milli + 1)
    played.store.write(lambda tx: tx.entries.set_rating(LADDER, "ant", wrong))
    (difference,) = recomputed(played).differences
    assert (difference.bot, difference.stored_milli, difference.recomputed_milli) == (
        "ant",
        ant.rating_milli + 1,
        ant.rating_milli,
    )


def test_a_rating_without_any_entry_is_named(played: StoreFixture) -> None:
    played.populate_more("dog")
    assert recomputed(played).identical
    played.store.write(lambda tx: tx.entries.set_rating(LADDER, "dog", replace(INITIAL, rating_milli=7)))
    assert [each.bot for each in recomputed(played).differences] == ["dog"]


def test_a_lost_entry_is_a_damaged_ledger(played: StoreFixture) -> None:
    for table in ("export_order", "rating_ledger"):
        delete = text(f"DELETE FROM {table} WHERE seq = 2")
        played.store.write(lambda tx, delete=delete: tx._connection.execute(delete).rowcount)  # type: ignore[misc]
    with pytest.raises(DataLossError, match="entry 2 is missing"):
        recomputed(played)


def test_an_entry_whose_deltas_were_changed_is_named(played: StoreFixture) -> None:
    change = "UPDATE rating_ledger SET body = replace(body, '\"k\":80', '\"k\":81') WHERE seq = 2"
    played.store.write(lambda tx: tx._connection.exec_driver_sql(change).rowcount)
    assert recomputed(played).differing == (2,)
    assert not recomputed(played).identical


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "null", '{"matches": [3], "changes": []}', '{"matches": [], "changes": [{}]}']
)
def test_a_damaged_entry_is_named_as_damage(text: str) -> None:
    with pytest.raises(DataLossError, match="ledger is damaged"):
        unpack_body(text)
