"""Ladders and tournaments that are archived, and those that can be deleted."""

from collections.abc import Mapping
from typing import Any

import pytest

from arena.core.clock.time_control import TimeControl
from arena.core.match import MatchState
from arena.core.match_record import MatchTerms
from arena.store.audit.entries import AuditKind
from arena.store.matches.matches import PlannedMatch
from arena.store.store import Transaction
from arena.v1 import ladder_pb2, tournament_pb2
from tests.unit.server.services.harness import Arena
from tests.unit.store.store_fixture import LADDER, StoreFixture

NAME = f"ladders/{LADDER}"
CUP = "tournaments/cup"
ARCHIVED = ("FAILED_PRECONDITION", "EVENT_ARCHIVED")
NOT_EMPTY = ("FAILED_PRECONDITION", "EVENT_NOT_EMPTY")
NEW_CUP: Mapping[str, Any] = {
    "tournament_id": "cup",
    "format": tournament_pb2.Tournament.FORMAT_ROUND_ROBIN,
    "game": "caravan",
    "bots": ["bots/bee", "bots/cat"],
    "seats": 2,
}


@pytest.fixture
def cup(arena: Arena, db: StoreFixture) -> str:
    """Return a tournament that was not started."""
    arena.call("CreateTournament", "organiser", **NEW_CUP)
    return CUP


def rows(arena: Arena) -> dict[str, int]:
    """Return how many rows each table has, without the audit trail and its like."""
    with arena.store._readers.connect() as connection:
        tables = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'").scalars()
        names = [each for each in tables if not each.startswith(("sqlite_", "audit", "alembic", "requests"))]
        return {
            each: connection.exec_driver_sql(f"SELECT count(*) FROM {each}").scalar_one() for each in names
        }


def test_an_archived_ladder_is_paused_and_listed_only_to_who_asks(arena: Arena, db: StoreFixture) -> None:
    arena.call("RunLadder", "organiser", name=NAME)
    ladder = arena.call("SetLadderArchived", "organiser", name=NAME, archived=True).ladder
    assert (ladder.archived, ladder.state) == (True, ladder_pb2.Ladder.STATE_PAUSED)
    assert not arena.call("ListLadders", "bob").ladders
    assert [each.name for each in arena.call("ListLadders", "bob", show_archived=True).ladders] == [NAME]
    assert arena.call("GetLadder", "bob", name=NAME).ladder.archived
    assert arena.call("ListStandings", "bob", name=NAME).standings
    assert arena.refusal("RunLadder", "organiser", name=NAME).status == ARCHIVED
    assert arena.refusal("JoinLadder", "ada", name=NAME, bot="bots/ant").status == ARCHIVED
    assert arena.call("LeaveLadder", "ada", name=NAME, bot="bots/bee")
    back = arena.call("SetLadderArchived", "organiser", name=NAME).ladder
    assert (back.archived, back.state) == (False, ladder_pb2.Ladder.STATE_PAUSED)
    assert arena.call("ListLadders", "bob").ladders
    arena.call("JoinLadder", "ada", name=NAME, bot="bots/bee")
    arena.call("RunLadder", "organiser", name=NAME)
    about = [entry for entry in arena.audited() if entry.kind is AuditKind.EVENT]
    assert sum("archive" in entry.sentence for entry in about) == 2


def test_a_hidden_ladder_stays_hidden_to_who_asks_for_archived_ones(arena: Arena, db: StoreFixture) -> None:
    arena.call("SetLadderArchived", "organiser", name=NAME, archived=True)
    arena.call("SetLadderHidden", "organiser", name=NAME, hidden=True)
    assert not arena.call("ListLadders", "bob", show_archived=True).ladders
    assert not arena.call("ListLadders", "organiser", show_hidden=True).ladders
    assert arena.call("ListLadders", "organiser", show_hidden=True, show_archived=True).ladders


def test_a_tournament_is_archived_unless_it_runs(arena: Arena, cup: str) -> None:
    arena.call("RunTournament", "organiser", name=cup)
    refused = arena.refusal("SetTournamentArchived", "organiser", name=cup, archived=True)
    assert refused.status == ("FAILED_PRECONDITION", "TOURNAMENT_STATE")
    arena.call("PauseTournament", "organiser", name=cup)
    assert arena.call("SetTournamentArchived", "organiser", name=cup, archived=True).tournament.archived
    assert not arena.call("ListTournaments", "bob").tournaments
    assert [each.name for each in arena.call("ListTournaments", "bob", show_archived=True).tournaments] == [
        cup
    ]
    assert arena.call("GetTournament", "bob", name=cup).tournament.archived
    assert arena.refusal("RunTournament", "organiser", name=cup).status == ARCHIVED
    arena.call("SetTournamentArchived", "organiser", name=cup)
    arena.call("RunTournament", "organiser", name=cup)


def test_a_ladder_without_matches_is_deleted_with_all_it_has_and_its_id_is_free(
    arena: Arena, db: StoreFixture
) -> None:
    before = rows(arena)
    new = {"ladder_id": "mistyped", "game": "caravan", "seat_counts": [2]}
    name = "ladders/mistyped"
    for _ in range(2):
        arena.call("CreateLadder", "organiser", **new)
        arena.call("JoinLadder", "ada", name=name, bot="bots/bee")
        arena.call("SetLadderAnchor", "organiser", name=name, bot="bots/bee", rating_milli=1_400_000)
        assert rows(arena) != before
        assert arena.call("DeleteLadder", "organiser", name=name).ladder.name == name
        assert rows(arena) == before
        assert arena.refusal("GetLadder", "bob", name=name).reason == "LADDER_NOT_FOUND"
    entry = arena.audited()[0]
    assert (entry.kind, entry.about, entry.actor is not None) == (AuditKind.EVENT, (name,), True)


def test_a_ladder_with_matches_is_not_deleted(arena: Arena, db: StoreFixture) -> None:
    db.pair("bee", "cat")  # they have not begun
    before = rows(arena)
    refused = arena.refusal("DeleteLadder", "organiser", name=NAME)
    assert (refused.status, refused.metadata["ladder"]) == (NOT_EMPTY, LADDER)
    assert rows(arena) == before


@pytest.mark.parametrize("format_", ["FORMAT_ROUND_ROBIN", "FORMAT_SWISS", "FORMAT_KNOCKOUT"])
def test_a_tournament_without_matches_is_deleted_with_its_plan(
    arena: Arena, db: StoreFixture, format_: str
) -> None:
    before = rows(arena)
    for _ in range(2):
        arena.call(
            "CreateTournament",
            "organiser",
            **{**NEW_CUP, "format": tournament_pb2.Tournament.Format.Value(format_)},
        )
        arena.call("RunTournament", "organiser", name=CUP)
        assert arena.call("DeleteTournament", "organiser", name=CUP).tournament.name == CUP
        assert rows(arena) == before


def test_a_tournament_with_a_match_is_not_deleted(arena: Arena, cup: str) -> None:
    def make_matches(tx: Transaction) -> None:
        (pairing,) = tx.pairings.page("cup", after=0, limit=9)
        terms = MatchTerms("caravan", 1, {}, TimeControl(), rated=False, tournament="cup")
        tx.groups.add_matches(pairing.group, terms, [PlannedMatch(pairing.bots, 1, bytes(32))], 1_000)

    arena.change(make_matches)
    refused = arena.refusal("DeleteTournament", "organiser", name=cup)
    assert (refused.status, refused.metadata["tournament"]) == (NOT_EMPTY, "cup")
    assert arena.call("ListMatches", "bob", tournament=cup, state=MatchState.PENDING.value).matches


@pytest.mark.parametrize("method", ["SetLadderArchived", "DeleteLadder"])
def test_only_organisers_archive_and_delete(arena: Arena, cup: str, method: str) -> None:
    of_tournaments = method.replace("Ladder", "Tournament")
    for who in ("ada", "bob"):
        assert arena.refusal(method, who, name=NAME).reason == "ROLE_REQUIRED"
        assert arena.refusal(of_tournaments, who, name=cup).reason == "ROLE_REQUIRED"
