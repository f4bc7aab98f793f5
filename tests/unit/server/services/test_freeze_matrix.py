"""What is counted after the standings of a ladder froze shows in no answer to others than organisers.

Two arenas are the same up to the freeze and differ in what was counted later: who won, who forfeited, what was logged
and printed. Every method answers everybody but organisers the same in both. Organisers are the control: if a method
shows what differs at all, its answers to them differ.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import grpc
import pytest

from arena.core.match import DebugLine
from arena.server.auth.permissions import RULES
from arena.store.accounts.tokens import Role
from arena.store.matches.results import MatchReport
from arena.v1 import match_pb2, tournament_pb2
from tests.unit.runner.fakes import MatchFixture
from tests.unit.server.services.harness import Arena, RefusedError, running_arena
from tests.unit.server.services.test_export_service import a_log
from tests.unit.store.store_fixture import LADDER, StoreFixture, a_result

NAME = f"ladders/{LADDER}"
BOTS = ("bee", "cat", "dog")
GATE = tournament_pb2.Tournament.FORMAT_GATE
SWISS = tournament_pb2.Tournament.FORMAT_SWISS
FROZEN = ("FAILED_PRECONDITION", "STANDINGS_FROZEN")

Fields = dict[str, Any]

MATCHES: list[Fields] = [{"name": f"matches/{match}"} for match in range(1, 10)]
OF_BOTS: list[Fields] = [{"bot": f"bots/{bot}"} for bot in BOTS]

READS: dict[str, list[Fields]] = {
    "GetLadder": [{"name": NAME}],
    "ListLadders": [{}],
    "ListStandings": [{"name": NAME}],
    "ListBotStandings": OF_BOTS,
    "GetRatingHistory": [{"name": NAME, **bot} for bot in OF_BOTS],
    "RefitRatings": [{"name": NAME}],
    "ListQueue": [{"name": NAME}],
    "RecomputeLadder": [{"name": NAME}],
    "GetMatch": MATCHES,
    "WatchMatch": MATCHES,
    "DownloadMatchLog": MATCHES,
    "ListDebugLines": MATCHES,
    "ListMatches": [
        {},
        {"ladder": NAME},
        {"page_size": 1},
        *({"state": state} for state in match_pb2.MatchState.values() if state),
        *OF_BOTS,
    ],
    "ExportMatches": [{}, {"ladder": NAME}, {"game": "caravan"}, {"without_logs": True}, *OF_BOTS],
    "GetBotRecord": [*OF_BOTS, *({"ladder": NAME, **bot} for bot in OF_BOTS)],
    "GetBot": [{"name": bot["bot"]} for bot in OF_BOTS],
    "ListBots": [{}],
    "ListVersions": OF_BOTS,
    "GetSeason": [{"name": f"{NAME}/seasons/1"}],
    "ListSeasons": [{"ladder": NAME}],
    "GetFairPlayReport": [{"name": NAME}],
    "ListUserProgress": [{}],
    "ListAuditEntries": [{}],
    "ListVoidCounts": [{}],
    "GetUser": [{}],
    "ListUsers": [{}],
    "ListTournaments": [{}],
    "ListAnnouncements": [{}],
    "ListLogKeys": [{}],
    "ListWebhooks": [{}],
    "ListSubmissions": OF_BOTS,
}
"""Methods that read, and what they are asked here. A method that reads more than one thing is asked for all of them."""

ASKED_ELSEWHERE = {
    *("ListGames", "GetGame", "ListRuntimes", "LookUpInvite", "ListInvites", "GetTeam", "ListTeams"),
    *("GetOwnToken", "ListTokens", "GetAuditEntry", "ListNodes", "GetSubmission", "WatchSubmission"),
    *("GetTournament", "ListPairings", "ListRounds", "GetBracket", "GetCrosstable"),
}
"""They read nothing of a ladder; tournaments have results of their own."""

CHANGES: dict[str, Fields] = {
    "JoinLadder": {"name": NAME, "bot": "bots/bee"},
    "LeaveLadder": {"name": NAME, "bot": "bots/bee"},
    "SetBotHidden": {"name": "bots/bee"},
    "SetBotChallenges": {"name": "bots/bee"},
    "SetHosting": {"bot": "bots/bee", "mode": 1},
    "CreateTournament": {
        "tournament_id": "finals",
        "format": SWISS,
        "game": "caravan",
        "bots": [f"bots/{bot}" for bot in BOTS],
        "seeded_by": NAME,
    },
}
"""Changes that answer with something of a ladder or a bot, or that are planned from ratings."""

ORGANISERS = {
    *("CreateLadder", "RunLadder", "PauseLadder", "SetLadderAnchor", "RenameLadder", "SetLadderHidden"),
    *("SetLadderDeadline", "SetLadderFreeze", "RevealLadderRanks", "SetLadderArchived", "DeleteLadder"),
    *("CloseSeason", "ReplayMatch", "VoidMatch", "VoidBotMatches", "RunTournament", "PauseTournament"),
    *("RenameTournament", "SetTournamentHidden", "SetTournamentArchived", "DeleteTournament"),
    *("CreateUser", "ImportUsers", "SetUserRole", "SetUserDisabled", "SetUserQuotas", "SetUserTeam"),
    *("CreateInvite", "RevokeInvite", "CreateAnnouncement", "DeleteAnnouncement", "SetNodeDrained"),
    *("CreateWebhook", "DeleteWebhook", "TestWebhook"),
}
"""Changes that only organisers may make."""

ACCOUNTS = {
    *("CreateTeam", "JoinTeam", "LeaveTeam", "RenewTeamCode", "AcceptInvite"),
    *("CreateToken", "RevokeToken", "CreateBot", "CreateSubmission", "UploadArchive"),
    *("WithdrawFromTournament", "Play"),
}
"""Changes that answer with nothing of a ladder. A bot that plays sees how its own matches end (docs/class.md)."""

SHOW = {
    *("ListStandings", "ListBotStandings", "GetRatingHistory", "RefitRatings"),
    *("GetMatch", "WatchMatch", "DownloadMatchLog", "ListMatches", "ExportMatches", "GetBotRecord"),
    "GetFairPlayReport",
}
"""Methods whose answers to organisers differ between the two arenas."""

OTHERS = ("ada", "bob", "reader", "ant", None)
"""Owners who have seats in the matches, a spectator, a bot, and nobody."""


def test_every_method_is_considered() -> None:
    named = [*READS, *CHANGES, *ASKED_ELSEWHERE, *ORGANISERS, *ACCOUNTS]
    assert sorted(named) == sorted(path.rpartition("/")[2] for path in RULES)


def finish(arena: Arena, db: StoreFixture, match: int, winner: int, *, forfeit: bool = False) -> None:
    """Finish a match of two seats, which the bot on seat `winner` wins, with a log of its own."""
    log, name = a_log(10 * match + winner)
    arena.logs.write(match, log)
    if arena.store.read(lambda tx: tx.matches.get(match)).started_us is None:
        db.start(match)
    placings = (1, 2) if winner == 0 else (2, 1)
    result = a_result(*placings, absent=1 - winner if forfeit else None)
    db.report(MatchReport(match, result, bytes(32), name))
    lines = [[DebugLine(0, f"seat {seat}, winner {winner}")] for seat in range(2)]
    arena.debug_lines.write(MatchFixture(match=match).setup, lines)


def play_until_the_freeze(arena: Arena) -> tuple[StoreFixture, list[int]]:
    """Play a group to its end and a half one, and freeze; return the open matches."""
    db = StoreFixture(arena.store)
    db.populate("bee", "cat")
    db.populate_more("dog", owner="bob")
    arena.add_token("reader", Role.SPECTATOR, "ada")
    for match in db.pair("bee", "cat"):
        finish(arena, db, match, 0)
    half, left = db.pair("bee", "dog")
    finish(arena, db, half, 0)
    arena.call("SetLadderFreeze", "organiser", name=NAME, freeze_time={"seconds": 1})
    return db, [left, *db.pair("cat", "dog"), *db.pair("cat", "bee"), *db.pair("dog", "cat")]


@contextmanager
def frozen_arena(arenas: Iterator[Arena], winner: int) -> Iterator[Arena]:
    """Yield an arena with frozen standings, in which the bots on seats `winner` won since then."""
    arena = next(arenas)
    try:
        play_after_the_freeze(arena, *play_until_the_freeze(arena), winner)
        yield arena
    finally:
        next(arenas, None)


def play_after_the_freeze(arena: Arena, db: StoreFixture, open_ones: list[int], winner: int) -> None:
    """Finish all but two matches; one of these is in play, one waits."""
    *ended, running, _waiting = open_ones
    for match in ended:
        finish(arena, db, match, winner, forfeit=winner == 1)
    db.start(running)
    fixture = MatchFixture(2).begin()
    for _ in range(2 + winner):
        fixture.players[fixture.runner.state.seat_to_act].answer(winner)
    arena.runtime.spectator_views[running] = fixture.runner.spectator_view


Answers = dict[tuple[str, str | None], list[object]]


def answers_of(arena: Arena, calls: dict[str, list[Fields]]) -> Answers:
    """Return what every method answers everybody, or how it refuses."""
    return {
        (method, who): [answer(arena, method, who, fields) for fields in asked]
        for method, asked in calls.items()
        for who in (*OTHERS, "organiser")
    }


def answer(arena: Arena, method: str, who: str | None, fields: Fields) -> object:
    """Return an answer with all its bytes, or the refusal with its sentence."""
    try:
        if method == "WatchMatch":  # a match in play has no last response
            return arena.await_(first_response(arena, who, fields))
        response = arena.call(method, who, **fields)
    except RefusedError as refused:
        return (*refused.status, refused.sentence)
    responses = response if isinstance(response, list) else [response]
    return [each.SerializeToString(deterministic=True) for each in responses]


async def first_response(arena: Arena, who: str | None, fields: Fields) -> object:
    """Return the first response of a stream. Raises RefusedError."""
    stream = arena.open("WatchMatch", who, **fields)
    try:
        response = await stream.read()
    except grpc.aio.AioRpcError as error:
        raise RefusedError(error) from None
    stream.cancel()
    return response.SerializeToString(deterministic=True)


@pytest.fixture(scope="module")
def both(runner: Any, tmp_path_factory: pytest.TempPathFactory, tables: Any) -> list[Answers]:
    """Return the answers of both arenas: first those of what reads, then those of what changes something."""
    found = []
    for winner in (0, 1):
        arenas = running_arena(runner, tmp_path_factory.mktemp("arena"), tables)
        with frozen_arena(arenas, winner) as arena:
            read = answers_of(arena, READS)
            found.append(read | answers_of(arena, {method: [asked] for method, asked in CHANGES.items()}))
    return found


@pytest.mark.parametrize("who", OTHERS, ids=str)
@pytest.mark.parametrize("method", [*READS, *CHANGES])
def test_others_than_organisers_see_nothing_that_was_counted_later(
    both: list[Answers], method: str, who: str | None
) -> None:
    one, other = both
    assert one[method, who] == other[method, who]


def test_organisers_see_all_of_it(both: list[Answers]) -> None:
    one, other = both
    assert {method for method in READS if one[method, "organiser"] != other[method, "organiser"]} == SHOW


@pytest.mark.parametrize("method", ["GetMatch", "WatchMatch", "DownloadMatchLog"])
def test_a_match_that_counts_later_is_refused_and_one_from_before_is_not(
    both: list[Answers], method: str
) -> None:
    reasons = [answer[:2] if isinstance(answer, tuple) else () for answer in both[0][method, "bob"]]
    assert reasons[2:] == [FROZEN] * 7
    assert FROZEN not in reasons[:2]


def test_nothing_is_planned_from_frozen_ratings(both: list[Answers]) -> None:
    [refused] = both[0]["CreateTournament", "organiser"]
    assert isinstance(refused, tuple)
    assert refused[:2] == FROZEN
