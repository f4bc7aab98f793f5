"""What a bot has achieved, over a real connection: its record, standings and rating history."""

import time
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from arena.core.clock.time_control import TimeControl
from arena.core.match import SeedPolicy
from arena.core.match_record import MatchTerms
from arena.core.rating.rating import INITIAL
from arena.server.auth.admission_control import AdmissionControl
from arena.store.ladders.ladders import SecretRow
from arena.store.matches.groups import NewGroup
from arena.store.matches.matches import PlannedMatch
from arena.store.matches.results import MatchReport
from arena.v1 import bot_pb2, ending_pb2, ladder_pb2
from tests.unit.server.services.harness import FIELD_INVALID, Arena
from tests.unit.store.solo_store_fixture import GONE, SoloStoreFixture
from tests.unit.store.store_fixture import DAY, LADDER, StoreFixture, a_commitment, a_result, a_seat

BEE = {"bot": "bots/bee"}
NAME = f"ladders/{LADDER}"


def record(arena: Arena, **fields: object) -> bot_pb2.GetBotRecordResponse:
    """Return a page of bee's record."""
    page: bot_pb2.GetBotRecordResponse = arena.call("GetBotRecord", "bob", **{**BEE, **fields})
    return page


def standing(arena: Arena, bot: str = "bee") -> ladder_pb2.BotStanding:
    """Return the only standing of a bot."""
    (line,) = arena.call("ListBotStandings", "bob", bot=f"bots/{bot}").standings
    assert isinstance(line, ladder_pb2.BotStanding)
    return line


def rating_history(arena: Arena, bot: str = "bee", **fields: int) -> Any:
    """Return a rating history."""
    return arena.call("GetRatingHistory", "bob", name=NAME, bot=f"bots/{bot}", **fields)


def play(db: StoreFixture, *bots: str, version: str = "1") -> list[int]:
    """Play a group that the bots finish in this order; return its matches."""
    matches = list(db.pair(*bots))
    for number, match in enumerate(matches):
        places = [*range(1, len(bots) + 1)]
        db.start(match, **dict.fromkeys(bots, version))
        db.finish(match, *(places[number:] + places[:number]))
    return matches


def finish_with_scores(db: StoreFixture, match: int, *scores: int, forfeited: int | None = None) -> None:
    """Finish the match of two: the first seat is placed first."""
    db.start(match)
    seats = tuple(
        replace(a_seat(placing, forfeited=forfeited == placing - 1), score=score)
        for placing, score in enumerate(scores, start=1)
    )
    db.report(MatchReport(match, replace(a_result(1, 2), seats=seats), bytes(32), "ab" * 32))


def test_a_record_has_the_results_against_each_opponent(arena: Arena, db: StoreFixture) -> None:
    db.populate_more("dog")
    first, second = db.pair("bee", "cat")
    finish_with_scores(db, first, 31, 20)
    finish_with_scores(db, second, 18, 20, forfeited=1)  # bee has the second seat
    for match in db.pair("bee", "dog"):
        db.now_us += 100
        db.finish(match, 1, 1)
    db.pair("bee", "cat")  # not played
    found = record(arena)
    cat, dog = found.opponents
    assert (cat.bot, cat.matches, cat.wins, cat.ties, cat.losses) == ("bots/cat", 2, 1, 0, 1)
    assert cat.mean_score_difference_milli == 11_000
    assert (dog.bot, dog.wins, dog.ties, dog.losses) == ("bots/dog", 0, 2, 0)
    assert (dog.last_match, dog.last_match_time.ToMicroseconds()) == ("matches/4", db.now_us + 500)
    assert found.totals == bot_pb2.RecordTotals(matches=4, firsts=3, ties=2)
    endings = [(each.termination, each.fault, each.matches, each.last_match) for each in found.endings]
    assert endings == [
        (ending_pb2.TERMINATION_NORMAL, ending_pb2.FAULT_NONE, 3, "matches/4"),
        (ending_pb2.TERMINATION_TIME_FORFEIT, ending_pb2.FAULT_BOT, 1, "matches/2"),
    ]


def test_scores_are_not_compared_if_one_of_them_always_forfeited(arena: Arena, db: StoreFixture) -> None:
    finish_with_scores(db, db.pair("bee", "cat")[0], 31, 20, forfeited=1)
    (cat,) = record(arena).opponents
    assert (cat.matches, cat.wins) == (1, 1)
    assert not cat.HasField("mean_score_difference_milli")


def test_scores_of_several_games_are_compared_on_one_ladder_alone(arena: Arena, db: StoreFixture) -> None:
    play(db, "bee", "cat")
    arena.call("CreateLadder", "organiser", ladder_id="zoo", game="wasteland")
    terms = MatchTerms("wasteland", 1, {}, TimeControl(), rated=True, ladder="zoo")
    secret = SecretRow(DAY, bytes(32), a_commitment("zoo"), None)
    arena.change(lambda tx: tx.ladders.add_secret("zoo", secret))
    new = NewGroup("zoo", DAY, ("bee", "cat"), SeedPolicy.DERIVED, terms)
    plan = (
        PlannedMatch(("bee", "cat"), 0, a_commitment("g")),
        PlannedMatch(("cat", "bee"), 1, a_commitment("h")),
    )
    _, (match, _) = arena.store.write(lambda tx: tx.groups.create(new, lambda _: plan, 1_000))
    db.finish(match, 1, 2)
    (both,), (one,) = record(arena).opponents, record(arena, ladder=NAME).opponents
    assert (both.matches, both.HasField("mean_score_difference_milli")) == (3, False)
    assert (one.matches, one.mean_score_difference_milli) == (2, 1_000)


def test_void_matches_are_in_no_record(arena: Arena, db: StoreFixture) -> None:
    first, second = play(db, "bee", "cat")
    assert record(arena).totals.matches == 2
    db.void(second)
    found = record(arena)
    assert [(each.matches, each.last_match) for each in found.opponents] == [(1, f"matches/{first}")]
    assert [each.matches for each in found.endings] == [1]
    assert found.totals.matches == 1
    db.void(first)
    assert record(arena) == bot_pb2.GetBotRecordResponse(totals=bot_pb2.RecordTotals())


def test_hidden_opponents_are_named_as_in_the_list_of_matches(arena: Arena, db: StoreFixture) -> None:
    play(db, "bee", "cat")
    arena.change(lambda tx: tx.bots.set_hidden("cat", True))
    listed = arena.call("ListMatches", "bob", bot="bots/bee").matches
    named = {seat.bot for match in listed for seat in match.seats} - {"bots/bee"}
    assert {each.bot for each in record(arena).opponents} == named == {"bots/cat"}


def test_endings_and_totals_are_on_the_first_page_of_opponents_alone(arena: Arena, db: StoreFixture) -> None:
    db.populate_more("dog", "eel")
    play(db, "bee", "cat", "dog", "eel")
    first = record(arena, page_size=2)
    second = record(arena, page_size=2, page_token=first.next_page_token)
    opponents = [each.bot for page in (first, second) for each in page.opponents]
    assert opponents == ["bots/cat", "bots/dog", "bots/eel"]
    assert (len(first.endings), first.totals.matches) == (1, 4)
    assert (len(second.endings), second.HasField("totals"), second.next_page_token) == (0, False, "")
    fields = {**BEE, "ladder": NAME, "page_token": first.next_page_token}
    assert arena.refusal("GetBotRecord", "bob", **fields).reason == "PAGE_TOKEN_INVALID"


def test_the_standing_of_a_bot_is_its_line_of_the_standings(arena: Arena, db: StoreFixture) -> None:
    db.populate_more("dog", "eel", "elk", "fox")
    play(db, "bee", "cat", "dog", "eel", "fox")
    for bot, rating in {"bee": 9, "cat": 7, "dog": 7, "eel": 5, "fox": 5}.items():
        wanted = replace(INITIAL, rating_milli=rating)
        arena.change(lambda tx, bot=bot, wanted=wanted: tx.entries.set_rating(LADDER, bot, wanted))  # type: ignore[misc]
    db.pair("cat", "dog")
    arena.change(lambda tx: tx.bots.set_hidden("fox", True))
    arena.change(lambda tx: tx.entries.leave(LADDER, "eel"))
    lines = arena.call("ListStandings", "bob", name=NAME).standings
    assert [line.rank for line in lines] == [1, 2, 2, 4, 0]
    for line in lines:
        own = standing(arena, line.bot.removeprefix("bots/"))
        assert own.standing == line
        assert (own.ladder, own.game, own.entries, own.ranked) == (NAME, "caravan", 4, 4)
        assert own.withdrawn is (line.bot == "bots/eel")
    hidden = standing(arena, "fox")
    assert (hidden.standing.rank, hidden.standing.matches) == (0, 5)


def test_a_bot_has_a_standing_on_each_of_its_ladders(arena: Arena, db: StoreFixture) -> None:
    for ladder in ("alone", "zoo", "empty"):
        arena.call("CreateLadder", "organiser", ladder_id=ladder, game="caravan")
    for ladder in ("alone", "zoo"):
        arena.call("JoinLadder", "ada", name=f"ladders/{ladder}", bot="bots/bee")
    listed = arena.call("ListBotStandings", "bob", bot="bots/bee").standings
    assert [line.ladder for line in listed] == ["ladders/alone", "ladders/main", "ladders/zoo"]
    assert [(line.entries, line.ranked) for line in listed] == [(1, 0), (2, 0), (1, 0)]
    assert not arena.call("ListBotStandings", "bob", bot="bots/ant").standings


@pytest.fixture
def solo(arena: Arena) -> SoloStoreFixture:
    """Return a solo ladder of five bots."""
    solo = SoloStoreFixture(arena.store)
    solo.join("bee", "cat", "dog", "eel", "fox")
    solo.play({"bee": 44, "cat": 30, "fox": 30})
    solo.play({"bee": 28, "cat": GONE, "dog": 28})
    return solo


def test_the_standing_on_a_solo_ladder_is_its_line_too(arena: Arena, solo: SoloStoreFixture) -> None:
    hidden_before = standing(arena, "cat")
    arena.change(lambda tx: tx.bots.set_hidden("cat", True))
    lines = arena.call("ListStandings", "bob", name=NAME).standings
    assert sorted(line.bot for line in lines) == ["bots/bee", "bots/dog", "bots/eel", "bots/fox"]
    for line in lines:
        own = standing(arena, line.bot.removeprefix("bots/"))
        assert (own.standing, own.ranked, own.game) == (line, 3, "caravanserai")
    hidden = standing(arena, "cat")
    assert (hidden_before.standing.rank > 0, hidden.standing.rank) == (True, 0)
    assert hidden.standing.solo == hidden_before.standing.solo


def test_the_scores_of_a_solo_ladder_change_with_its_boards(arena: Arena, solo: SoloStoreFixture) -> None:
    before = standing(arena)
    solo.play({"bee": 2, "dog": 40})
    assert standing(arena).standing.solo.boards == before.standing.solo.boards + 1
    assert standing(arena).standing.solo.mean_score_milli < before.standing.solo.mean_score_milli


def test_a_rating_history_has_a_point_for_each_group(arena: Arena, db: StoreFixture) -> None:
    play(db, "bee", "cat")
    db.now_us += 1_000
    groups = [play(db, "bee", "cat", version="2"), play(db, "bee", "cat", version="2")]
    db.void(groups[0][0])
    found = rating_history(arena)
    assert (found.ladder, found.bot, found.total_points) == (NAME, "bots/bee", 4)
    points = found.points
    assert [point.matches for point in points] == [2, 4, 6, 4]
    assert [point.group for point in points] == ["g1", "g2", "g3", "g2"]
    assert [point.match for point in points] == ["matches/2", "matches/4", "matches/6", "matches/4"]
    assert [point.taken_back for point in points] == [False, False, False, True]
    versions = [point.bot_version.removeprefix("bots/bee/versions/") for point in points]
    assert versions == ["1", "2", "2", "2"]
    times = [point.time.ToMicroseconds() for point in points]
    assert times == [1_500, 2_500, 2_500, 7_000]
    now = standing(arena).standing
    last = points[-1]
    assert (last.rating_milli, last.uncertainty_milli) == (now.rating_milli, now.uncertainty_milli)
    assert last.matches == now.matches


def test_a_rating_history_is_thinned_to_the_points_wanted(arena: Arena, db: StoreFixture) -> None:
    groups = [play(db, "bee", "cat", version=str(number // 8)) for number in range(16)]
    thinned = rating_history(arena, max_points=4)
    assert thinned.total_points == len(rating_history(arena).points) == len(groups)
    kept = [int(point.group.removeprefix("g")) for point in thinned.points]
    assert len(kept) == 4
    assert {1, 9, 16} <= set(kept)
    assert [point.group for point in rating_history(arena, max_points=1).points] == ["g16"]
    assert len(rating_history(arena, max_points=1_000).points) == 16
    too_many = {"name": NAME, "bot": "bots/bee", "max_points": 1_001}
    assert arena.refusal("GetRatingHistory", "bob", **too_many).status == FIELD_INVALID


def test_a_bot_that_was_withdrawn_or_hidden_keeps_its_history(arena: Arena, db: StoreFixture) -> None:
    play(db, "bee", "cat")
    before = rating_history(arena)
    arena.change(lambda tx: tx.entries.leave(LADDER, "bee"))
    arena.change(lambda tx: tx.bots.set_hidden("bee", True))
    assert rating_history(arena) == before
    assert len(before.points) == 1


def test_a_bot_that_has_not_played_has_a_history_without_points(arena: Arena, db: StoreFixture) -> None:
    assert rating_history(arena) == ladder_pb2.GetRatingHistoryResponse(ladder=NAME, bot="bots/bee")


def test_a_call_is_charged_the_time_of_its_reads_where_its_answer_is_short(
    arena: Arena, db: StoreFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(db, "bee", "cat")
    charged: list[float] = []
    times = count(0, 2.0)
    monkeypatch.setattr(AdmissionControl, "charge", lambda _self, _source, work_s: charged.append(work_s))
    rating_history(arena)
    assert 0 < sum(charged) < 1
    charged.clear()
    monkeypatch.setattr(time, "thread_time", lambda: next(times))
    rating_history(arena)
    assert charged == [2.0]
