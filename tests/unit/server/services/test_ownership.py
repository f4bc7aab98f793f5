"""Whose things a method touches: each that names somebody's is refused to everybody else (row 3).

A method that is new has to be put into one of the three lists here.
"""

from collections.abc import Mapping
from typing import Any

import pytest
from google.protobuf.message_factory import GetMessageClass

from arena.server.auth.permissions import RULES, Right
from arena.store.accounts.tokens import Role
from arena.v1 import bot_pb2, token_pb2, tournament_pb2
from tests.unit.server.services.harness import METHODS, Arena, RefusedError
from tests.unit.store.store_fixture import LADDER, StoreFixture

DESCRIBED = {method.name: (path, method) for path, method in METHODS.items()}
"""Path and descriptor of each method."""

_PUBLIC = (
    "ListGames GetGame GetBot ListBots ListVersions GetMatch ListMatches WatchMatch DownloadMatchLog ListLogKeys "
    "GetLadder ListLadders ListStandings ListQueue RefitRatings GetTournament ListTournaments ListPairings "
    "GetCrosstable"
)
PUBLIC = _PUBLIC.split()
"""They show the same to everybody who may call them, whoever's bots are in it."""

ONES_OWN = ("ListTokens", "GetOwnToken", "Play")
"""They name nobody's things: what they are about follows from the token."""

THE_ORGANISERS = [path.rpartition("/")[2] for path, rule in RULES.items() if rule.right is Right.ORGANISER]
"""Organisers own everything, but for debug lines and what programs write."""

ENTRY = {"name": f"ladders/{LADDER}", "bot": "bots/bee"}
SUBMISSION = {"name": "bots/ant/submissions/1"}
CHALLENGE = tournament_pb2.Tournament.FORMAT_CHALLENGE
OWNED: Mapping[str, Mapping[str, Any]] = {
    "CreateBot": {"bot_id": "new", "owner": "owners/ada"},
    "SetBotHidden": {"name": "bots/ant", "hidden": True},
    "SetBotChallenges": {"name": "bots/ant", "refused": True},
    "SetHosting": {"bot": "bots/ant", "mode": bot_pb2.Hosting.MODE_OFF},
    "CreateSubmission": {"bot": "bots/ant", "archive_sha256": "ef" * 32, "archive_bytes": 10},
    "UploadArchive": SUBMISSION,
    "GetSubmission": SUBMISSION,
    "ListSubmissions": {"bot": "bots/ant"},
    "WatchSubmission": SUBMISSION,
    "CreateToken": {"role": token_pb2.ROLE_BOT, "bot": "bots/ant"},
    "RevokeToken": {},
    "GetUser": {"name": "users/ada"},
    "ListDebugLines": {"name": "matches/1"},
    "JoinLadder": ENTRY,
    "LeaveLadder": ENTRY,
    "CreateTournament": {
        "format": CHALLENGE,
        "game": "caravan",
        "bots": ["bots/bee", "bots/cat"],
        "seats": 2,
    },
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
    db.start(second)  # of what is pending others see less: tests/unit/server/services/test_match_service.py
    db.submit("ant", "ab" * 32)
    shared_arena.add_token("sam", Role.SPECTATOR, "sam")
    shared_arena.add_token("spare", Role.OWNER, "ada")
    return shared_arena


def answer(arena: Arena, method: str, who: str) -> str:
    """Return the reason of the refusal; empty if there is none."""
    fields = OWNED[method]
    if method == "RevokeToken":
        fields = {"name": f"tokens/{arena.tokens['spare'].id}"}
    path, described = DESCRIBED[method]
    request = GetMessageClass(described.input_type)(**fields)
    try:
        arena.raw(path, request.SerializeToString(), who, streamed=described.client_streaming)
    except RefusedError as refused:
        return refused.reason
    return ""


def test_every_method_is_known_for_whose_things_it_touches() -> None:
    assert sorted([*PUBLIC, *ONES_OWN, *THE_ORGANISERS, *OWNED]) == sorted(DESCRIBED)


@pytest.mark.parametrize("method", OWNED)
def test_what_is_somebodys_is_refused_to_another_owner_and_to_spectators(
    populated: Arena, method: str
) -> None:
    assert answer(populated, method, "bob") == "NOT_OWNER"
    of_spectators = RULES[DESCRIBED[method][0]].right is Right.SPECTATOR
    # A token of a bot is made by its owner, whoever that is.
    expected = "NOT_OWNER" if of_spectators and method != "CreateToken" else "ROLE_REQUIRED"
    assert answer(populated, method, "sam") == expected


@pytest.mark.parametrize("method", OWNED)
def test_its_owner_and_organisers_may_touch_it_but_for_debug_lines(populated: Arena, method: str) -> None:
    refusals = {"NOT_OWNER", "ROLE_REQUIRED", "SCOPE_REQUIRED"}
    assert answer(populated, method, "ada") not in refusals
    assert (answer(populated, method, "organiser") in refusals) == (method == "ListDebugLines")


@pytest.mark.parametrize("method", sorted(PUBLIC))
def test_what_is_public_is_the_same_for_all(populated: Arena, method: str) -> None:
    """Of things of ada's."""
    path, described = DESCRIBED[method]
    request = GetMessageClass(described.input_type)(**SHOWN.get(method, {}))

    def told(who: str) -> object:
        try:
            return populated.raw(path, request.SerializeToString(), who)
        except RefusedError as refused:
            return refused.reason, refused.sentence

    assert len({told(who) for who in ("ada", "bob", "sam", "organiser")}) == 1
