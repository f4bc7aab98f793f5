"""Solo ladders over a real connection: docs/ratings.md, "Solo"."""

from dataclasses import replace
from typing import Any

import pytest

from arena.v1 import ladder_pb2
from tests.unit.server.services.harness import Arena
from tests.unit.store.solo_store_fixture import GONE, SoloStoreFixture
from tests.unit.store.store_fixture import LADDER

NAME = f"ladders/{LADDER}"


@pytest.fixture
def db(arena: Arena) -> SoloStoreFixture:
    """Return a solo ladder of four bots."""
    db = SoloStoreFixture(arena.store)
    db.join("bee", "cat", "dog", "eel")
    return db


def create(arena: Arena, **fields: object) -> Any:
    """Return the ladder created."""
    return arena.call("CreateLadder", "organiser", ladder_id="cup", **fields).ladder


def standings(arena: Arena, **fields: object) -> Any:
    """Return a page of the standings."""
    return arena.call("ListStandings", "bob", name=NAME, **fields)


def test_a_ladder_of_one_seat_is_made_by_asking_for_it_alone(arena: Arena) -> None:
    ladder = create(arena, game="caravanserai", seat_counts=[1, 1])
    assert list(ladder.seat_counts) == [1]
    assert len(ladder.options) == 1


def test_without_seat_counts_a_ladder_is_a_rated_one(arena: Arena) -> None:
    assert list(create(arena, game="caravanserai").seat_counts) == [2, 3, 4, 5, 6]


def test_standings_rank_by_adjusted_score(arena: Arena, db: SoloStoreFixture) -> None:
    db.play({"bee": 44, "cat": 30})
    db.play({"bee": 28, "cat": GONE})
    db.play({"bee": 20, "cat": 10, "dog": 20})
    lines = {line.bot.removeprefix("bots/"): line for line in standings(arena).standings}
    assert {bot: line.rank for bot, line in lines.items()} == {"bee": 1, "dog": 2, "cat": 3, "eel": 0}
    bee, cat, eel = lines["bee"].solo, lines["cat"].solo, lines["eel"].solo
    assert (bee.bot_version, bee.boards, bee.best_score) == ("bots/bee/versions/1", 3, 44)
    assert (bee.mean_score_milli, bee.adjusted_score_milli, bee.level) == (
        30_667,
        30_667,
        "Great camel driver",
    )
    assert (cat.mean_score_milli, cat.best_score, cat.level) == (13_333, 30, "")
    assert lines["dog"].solo.adjusted_score_milli > lines["dog"].solo.mean_score_milli == 20_000
    assert bee.HasField("uncertainty_milli")
    assert not lines["dog"].solo.HasField("uncertainty_milli")
    assert (eel.boards, eel.bot_version, eel.HasField("best_score")) == (0, "", False)
    assert (lines["cat"].matches, lines["cat"].forfeits, lines["cat"].rating_milli) == (3, 1, 0)
    assert (lines["cat"].mean_placing_milli, lines["cat"].uncertainty_milli) == (0, 0)


def test_pages_of_the_standings_split_equal_scores(arena: Arena, db: SoloStoreFixture) -> None:
    db.join("fox")
    db.play({"bee": 9, "cat": 7, "dog": 7})
    found: list[tuple[str, int]] = []
    token = ""
    while len(found) < 5:
        page = standings(arena, page_size=2, page_token=token)
        found += [(line.bot.removeprefix("bots/"), line.rank) for line in page.standings]
        token = page.next_page_token
    assert found == [("bee", 1), ("cat", 2), ("dog", 2), ("eel", 0), ("fox", 0)]
    assert token == ""


def test_a_hidden_bot_is_not_ranked_but_its_boards_count(arena: Arena, db: SoloStoreFixture) -> None:
    db.play({"bee": 40, "cat": 20})
    db.play({"cat": 20, "dog": 40})
    before = {line.bot: line.solo.adjusted_score_milli for line in standings(arena).standings}
    arena.change(lambda tx: tx.bots.set_hidden("cat", True))
    after = {line.bot: line.solo.adjusted_score_milli for line in standings(arena).standings}
    assert after == {bot: score for bot, score in before.items() if bot != "bots/cat"}


def test_recomputing_names_bots_with_another_score(arena: Arena, db: SoloStoreFixture) -> None:
    first = db.play({"bee": 44, "cat": GONE})
    db.play({"bee": 20, "cat": 30})
    db.play({"dog": 7})
    db.void(first["cat"])
    open_board = db.board("bee", "dog")
    db.finish(open_board["bee"], 20)
    found = arena.call("RecomputeLadder", "organiser", name="ladders/main")
    assert (found.entries, found.identical, list(found.differences)) == (3, True, [])
    arena.change(lambda tx: tx.solo_boards.close(LADDER, [replace(tx.matches.get(5), slot=0)]))
    found = arena.call("RecomputeLadder", "organiser", name="ladders/main")
    assert not found.identical
    assert [each.bot for each in found.differences] == ["bots/dog"]


def test_one_bot_is_enough_to_run_it(arena: Arena) -> None:
    db = SoloStoreFixture(arena.store)
    assert arena.refusal("RunLadder", "organiser", name=NAME).reason == "TOO_FEW_BOTS"
    db.join("bee")
    running = arena.call("RunLadder", "organiser", name=NAME).ladder
    assert running.state == ladder_pb2.Ladder.STATE_RUNNING


@pytest.mark.parametrize(("score", "level"), [(45, "Chief of the 5 tribes"), (24, ""), (GONE, "")])
def test_a_match_of_one_seat_has_a_level(arena: Arena, db: SoloStoreFixture, score: int, level: str) -> None:
    """S43."""
    match = db.play({"bee": score})["bee"]
    shown = arena.call("GetMatch", "bob", name=f"matches/{match}").match
    assert [seat.level for seat in shown.seats] == [level]
    assert not shown.rated
