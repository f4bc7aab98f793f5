"""What a complete board adds to a solo ladder, and what a ruling takes back: docs/ratings.md, "Solo"."""

from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.core.match import MatchResult, MatchState
from arena.core.solo.boards import SoloTotals, one_board
from arena.core.solo.standings import solo_scores
from arena.store.ladders.ladders import LadderState
from arena.store.ladders.recompute import recompute
from arena.store.matches.results import MatchReport, ReplacementMatch
from arena.store.store import Store
from tests.unit.store.databases import copied_database
from tests.unit.store.solo_store_fixture import GONE, SoloStoreFixture, a_solo_result
from tests.unit.store.store_fixture import LADDER, a_commitment, a_seat

BOTS = ("ant", "bee", "cat")


@pytest.fixture
def db(store: Store) -> SoloStoreFixture:
    db = SoloStoreFixture(store)
    db.join(*BOTS)
    return db


def boards(db: SoloStoreFixture) -> dict[tuple[str, ...], SoloTotals]:
    """Return what is stored, by players."""
    return {each.players: each for each in db.store.read(lambda tx: tx.solo_boards.all(LADDER))}


def test_a_board_counts_once_its_last_match_has_ended(db: SoloStoreFixture) -> None:
    board = db.board("ant", "bee")
    assert not db.finish_solo(board["ant"], 30).group_complete
    assert boards(db) == {}
    assert db.entries()["ant"].matches == 0
    assert db.finish_solo(board["bee"], 21).group_complete
    assert boards(db) == {("ant/1", "bee/1"): one_board({"ant/1": 30, "bee/1": 21})}
    ant = db.entries()["ant"]
    assert (ant.matches, ant.decisions, ant.used_us, ant.forfeits, ant.best_score) == (1, 10, 20_000, 0, 30)
    assert (ant.rating_milli, ant.version) == (1_500_000, "1")
    assert db.store.read(lambda tx: tx.ledger.newest_seq(LADDER)) == 0


def test_a_forfeit_with_a_score_counts_as_zero(db: SoloStoreFixture) -> None:
    board = db.board("ant", "bee")
    db.finish_solo(board["bee"], 21)
    played = a_solo_result(GONE)
    struck = replace(played, ending="STUCK", seats=(replace(played.seats[0], score=33),))
    db.store.write(lambda tx: tx.matches.start(board["ant"], ["1"], 1_100))
    db.report(MatchReport(board["ant"], struck, bytes(32), "ab" * 32))
    assert boards(db)[("ant/1", "bee/1")].scores == (0, 21)
    assert db.entries()["ant"].best_score is None
    assert db.store.read(lambda tx: recompute(tx, LADDER)).identical


def test_a_bot_without_a_result_is_left_out_of_its_board(db: SoloStoreFixture) -> None:
    board = db.board(*BOTS)
    db.finish_solo(board["ant"], 30)
    db.finish_solo(board["bee"], 20)
    nobody = MatchResult(MatchState.NO_CONTEST, "", 0, (a_seat(0),), 0, "It never began.", b"")
    db.report(MatchReport(board["cat"], nobody, None, ""))
    assert list(boards(db)) == [("ant/1", "bee/1")]
    assert db.entries()["cat"].matches == 0


def test_a_void_match_is_replayed_in_its_place_and_the_board_waits_for_it(db: SoloStoreFixture) -> None:
    board = db.board("ant", "bee")
    db.finish_solo(board["ant"], 30)
    again = db.abort(board["bee"], ReplacementMatch(0, a_commitment("g1"))).replay
    assert again is not None
    assert boards(db) == {}
    db.finish_solo(again, 21)
    assert boards(db)[("ant/1", "bee/1")].scores == (30, 21)


def test_a_void_match_completes_its_board_without_it(db: SoloStoreFixture) -> None:
    board = db.board("ant", "bee")
    db.abort(board["bee"], None)
    db.finish_solo(board["ant"], 30)
    assert boards(db) == {}
    db.void(board["bee"])
    assert boards(db) == {("ant/1",): one_board({"ant/1": 30})}


def test_a_new_version_begins_anew_and_the_old_one_stays_as_it_was(db: SoloStoreFixture) -> None:
    db.play({"ant": 10, "bee": 20})
    board = db.board("ant", "bee")
    db.finish_solo(board["ant"], 30, version="2")
    db.finish_solo(board["bee"], 20)
    assert db.entries()["ant"].version == "2"
    scores = solo_scores(boards(db).values())
    assert scores["ant/2"].adjusted_milli - scores["ant/1"].adjusted_milli == 20_000


def test_a_version_without_boards_gives_way_to_the_one_before(db: SoloStoreFixture) -> None:
    old = db.play({"ant": 10, "bee": 20})
    new = db.play({"ant": 30, "bee": 20}, version="2")
    db.void(new["ant"])
    assert [db.entries()[bot].version for bot in ("ant", "bee")] == ["1", "2"]
    db.void(old["ant"])
    assert db.entries()["ant"].version == ""


def test_a_solo_ladder_pauses_by_itself_when_its_last_board_is_complete(db: SoloStoreFixture) -> None:
    db.store.write(lambda tx: tx.ladders.run(LADDER, 2))
    db.play({"ant": 10, "bee": 20})
    ladder = db.ladder()
    assert (ladder.state, ladder.finished_matches, ladder.solo) == (LadderState.PAUSED, 2, True)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    table=st.lists(
        st.dictionaries(st.sampled_from(BOTS), st.integers(GONE, 45), min_size=1), min_size=1, max_size=5
    ),
    data=st.data(),
)
def test_counters_and_boards_match_a_recount(
    tables: Path, tmp_path: Path, table: list[dict[str, int]], data: st.DataObject
) -> None:
    """Counted again from what was played, after any rulings."""
    store = Store(copied_database(tables.parent, Path(mkdtemp(dir=tmp_path))))
    db = SoloStoreFixture(store)
    db.join(*BOTS)
    played = [dict(row) for row in table]
    ids = [db.play(row) for row in table]
    for number, bot in data.draw(
        st.lists(st.sampled_from([(n, bot) for n, row in enumerate(table) for bot in row]), unique=True)
    ):
        db.void(ids[number][bot])
        del played[number][bot]
    expected: dict[tuple[str, ...], SoloTotals] = {}
    for row in filter(None, played):
        board = one_board({f"{bot}/1": max(0, score) for bot, score in row.items()})
        known = expected.get(board.players)
        expected[board.players] = board if known is None else known.plus(board)
    assert boards(db) == expected
    for bot, entry in db.entries().items():
        own = [row[bot] for row in played if bot in row]
        real = [score for score in own if score != GONE]
        assert (entry.matches, entry.forfeits) == (len(own), own.count(GONE))
        assert (entry.decisions, entry.used_us) == (10 * len(own), 20_000 * len(own))
        assert entry.longest_us == (9_001 if own else 0)
        assert entry.best_score == max(real, default=None)
    store.close()
