"""What a complete board adds to a solo ladder, and what a ruling takes back: docs/ratings.md, "Solo"."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shutil import copy
from tempfile import mkdtemp

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.core.match import MatchResult, MatchState
from arena.core.solo.boards import SoloTotals, one_board
from arena.core.solo.standings import solo_scores
from arena.store.ladders.entries import EntryRow
from arena.store.ladders.ladders import LadderState
from arena.store.ladders.recompute import recompute
from arena.store.matches.results import MatchReport, ReplacementMatch
from arena.store.store import Store
from tests.unit.store.solo_world import GONE, SoloWorld, a_solo_result
from tests.unit.store.world import LADDER, a_commitment, a_seat

BOTS = ("ant", "bee", "cat")


@pytest.fixture
def world(store: Store) -> SoloWorld:
    world = SoloWorld(store)
    world.join(*BOTS)
    return world


def boards(world: SoloWorld) -> dict[tuple[str, ...], SoloTotals]:
    """Return what is stored, by players."""
    return {each.players: each for each in world.store.read(lambda tx: tx.solo_boards.all(LADDER))}


def entries(world: SoloWorld) -> dict[str, EntryRow]:
    """Return the counters by bot."""
    return {entry.bot: entry for entry in world.store.read(lambda tx: tx.entries.all(LADDER))}


def test_a_board_counts_once_its_last_match_has_ended(world: SoloWorld) -> None:
    board = world.board("ant", "bee")
    assert not world.finish(board["ant"], 30).group_complete
    assert boards(world) == {}
    assert entries(world)["ant"].matches == 0
    assert world.finish(board["bee"], 21).group_complete
    assert boards(world) == {("ant/1", "bee/1"): one_board({"ant/1": 30, "bee/1": 21})}
    ant = entries(world)["ant"]
    assert (ant.matches, ant.decisions, ant.used_us, ant.forfeits, ant.best_score) == (1, 10, 20_000, 0, 30)
    assert (ant.rating_milli, ant.version) == (1_500_000, "1")
    assert world.store.read(lambda tx: tx.ledger.newest_seq(LADDER)) == 0


def test_a_forfeit_counts_nought_and_is_nobodys_best_score(world: SoloWorld) -> None:
    world.play({"ant": GONE, "bee": 21})
    ant = entries(world)["ant"]
    assert (ant.matches, ant.forfeits, ant.best_score) == (1, 1, None)
    assert boards(world)[("ant/1", "bee/1")].scores == (0, 21)
    world.play({"ant": 5, "bee": 4})
    world.play({"ant": 3, "bee": 4})
    assert entries(world)["ant"].best_score == 5


def test_a_forfeit_that_ended_the_game_with_a_score_counts_nought_too(world: SoloWorld) -> None:
    board = world.board("ant", "bee")
    world.finish(board["bee"], 21)
    played = a_solo_result(GONE)
    struck = replace(played, ending="STUCK", seats=(replace(played.seats[0], score=33),))
    world.store.write(lambda tx: tx.matches.start(board["ant"], ["1"], 1_100))
    world.report(MatchReport(board["ant"], struck, bytes(32), "ab" * 32))
    assert boards(world)[("ant/1", "bee/1")].scores == (0, 21)
    assert entries(world)["ant"].best_score is None
    assert world.store.read(lambda tx: recompute(tx, LADDER)).identical


def test_who_never_came_back_is_left_out_of_the_board(world: SoloWorld) -> None:
    board = world.board(*BOTS)
    world.finish(board["ant"], 30)
    world.finish(board["bee"], 20)
    nobody = MatchResult(MatchState.NO_CONTEST, "", 0, (a_seat(0),), 0, "It never began.", b"")
    world.report(MatchReport(board["cat"], nobody, None, ""))
    assert list(boards(world)) == [("ant/1", "bee/1")]
    assert entries(world)["cat"].matches == 0


def test_a_void_match_is_replayed_in_its_place_and_the_board_waits_for_it(world: SoloWorld) -> None:
    board = world.board("ant", "bee")
    world.finish(board["ant"], 30)
    again = world.abort(board["bee"], ReplacementMatch(0, a_commitment("g1"))).replay
    assert again is not None
    assert boards(world) == {}
    world.finish(again, 21)
    assert boards(world)[("ant/1", "bee/1")].scores == (30, 21)


def test_a_ruling_takes_one_match_back_and_leaves_the_others(world: SoloWorld) -> None:
    first = world.play({"ant": 30, "bee": 20, "cat": 10})
    world.play({"ant": 12, "bee": 22, "cat": 32})
    world.void(first["ant"])
    assert boards(world) == {
        ("ant/1", "bee/1", "cat/1"): one_board({"ant/1": 12, "bee/1": 22, "cat/1": 32}),
        ("bee/1", "cat/1"): one_board({"bee/1": 20, "cat/1": 10}),
    }
    now = entries(world)
    assert [(now[bot].matches, now[bot].best_score) for bot in BOTS] == [(1, 12), (2, 22), (2, 32)]
    assert (now["ant"].decisions, now["ant"].used_us, now["ant"].longest_us) == (10, 20_000, 9_001)
    world.void(first["bee"])
    world.void(first["cat"])
    assert list(boards(world)) == [("ant/1", "bee/1", "cat/1")]
    assert [entries(world)[bot].matches for bot in BOTS] == [1, 1, 1]


def test_a_match_left_to_the_organiser_and_then_void_completes_its_board_without_it(
    world: SoloWorld,
) -> None:
    board = world.board("ant", "bee")
    world.abort(board["bee"], None)
    world.finish(board["ant"], 30)
    assert boards(world) == {}
    world.void(board["bee"])
    assert boards(world) == {("ant/1",): one_board({"ant/1": 30})}


def test_a_new_version_begins_anew_and_the_old_one_stays_as_it_was(world: SoloWorld) -> None:
    world.play({"ant": 10, "bee": 20})
    board = world.board("ant", "bee")
    world.finish(board["ant"], 30, version="2")
    world.finish(board["bee"], 20)
    assert entries(world)["ant"].version == "2"
    scores = solo_scores(boards(world).values())
    assert scores["ant/2"].adjusted_milli - scores["ant/1"].adjusted_milli == 20_000


def test_when_the_boards_of_a_version_are_taken_back_the_one_before_is_in_force_again(
    world: SoloWorld,
) -> None:
    old = world.play({"ant": 10, "bee": 20})
    new = world.play({"ant": 30, "bee": 20}, version="2")
    world.void(new["ant"])
    assert [entries(world)[bot].version for bot in ("ant", "bee")] == ["1", "2"]
    world.void(old["ant"])
    assert entries(world)["ant"].version == ""


def test_a_solo_ladder_pauses_by_itself_when_its_last_board_is_complete(world: SoloWorld) -> None:
    world.store.write(lambda tx: tx.ladders.run(LADDER, 2))
    world.play({"ant": 10, "bee": 20})
    ladder = world.store.read(lambda tx: tx.ladders.get(LADDER))
    assert (ladder.state, ladder.finished_matches, ladder.solo) == (LadderState.PAUSED, 2, True)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database without anything in it."""
    path = tmp_path_factory.mktemp("empty") / "arena.db"
    store = Store(f"sqlite:///{path}")
    store.migrate()
    store.close()
    return path


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    table=st.lists(
        st.dictionaries(st.sampled_from(BOTS), st.integers(GONE, 45), min_size=1), min_size=1, max_size=5
    ),
    data=st.data(),
)
def test_counters_and_boards_are_those_of_the_matches_that_count(
    empty: Path, tmp_path: Path, table: list[dict[str, int]], data: st.DataObject
) -> None:
    """Counted again from what was played, after any rulings."""
    store = Store(f"sqlite:///{copy(empty, mkdtemp(dir=tmp_path))}")
    world = SoloWorld(store)
    world.join(*BOTS)
    played = [dict(row) for row in table]
    ids = [world.play(row) for row in table]
    for number, bot in data.draw(
        st.lists(st.sampled_from([(n, bot) for n, row in enumerate(table) for bot in row]), unique=True)
    ):
        world.void(ids[number][bot])
        del played[number][bot]
    expected: dict[tuple[str, ...], SoloTotals] = {}
    for row in filter(None, played):
        board = one_board({f"{bot}/1": max(0, score) for bot, score in row.items()})
        known = expected.get(board.players)
        expected[board.players] = board if known is None else known.plus(board)
    assert boards(world) == expected
    for bot, entry in entries(world).items():
        own = [row[bot] for row in played if bot in row]
        real = [score for score in own if score != GONE]
        assert (entry.matches, entry.forfeits) == (len(own), own.count(GONE))
        assert entry.best_score == max(real, default=None)
    store.close()
