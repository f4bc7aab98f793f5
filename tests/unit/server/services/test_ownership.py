"""Whose things a method touches: each that names somebody's is refused to everybody else (row 3).

A method that is new has to be put into one of the three lists here.
"""

from collections.abc import Mapping
from typing import Any

import pytest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from arena.server.auth.permissions import RULES, Right
from arena.store.accounts.tokens import Role
from arena.v1 import bot_pb2, ladder_pb2, match_pb2, submission_pb2, token_pb2, tournament_pb2, user_pb2
from tests.unit.server.services.callers import METHODS
from tests.unit.server.services.harness import Arena, RefusedError
from tests.unit.store.store_fixture import LADDER, StoreFixture

PUBLIC = {
    "/arena.v1.GameService/ListGames",
    "/arena.v1.GameService/GetGame",
    "/arena.v1.BotService/GetBot",
    "/arena.v1.BotService/ListBots",
    "/arena.v1.BotService/ListVersions",
    "/arena.v1.MatchService/GetMatch",
    "/arena.v1.MatchService/ListMatches",
    "/arena.v1.MatchService/WatchMatch",
    "/arena.v1.MatchService/DownloadMatchLog",
    "/arena.v1.MatchService/ListLogKeys",
    "/arena.v1.LadderService/GetLadder",
    "/arena.v1.LadderService/ListLadders",
    "/arena.v1.LadderService/ListStandings",
    "/arena.v1.LadderService/ListQueue",
    "/arena.v1.LadderService/RefitRatings",
    "/arena.v1.TournamentService/GetTournament",
    "/arena.v1.TournamentService/ListTournaments",
    "/arena.v1.TournamentService/ListPairings",
    "/arena.v1.TournamentService/GetCrosstable",
}
"""They show the same to everybody who may call them, whoever's bots are in it."""

ONES_OWN = {
    "/arena.v1.TokenService/ListTokens",
    "/arena.v1.TokenService/GetOwnToken",
    "/arena.v1.PlayService/Play",
}
"""They name nobody's things: what they are about follows from the token."""

THE_ORGANISERS = {path for path, rule in RULES.items() if rule.right is Right.ORGANISER}
"""Organisers own everything, but for debug lines and what programs write."""

SUBMISSION = "bots/ant/submissions/1"
CHALLENGE = tournament_pb2.Tournament.FORMAT_CHALLENGE
OWNED: Mapping[str, Message] = {
    "/arena.v1.BotService/CreateBot": bot_pb2.CreateBotRequest(bot_id="new", owner="owners/ada"),
    "/arena.v1.BotService/SetBotHidden": bot_pb2.SetBotHiddenRequest(name="bots/ant", hidden=True),
    "/arena.v1.BotService/SetBotChallenges": bot_pb2.SetBotChallengesRequest(name="bots/ant", refused=True),
    "/arena.v1.BotService/SetHosting": bot_pb2.SetHostingRequest(
        bot="bots/ant", mode=bot_pb2.Hosting.MODE_OFF
    ),
    "/arena.v1.SubmissionService/CreateSubmission": submission_pb2.CreateSubmissionRequest(
        bot="bots/ant", archive_sha256="ef" * 32, archive_bytes=10
    ),
    "/arena.v1.SubmissionService/UploadArchive": submission_pb2.UploadArchiveRequest(name=SUBMISSION),
    "/arena.v1.SubmissionService/GetSubmission": submission_pb2.GetSubmissionRequest(name=SUBMISSION),
    "/arena.v1.SubmissionService/ListSubmissions": submission_pb2.ListSubmissionsRequest(bot="bots/ant"),
    "/arena.v1.SubmissionService/WatchSubmission": submission_pb2.WatchSubmissionRequest(name=SUBMISSION),
    "/arena.v1.TokenService/CreateToken": token_pb2.CreateTokenRequest(
        role=token_pb2.ROLE_BOT, bot="bots/ant"
    ),
    "/arena.v1.TokenService/RevokeToken": token_pb2.RevokeTokenRequest(),
    "/arena.v1.UserService/GetUser": user_pb2.GetUserRequest(name="users/ada"),
    "/arena.v1.MatchService/ListDebugLines": match_pb2.ListDebugLinesRequest(name="matches/1"),
    "/arena.v1.LadderService/JoinLadder": ladder_pb2.JoinLadderRequest(
        name=f"ladders/{LADDER}", bot="bots/bee"
    ),
    "/arena.v1.LadderService/LeaveLadder": ladder_pb2.LeaveLadderRequest(
        name=f"ladders/{LADDER}", bot="bots/bee"
    ),
    "/arena.v1.TournamentService/CreateTournament": tournament_pb2.CreateTournamentRequest(
        format=CHALLENGE, game="caravan", bots=["bots/bee", "bots/cat"], seats=2
    ),
}
"""They name something of ada's here."""


SHOWN: Mapping[str, Mapping[str, str]] = {
    "GetBot": {"name": "bots/ant"},
    "ListVersions": {"bot": "bots/ant"},
    "GetMatch": {"name": "matches/1"},
    "WatchMatch": {"name": "matches/1"},
    "DownloadMatchLog": {"name": "matches/1"},
    "GetLadder": {"name": f"ladders/{LADDER}"},
    "ListStandings": {"name": f"ladders/{LADDER}"},
}
"""What public methods are asked for, where a name is needed."""


@pytest.fixture(scope="module")
def populated(shared_arena: Arena) -> Arena:
    """ada has a match, a submission and a version; beside bob there is the spectator sam, and ada is one elsewhere."""
    db = StoreFixture(shared_arena.store)
    db.populate("bee", "cat", owner="ada")
    first, second = db.pair("bee", "cat")
    db.finish(first, 1, 2)
    db.start(
        second
    )  # of what is pending others are told less: tests/unit/server/services/test_match_service.py
    db.submit("ant", "ab" * 32)
    shared_arena.add_token("sam", Role.SPECTATOR, "sam")
    shared_arena.add_token("spare", Role.OWNER, "ada")
    return shared_arena


def answer(arena: Arena, path: str, who: str) -> str:
    """Return the reason of the refusal; empty if there is none."""
    request: Any = OWNED[path]
    if path.endswith("/RevokeToken"):
        request = token_pb2.RevokeTokenRequest(name=f"tokens/{arena.tokens['spare'].id}")
    try:
        arena.raw(path, request.SerializeToString(), who, streamed=METHODS[path].client_streaming)
    except RefusedError as refused:
        return refused.reason
    return ""


def test_every_method_is_known_for_whose_things_it_touches() -> None:
    lists = (PUBLIC, ONES_OWN, THE_ORGANISERS, set(OWNED))
    assert sorted(path for each in lists for path in each) == sorted(METHODS)


@pytest.mark.parametrize("path", OWNED)
def test_what_is_somebodys_is_refused_to_another_owner_and_to_spectators(populated: Arena, path: str) -> None:
    assert answer(populated, path, "bob") == "NOT_OWNER"
    spectators = "NOT_OWNER" if RULES[path].right is Right.SPECTATOR else "ROLE_REQUIRED"
    if path.endswith("/CreateToken"):
        spectators = "ROLE_REQUIRED"  # of a bot: its owner's, whoever that is
    assert answer(populated, path, "sam") == spectators


@pytest.mark.parametrize("path", OWNED)
def test_its_owner_and_organisers_may_touch_it_but_for_debug_lines(populated: Arena, path: str) -> None:
    refusals = {"NOT_OWNER", "ROLE_REQUIRED", "SCOPE_REQUIRED"}
    assert answer(populated, path, "ada") not in refusals
    private = path.endswith("/ListDebugLines")
    assert (answer(populated, path, "organiser") in refusals) == private


@pytest.mark.parametrize("path", sorted(PUBLIC))
def test_what_is_public_is_the_same_for_all(populated: Arena, path: str) -> None:
    """Of things of ada's."""
    request = GetMessageClass(METHODS[path].input_type)(**SHOWN.get(path.rpartition("/")[2], {}))

    def told(who: str) -> object:
        try:
            return populated.raw(path, request.SerializeToString(), who)
        except RefusedError as refused:
            return refused.reason, refused.sentence

    assert len({told(who) for who in ("ada", "bob", "sam", "organiser")}) == 1
