"""FairPlayService over a real connection: matches that were really played, read from their logs by a worker."""

import asyncio
import pickle
from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from arena.core.fair_play.report import Report
from arena.core.fair_play.trade_totals import TradeTotals
from arena.store.matches.results import MatchReport
from arena.v1 import fair_play_pb2
from arena.wire.messages.fair_play import report_message
from tests.unit.fair_play.played import play
from tests.unit.server.services.harness import Arena, refusal_of, running_arena
from tests.unit.store.store_fixture import StoreFixture

BOTS = ("ash", "bay", "elm")
TASTES = {"bay": "ash"}
"""bay is ash under another name, and belongs to somebody else."""

Finding = fair_play_pb2.FairPlayFinding


@pytest.fixture(scope="module")
def played(runner: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory, tables: Path) -> Iterator[Arena]:
    """Yield an arena on whose ladder every pair has met in two match groups, each on one seed."""
    for arena in running_arena(runner, tmp_path_factory.mktemp("arena"), tables):
        db = StoreFixture(arena.store)
        db.populate("ash", "elm", owner="ada")
        db.store.write(lambda tx: tx.users.ensure("bob"))
        db.populate_more("bay", owner="bob")
        for number in range(2):
            for pair in combinations(BOTS, 2):
                _meet(arena, db, pair, number)
        yield arena


def _meet(arena: Arena, db: StoreFixture, pair: tuple[str, str], number: int) -> None:
    seed = sha256(f"{pair}/{number}".encode()).digest()
    for match in db.pair(*pair):
        _play(arena, db, match, seed)


def _play(arena: Arena, db: StoreFixture, match: int, seed: bytes) -> None:
    row = db.match(match)
    played = play(match, row.group, row.bots, seed, TASTES)
    db.start(match)
    arena.logs.write(match, played.log.data)
    db.report(MatchReport(match, played.result, seed, played.log.name))


def asked(arena: Arena, token: str = "organiser", **fields: Any) -> Any:
    return arena.call("GetFairPlayReport", token, **{"name": "ladders/main", **fields}).report


def test_one_bot_under_two_names_is_the_only_finding_worth_a_look(played: Arena) -> None:
    report = asked(played)
    worth = [each for each in report.findings if each.weight == Finding.WEIGHT_WORTH_A_LOOK]
    assert {(each.one, each.other) for each in worth} == {("bots/ash", "bots/bay")}
    first = report.findings[0]
    assert first.agreement.likeness == fair_play_pb2.AgreementNumbers.LIKENESS_POSITION
    assert first.agreement.agreement.value == 1
    assert 0 < first.agreement.chance.corrected < 0.001
    assert first.agreement.expected < 0.1
    assert first.agreement.overlap.low > 0.7
    assert "100 %" in first.sentence
    assert first.innocent_reasons
    assert not first.same_owner
    assert (report.matches, report.matches_read, report.bots) == (12, 12, 3)


def test_the_matches_named_are_of_the_two(played: Arena) -> None:
    named = asked(played).findings[0].matches
    assert named
    for match in named:
        number = int(match.removeprefix("matches/"))
        row = StoreFixture(played.store).match(number)
        assert set(row.bots) & {"ash", "bay"}


def test_a_report_is_limited_to_the_request(played: Arena) -> None:
    report = asked(played, matches=6, bots=["bots/elm"], findings=2)
    assert report.matches == 6
    assert len(report.findings) == 2
    assert all("bots/elm" in {each.one, each.other} for each in report.findings)
    assert report.findings_left_out > 0


def test_a_report_names_its_limits(played: Arena) -> None:
    assert any("not enough to say" in limit for limit in asked(played).limits)


def test_a_log_that_is_gone_is_counted_and_the_others_are_read(arena: Arena) -> None:
    db = StoreFixture(arena.store)
    db.populate("ash", "bay")
    _meet(arena, db, ("ash", "bay"), 0)
    arena.logs.path(1).unlink()
    arena.logs.path(2).write_bytes(b"no log")
    _meet(arena, db, ("ash", "bay"), 1)
    report = asked(arena)
    assert (report.matches, report.matches_read) == (4, 2)
    assert any("2 of 4 matches" in limit for limit in report.limits)


def test_a_report_is_made_anew_when_an_older_match_ends_last(arena: Arena) -> None:
    db = StoreFixture(arena.store)
    db.populate("ash", "bay")
    late = db.pair("ash", "bay")
    _meet(arena, db, ("ash", "bay"), 0)
    assert asked(arena).matches == 2
    for match in late:
        _play(arena, db, match, bytes(32))
    assert asked(arena).matches == 4


def test_a_named_bot_without_matches_is_an_error(played: Arena) -> None:
    StoreFixture(played.store).populate_more("ghost")
    error = refusal_of(asked, played, bots=["bots/ash", "bots/ghost"])
    assert error.reason == "TOO_FEW_MATCHES"
    assert error.sentence.startswith("ghost ")


def test_a_ladder_without_finished_matches_is_refused_with_what_to_do(arena: Arena) -> None:
    StoreFixture(arena.store).populate("ash", "bay")
    error = refusal_of(asked, arena)
    assert error.reason == "TOO_FEW_MATCHES"
    assert "let some be played" in error.sentence


def test_trade_totals_are_encoded_with_the_newest_matches() -> None:
    dealings = TradeTotals(
        "ash", "bay", tuple(range(1, 8)), 12, 9, {"gold": 40, "right:0": 1}, {"salt": 1}, 8, 0
    )
    made = Report(7, 7, 0, 1, 2, (), 0, (), (dealings,), 3)
    message = report_message("ladders/main", pickle.loads(pickle.dumps(made)))
    assert message.trades_left_out == 3
    [told] = message.trades
    assert (told.one, told.other, told.matches) == ("bots/ash", "bots/bay", 7)
    assert (told.offers, told.accepted, told.one_gifts, told.other_gifts) == (12, 9, 8, 0)
    assert (dict(told.one_gave), dict(told.other_gave)) == ({"gold": 40, "right:0": 1}, {"salt": 1})
    assert list(told.look_at) == [f"matches/{number}" for number in range(3, 8)]
