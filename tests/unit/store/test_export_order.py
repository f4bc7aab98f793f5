"""The order of exports: a reader who asks for what follows a position skips nothing and meets nothing twice."""

import threading
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.core.match import MatchState
from arena.core.rating.ledger import EntryKind
from arena.core.rating.seasons import Anchor
from arena.store.matches.export_order import FinalEntry, FinalMatch
from arena.store.matches.matches import MatchFilter
from arena.store.matches.results import ReplacementMatch
from arena.store.store import Transaction
from tests.unit.store.store_fixture import LADDER, StoreFixture, a_commitment

BOTS = ("ant", "bee", "cat")


class Reader:
    """Somebody who exports piece by piece, and keeps the last that they were given of each match and entry."""

    def __init__(self, db: StoreFixture) -> None:
        self.db = db
        self.cursor = 0
        self.seen: list[FinalMatch | FinalEntry] = []

    def read(self, limit: int) -> int:
        """Read a page; return how many lines it has."""
        page = self.db.store.read(
            lambda tx: tx.export_order.page(ladder=LADDER, after=self.cursor, limit=limit)
        )
        self.seen += page
        self.cursor = page[-1].position if page else self.cursor
        return len(page)

    def read_all(self, limit: int = 100) -> None:
        """Read until nothing is left."""
        while self.read(limit):
            pass

    def kept(self) -> dict[object, int]:
        """Return the last position of each match and entry."""
        return {
            each.match if isinstance(each, FinalMatch) else (each.ladder, each.entry.seq): each.position
            for each in self.seen
        }


def whole(db: StoreFixture) -> dict[object, int]:
    """Return what somebody keeps who exports all at once."""
    reader = Reader(db)
    reader.read_all()
    assert len(reader.kept()) == len(reader.seen), "one export has nothing twice"
    return reader.kept()


def matches(db: StoreFixture) -> list[int]:
    """Return the matches of a whole export in order."""
    page = db.store.read(lambda tx: tx.export_order.page(after=0, limit=99))
    return [each.match for each in page if isinstance(each, FinalMatch)]


def test_matches_become_final_with_their_group_and_before_its_rating(
    db: StoreFixture, pair: tuple[int, ...]
) -> None:
    db.finish(pair[1], 1, 2)
    assert db.store.read(lambda tx: tx.export_order.page(after=0, limit=9)) == ()
    db.finish(pair[0], 1, 2)
    first, second, rating = db.store.read(lambda tx: tx.export_order.page(after=0, limit=9))
    assert isinstance(first, FinalMatch)
    assert isinstance(second, FinalMatch)
    assert isinstance(rating, FinalEntry)
    assert (first.match, second.match) == pair
    assert (rating.ladder, rating.entry) == (LADDER, db.ledger()[0])
    assert (
        first.position
        < second.position
        < rating.position
        == db.store.read(lambda tx: tx.export_order.newest())
    )


def test_groups_come_in_the_order_of_their_ends(db: StoreFixture) -> None:
    db.populate(*BOTS)
    early, late = db.pair("ant", "bee"), db.pair("bee", "cat")
    for match in (*late, *early):
        db.finish(match, 1, 2)
    assert matches(db) == [*late, *early]


def test_a_void_match_is_final_with_its_group_and_so_is_its_replay(
    db: StoreFixture, pair: tuple[int, ...]
) -> None:
    replay = db.abort(pair[0], ReplacementMatch(1, a_commitment("again"))).replay
    assert replay is not None
    db.finish(pair[1], 1, 2)
    assert matches(db) == []
    db.finish(replay, 1, 2)
    assert matches(db) == [*pair, replay]


def test_a_match_that_is_voided_later_comes_once_more_and_so_does_its_entry(
    db: StoreFixture, pair: tuple[int, ...]
) -> None:
    for match in pair:
        db.finish(match, 1, 2)
    reader = Reader(db)
    reader.read_all()
    db.void(pair[0])
    before = len(reader.seen)
    reader.read_all()
    again, reverted = reader.seen[before:]
    assert isinstance(again, FinalMatch)
    assert isinstance(reverted, FinalEntry)
    assert (again.match, reverted.entry.kind) == (pair[0], EntryKind.VOID)
    assert db.match(pair[0]).state is MatchState.ABORTED
    assert reader.kept() == whole(db)
    assert matches(db) == [pair[1], pair[0]]


def test_a_match_voided_in_an_open_group_comes_once(db: StoreFixture, pair: tuple[int, ...]) -> None:
    db.finish(pair[0], 1, 2)
    db.void(pair[0])
    db.finish(pair[1], 1, 2)
    assert matches(db) == list(pair)


def test_a_ladder_is_exported_without_others(db: StoreFixture, pair: tuple[int, ...]) -> None:
    for match in pair:
        db.finish(match, 1, 2)

    def page(tx: Transaction) -> tuple[int, int]:
        other = tx.export_order.page(ladder="other", after=0, limit=9)
        return len(other), len(tx.export_order.page(tournament="cup", after=0, limit=9))

    assert db.store.read(page) == (0, 0)


STEPS = st.lists(
    st.tuples(st.sampled_from(["pair", "finish", "abort", "void", "anchor", "read"]), st.integers(0, 99)),
    max_size=60,
)


def act(db: StoreFixture, step: str, number: int) -> None:
    """Do one of the things that make results final, if it can be done."""
    page = db.store.read(lambda tx: tx.matches.unfinished())
    open_matches = [match.id for match in page]
    match step:
        case "pair":
            db.pair(*BOTS[number % 2 : number % 2 + 2])
        case "finish" if open_matches:
            db.finish(open_matches[number % len(open_matches)], 1, 2)
        case "abort" if open_matches:
            match_id = open_matches[number % len(open_matches)]
            db.abort(match_id, ReplacementMatch(number, a_commitment(f"{match_id} {number}")))
        case "void" if final := finished(db):
            db.void(final[number % len(final)])
        case "anchor":
            anchor = Anchor("ant", None if number % 3 == 0 else 1_500_000 + number)
            db.store.write(lambda tx: tx.anchors.decide(LADDER, anchor, 8_000))


def finished(db: StoreFixture) -> list[int]:
    """Return the matches that an organiser may void."""
    which = MatchFilter(state=MatchState.FINISHED)
    return [match.id for match in db.store.read(lambda tx: tx.matches.page(which, before=None, limit=99))]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(steps=STEPS, limit=st.integers(1, 4))
def test_steps_of_an_export_come_to_the_same_as_one_export(
    db: StoreFixture, steps: list[tuple[str, int]], limit: int
) -> None:
    if db.store.read(lambda tx: tx.bots.find("ant")) is None:
        db.populate(*BOTS)
    reader = Reader(db)
    for step, number in steps:
        if step == "read":
            reader.read(limit)
        else:
            act(db, step, number)
    reader.read_all(limit)
    assert reader.kept() == whole(db)
    positions = [each.position for each in reader.seen]
    assert positions == sorted(set(positions))


@pytest.fixture
def writer(db: StoreFixture) -> Iterator[threading.Thread]:
    """Return a thread that plays 20 groups and voids a match of every third of them."""
    db.populate(*BOTS)

    def play() -> None:
        for number in range(20):
            for match in db.pair("ant", "bee"):
                db.finish(match, 1, 2)
                if number % 3 == 0:
                    db.void(match)

    thread = threading.Thread(target=play)
    yield thread
    thread.join()


def test_a_reader_beside_the_writer_skips_nothing(db: StoreFixture, writer: threading.Thread) -> None:
    reader = Reader(db)
    writer.start()
    while writer.is_alive():
        reader.read(3)
    reader.read_all()
    assert reader.kept() == whole(db)
    assert len([each for each in reader.kept() if isinstance(each, int)]) == 40
