"""The history that ratings are fitted to: what counts in it, and what does not."""

from arena.core.finished_match import FinishedMatch
from arena.core.rating.ledger import void_entry
from arena.store.matches.results import ReplacementMatch
from arena.store.store import Transaction
from tests.unit.store.store_fixture import LADDER, StoreFixture, a_commitment


def history(db: StoreFixture) -> list[FinishedMatch]:
    return db.store.read(lambda tx: list(tx.ledger.rated_matches(LADDER)))


def test_matches_come_with_their_bot_versions_by_seat_the_newest_first(db: StoreFixture) -> None:
    db.populate("ant", "bee", "cat")
    pair, three = db.pair("ant", "bee"), db.pair("cat", "ant", "bee")
    for match in pair:
        db.finish(match, 2, 1)
    for match in three:
        db.finish(match, 1, 3, 1)
    first, second = db.match(pair[0]).group, db.match(three[0]).group
    assert history(db) == [
        FinishedMatch(("bee/1", "cat/1", "ant/1"), (1, 3, 1), group=second),
        FinishedMatch(("ant/1", "bee/1", "cat/1"), (1, 3, 1), group=second),
        FinishedMatch(("cat/1", "ant/1", "bee/1"), (1, 3, 1), group=second),
        FinishedMatch(("bee/1", "ant/1"), (2, 1), group=first),
        FinishedMatch(("ant/1", "bee/1"), (2, 1), group=first),
    ]


def test_a_group_counts_once_it_is_complete_and_without_its_void_matches(db: StoreFixture) -> None:
    db.populate("ant", "bee")
    one, other = db.pair("ant", "bee")
    db.finish(one, 1, 2)
    assert history(db) == []
    replay = db.abort(other, ReplacementMatch(1, a_commitment("again"))).replay
    assert replay is not None
    assert history(db) == []
    db.finish(replay, 1, 2)
    assert [match.bots for match in history(db)] == [("bee/1", "ant/1"), ("ant/1", "bee/1")]


def test_a_group_whose_ratings_were_taken_back_does_not_count(db: StoreFixture) -> None:
    db.populate("ant", "bee")
    kept, taken_back = db.pair("ant", "bee"), db.pair("bee", "ant")
    for match in kept + taken_back:
        db.finish(match, 1, 2)

    voided = db.match(taken_back[0]).group

    def void(tx: Transaction) -> None:
        entry = next(each for each in tx.ledger.all(LADDER) if each.group == voided)
        ratings = {each.bot: each.rating for each in tx.entries.all(LADDER)}
        seq = tx.ladders.next_ledger_seq(LADDER)
        tx.ledger.append(LADDER, void_entry(ratings, seq=seq, voided=entry), db.now_us)

    db.store.write(void)
    assert {match.group for match in history(db)} == {db.match(kept[0]).group}
    assert db.store.read(lambda tx: tx.ledger.newest_seq(LADDER)) == 3


def test_a_ladder_without_a_rated_group_has_no_history(db: StoreFixture) -> None:
    db.populate("ant", "bee")
    assert history(db) == []
    assert db.store.read(lambda tx: tx.ledger.newest_seq(LADDER)) == 0
