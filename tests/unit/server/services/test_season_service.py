"""Seasons, anchors, titles and hidden ladders, over a real connection: docs/seasons.md."""

from typing import Any

import pytest

from arena.core.rating.rating import Rating
from arena.core.rating.seasons import pulled
from arena.core.seasons import read_document, signed_message
from arena.match_log.keys import PublicKey
from arena.store.audit.entries import AuditKind
from arena.store.bots.bots import BotRow
from arena.store.ladders.entries import EntryCounts
from arena.v1 import season_pb2
from tests.unit.server.services.harness import Arena
from tests.unit.store.store_fixture import LADDER, StoreFixture

NAME = f"ladders/{LADDER}"
BEE = {"name": NAME, "bot": "bots/bee"}


@pytest.fixture
def db(arena: Arena) -> StoreFixture:
    """Return a ladder on which bee has won a group against cat."""
    db = StoreFixture(arena.store)
    db.populate("bee", "cat", "dog")
    play(db, "bee", "cat")
    return db


def play(db: StoreFixture, *bots: str) -> None:
    """Play a group that the bots finish in this order."""
    for number, match in enumerate(db.pair(*bots)):
        places = [*range(1, len(bots) + 1)]
        db.finish(match, *(places[number:] + places[:number]))


def close(arena: Arena, **fields: int) -> season_pb2.Season:
    season = arena.call("CloseSeason", "organiser", ladder=NAME, **fields).season
    assert isinstance(season, season_pb2.Season)
    return season


def ranks(arena: Arena, who: str = "bob") -> dict[str, int]:
    lines = arena.call("ListStandings", who, name=NAME).standings
    return {line.bot.partition("/")[2]: line.rank for line in lines}


def test_a_season_closed_is_signed_with_a_log_key_and_stays_readable(arena: Arena, db: StoreFixture) -> None:
    season = close(arena)
    assert (season.name, season.number, season.keep_percent, season.bots) == (f"{NAME}/seasons/1", 1, 75, 2)
    keys = {key.key_id: key.public_key for key in arena.call("ListLogKeys", "bob").keys}
    key = PublicKey(keys[season.key_id])
    assert key.signed(signed_message(season.document), season.signature)
    assert not key.signed(signed_message(season.document + " "), season.signature)
    assert [(line.rank, line.bot) for line in read_document(season.document).lines] == [
        (1, "bee"),
        (2, "cat"),
    ]
    play(db, "cat", "bee")
    assert arena.call("GetSeason", "bob", name=season.name).season == season
    (listed,) = arena.call("ListSeasons", "bob", ladder=NAME).seasons
    assert (listed.number, listed.document, listed.signature) == (1, "", b"")


def test_after_a_close_nobody_has_a_rank_until_a_match_counts(arena: Arena, db: StoreFixture) -> None:
    assert ranks(arena) == {"bee": 1, "cat": 2, "dog": 0}
    rating = db.entries()["bee"].rating
    close(arena, keep_percent=40)
    assert ranks(arena) == {"bee": 0, "cat": 0, "dog": 0}
    assert db.entries()["bee"].rating == pulled(rating, 40)
    assert arena.call("GetLadder", "bob", name=NAME).ladder.season == 2
    play(db, "cat", "dog")
    assert {bot for bot, rank in ranks(arena).items() if rank} == {"cat", "dog"}
    assert arena.call("RecomputeLadder", "organiser", name=NAME).identical


def test_a_close_is_in_the_audit_trail_and_in_the_rating_history(arena: Arena, db: StoreFixture) -> None:
    close(arena)
    (entry,) = [each for each in arena.audited() if each.kind is AuditKind.EVENT]
    assert (entry.about, entry.actor is not None) == ((NAME,), True)
    points = arena.call("GetRatingHistory", "bob", **BEE).points
    assert [(point.closed_season, point.group, point.match) for point in points] == [
        (0, "g1", "matches/2"),
        (1, "", ""),
    ]
    assert points[1].bot_version == points[0].bot_version
    assert points[1].uncertainty_milli > points[0].uncertainty_milli


def test_only_organisers_close_seasons_and_set_anchors(arena: Arena, db: StoreFixture) -> None:
    requests: dict[str, dict[str, Any]] = {
        "CloseSeason": {"ladder": NAME},
        "SetLadderAnchor": {**BEE, "rating_milli": 5},
        "RenameLadder": {"name": NAME},
        "SetLadderHidden": {"name": NAME, "hidden": True},
        "RenameTournament": {"name": "tournaments/cup"},
        "SetTournamentHidden": {"name": "tournaments/cup", "hidden": True},
    }
    for method, fields in requests.items():
        assert arena.refusal(method, "ada", **fields).status == ("PERMISSION_DENIED", "ROLE_REQUIRED")


def test_an_anchor_is_shown_without_rank_and_keeps_its_rating(arena: Arena, db: StoreFixture) -> None:
    arena.call("SetLadderAnchor", "organiser", **BEE, rating_milli=1_450_000)
    play(db, "cat", "dog")
    play(db, "bee", "cat")
    play(db, "bee", "dog")
    lines = {line.bot: line for line in arena.call("ListStandings", "bob", name=NAME).standings}
    bee = lines["bots/bee"]
    assert (bee.rank, bee.anchor, bee.rating_milli, bee.matches) == (0, True, 1_450_000, 6)
    assert sorted(line.rank for line in lines.values()) == [0, 1, 2]
    (own,) = arena.call("ListBotStandings", "bob", bot="bots/bee").standings
    assert (own.standing.rank, own.standing.anchor, own.ranked) == (0, True, 2)
    refitted = {line.bot_version: line for line in arena.call("RefitRatings", "bob", name=NAME).ratings}
    version = refitted["bots/bee/versions/1"]
    assert (version.anchor, version.rating_milli, version.low_milli) == (True, 1_450_000, 1_450_000)
    points = arena.call("GetRatingHistory", "bob", **BEE).points
    assert [point.anchored for point in points] == [False, True, False, False]
    arena.call("SetLadderAnchor", "organiser", **BEE)
    assert db.entries()["bee"].rating == Rating(1_450_000, 8_163_265, "1", 0)
    assert 0 not in ranks(arena).values()
    assert arena.call("RecomputeLadder", "organiser", name=NAME).identical


def test_ranks_do_not_depend_on_the_page_where_an_anchor_is(arena: Arena, db: StoreFixture) -> None:
    play(db, "cat", "dog")
    arena.call("SetLadderAnchor", "organiser", name=NAME, bot="bots/cat", rating_milli=1_500_000)
    found: dict[str, int] = {}
    token = ""
    for _ in range(3):
        page = arena.call("ListStandings", "bob", name=NAME, page_size=1, page_token=token)
        found |= {line.bot.partition("/")[2]: line.rank for line in page.standings}
        token = page.next_page_token
    assert found == ranks(arena) == {"bee": 1, "cat": 0, "dog": 2}


def test_an_organiser_is_recorded_who_makes_a_bot_of_their_own_an_anchor(
    arena: Arena, db: StoreFixture
) -> None:
    db.populate_more("own", owner="root")
    arena.call("SetLadderAnchor", "organiser", name=NAME, bot="bots/own", rating_milli=1_500_000)
    assert "bots/own" in arena.audited()[0].about


def test_a_title_is_shown_beside_the_id(arena: Arena, db: StoreFixture) -> None:
    title = "Frühling 2026, Gruppe A"
    assert arena.call("RenameLadder", "organiser", name=NAME, title=title).ladder.title == title
    ladder = arena.call("GetLadder", "bob", name=NAME).ladder
    assert (ladder.name, ladder.title) == (NAME, title)
    assert not arena.call("RenameLadder", "organiser", name=NAME).ladder.title


def test_a_hidden_ladder_is_left_out_of_listings_but_found_by_its_name(
    arena: Arena, db: StoreFixture
) -> None:
    assert arena.call("SetLadderHidden", "organiser", name=NAME, hidden=True).ladder.hidden
    assert not arena.call("ListLadders", "bob").ladders
    assert not arena.call("ListLadders", "organiser").ladders
    assert [each.name for each in arena.call("ListLadders", "organiser", show_hidden=True).ladders] == [NAME]
    assert arena.call("GetLadder", "bob", name=NAME).ladder.hidden
    assert not arena.call("ListBotStandings", "bob", bot="bots/bee").standings
    for who in ("organiser", "ada"):  # ada owns the bot
        assert arena.call("ListBotStandings", who, bot="bots/bee").standings
    arena.call("SetLadderHidden", "organiser", name=NAME, hidden=False)
    assert arena.call("ListLadders", "bob").ladders


def test_a_tournament_has_a_title_and_can_be_hidden(arena: Arena, db: StoreFixture) -> None:
    cup = {
        "tournament_id": "cup",
        "format": 1,
        "game": "caravan",
        "bots": ["bots/bee", "bots/cat"],
        "seats": 2,
    }
    arena.call("CreateTournament", "organiser", **cup)
    name = "tournaments/cup"
    arena.call("RenameTournament", "organiser", name=name, title="Spring cup")
    arena.call("SetTournamentHidden", "organiser", name=name, hidden=True)
    assert not arena.call("ListTournaments", "bob").tournaments
    (listed,) = arena.call("ListTournaments", "organiser", show_hidden=True).tournaments
    assert (listed.name, listed.title, listed.hidden) == (name, "Spring cup", True)
    assert arena.call("GetTournament", "bob", name=name).tournament == listed


def test_two_divisions_are_closed_in_one_step_and_swap_bots(arena: Arena, db: StoreFixture) -> None:
    arena.call("CreateLadder", "organiser", ladder_id="low", game="caravan", seat_counts=[2])
    both = {"ladder": NAME, "lower_ladders": ["ladders/low"], "swap": 1}
    refused = arena.refusal("CloseSeason", "organiser", **both)
    assert refused.status == ("FAILED_PRECONDITION", "TOO_FEW_MATCHES")
    assert arena.call("GetLadder", "bob", name=NAME).ladder.season == 1  # neither is closed
    arena.change(lambda tx: tx.bots.add(BotRow("elk", "ada", "", False, 1)))
    arena.change(lambda tx: tx.entries.join("low", "elk", 1))
    entry = arena.store.read(lambda tx: tx.entries.get("low", "elk"))
    arena.change(lambda tx: tx.entries.add_counts(entry, EntryCounts(2, 2, 0, 0, 0, 0, None), entry.rating))
    closed = arena.call("CloseSeason", "organiser", **both)
    names = [season.name for season in (closed.season, *closed.lower_seasons)]
    assert names == [f"{NAME}/seasons/1", "ladders/low/seasons/1"]
    moves = [(move.bot, move.from_ladder, move.to_ladder) for move in closed.moves]
    assert moves == [("bots/elk", "ladders/low", NAME), ("bots/cat", NAME, "ladders/low")]
    assert arena.call("GetLadder", "bob", name="ladders/low").ladder.season == 2
    assert {"bots/elk", "bots/bee"} <= {
        each.bot for each in arena.call("ListStandings", "bob", name=NAME).standings
    }
    assert [each.about for each in arena.audited() if len(each.about) == 3] == moves[::-1]
