"""The history that ratings are fitted to: what counts in it, and what does not."""

from __future__ import annotations

from arena.core.finished_match import FinishedMatch
from arena.core.rating.ledger import void_entry
from arena.store.matches.results import ReplacementMatch
from arena.store.store import Transaction
from tests.unit.store.world import LADDER, World, a_commitment


def history(world: World) -> list[FinishedMatch]:
    return world.store.read(lambda tx: list(tx.ledger.rated_matches(LADDER)))


def group_of(world: World, match: int) -> int:
    return world.store.read(lambda tx: tx.matches.get(match)).group


def test_matches_come_with_their_bot_versions_by_seat_the_newest_first(world: World) -> None:
    world.populate("ant", "bee", "cat")
    pair, three = world.pair("ant", "bee"), world.pair("cat", "ant", "bee")
    for match in pair:
        world.finish(match, 2, 1)
    for match in three:
        world.finish(match, 1, 3, 1)
    first, second = group_of(world, pair[0]), group_of(world, three[0])
    assert history(world) == [
        FinishedMatch(("bee/1", "cat/1", "ant/1"), (1, 3, 1), group=second),
        FinishedMatch(("ant/1", "bee/1", "cat/1"), (1, 3, 1), group=second),
        FinishedMatch(("cat/1", "ant/1", "bee/1"), (1, 3, 1), group=second),
        FinishedMatch(("bee/1", "ant/1"), (2, 1), group=first),
        FinishedMatch(("ant/1", "bee/1"), (2, 1), group=first),
    ]


def test_a_group_counts_once_it_is_complete_and_without_its_void_matches(world: World) -> None:
    world.populate("ant", "bee")
    one, other = world.pair("ant", "bee")
    world.finish(one, 1, 2)
    assert history(world) == []
    replay = world.abort(other, ReplacementMatch(1, a_commitment("again"))).replay
    assert replay is not None
    assert history(world) == []
    world.finish(replay, 1, 2)
    assert [match.bots for match in history(world)] == [("bee/1", "ant/1"), ("ant/1", "bee/1")]


def test_a_group_whose_ratings_were_taken_back_does_not_count(world: World) -> None:
    world.populate("ant", "bee")
    kept, taken_back = world.pair("ant", "bee"), world.pair("bee", "ant")
    for match in kept + taken_back:
        world.finish(match, 1, 2)

    voided = group_of(world, taken_back[0])

    def void(tx: Transaction) -> None:
        entry = next(each for each in tx.ledger.all(LADDER) if each.group == voided)
        ratings = {each.bot: each.rating for each in tx.entries.all(LADDER)}
        seq = tx.ladders.next_ledger_seq(LADDER)
        tx.ledger.append(LADDER, void_entry(ratings, seq=seq, voided=entry), world.now_us)

    world.store.write(void)
    assert {match.group for match in history(world)} == {group_of(world, kept[0])}
    assert world.store.read(lambda tx: tx.ledger.newest_seq(LADDER)) == 3


def test_a_ladder_without_a_rated_group_has_no_history(world: World) -> None:
    world.populate("ant", "bee")
    assert history(world) == []
    assert world.store.read(lambda tx: tx.ledger.newest_seq(LADDER)) == 0
