"""Whose things a method touches: what names somebody's is refused to everybody else (row 3), as docs/accounts.md says.

A method that is new has to be put into one of the lists here.
"""

import os
import re
from collections.abc import Mapping
from typing import Any

import pytest
from google.protobuf.message_factory import GetMessageClass

from arena.server.auth.permissions import RULES, Right
from arena.store.accounts.tokens import Role
from arena.v1 import bot_pb2, token_pb2, tournament_pb2
from tests.checkout import ROOT, text
from tests.unit.server.services.callers import Kind
from tests.unit.server.services.harness import METHODS, Arena, RefusedError
from tests.unit.store.store_fixture import LADDER

DESCRIBED = {method.name: (path, method) for path, method in METHODS.items()}
"""Path and descriptor of each method."""

_PUBLIC = (
    "ListGames GetGame GetBot ListBots ListVersions GetMatch ListMatches WatchMatch DownloadMatchLog ListLogKeys "
    "GetLadder ListLadders ListStandings ListQueue RefitRatings GetTournament ListTournaments ListPairings "
    "ListRounds GetBracket GetCrosstable ListRuntimes GetBotRecord ListBotStandings GetRatingHistory "
    "GetSeason ListSeasons ExportMatches ListAnnouncements"
)
PUBLIC = _PUBLIC.split()
"""They show the same to everybody who may call them, whoever's bots are in it."""

ONES_OWN = ("ListTokens", "GetOwnToken", "CreateTeam", "LeaveTeam", "Play")
"""They name nobody's things: what they are about follows from the token."""

BY_CODE = ("LookUpInvite", "AcceptInvite", "JoinTeam")
"""What they are about follows from the code of an invite or team."""

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
    "GetTeam": {"name": "teams/lions"},
    "RenewTeamCode": {"name": "teams/lions"},
    "ListDebugLines": {"name": "matches/1"},
    "JoinLadder": ENTRY,
    "LeaveLadder": ENTRY,
    "WithdrawFromTournament": {"name": "tournaments/taken", "bot": "bots/bee"},
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
    "GetBotRecord": {"bot": "bots/bee"},
    "ListBotStandings": {"bot": "bots/bee"},
    "GetRatingHistory": {"name": f"ladders/{LADDER}", "bot": "bots/bee"},
    "GetSeason": {"name": f"ladders/{LADDER}/seasons/1"},
    "ListSeasons": {"ladder": f"ladders/{LADDER}"},
}
"""What public methods are asked for, where a name is needed."""


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


def test_every_method_is_in_one_list_of_ownership() -> None:
    assert sorted([*PUBLIC, *ONES_OWN, *BY_CODE, *THE_ORGANISERS, *OWNED]) == sorted(DESCRIBED)


@pytest.mark.parametrize("method", OWNED)
def test_resources_of_an_owner_are_refused_to_other_owners_and_spectators(
    populated: Arena, method: str
) -> None:
    assert answer(populated, method, "bob") == "NOT_OWNER"
    of_spectators = RULES[DESCRIBED[method][0]].right is Right.SPECTATOR
    # A token of a bot is made by its owner, whoever that is.
    expected = "NOT_OWNER" if of_spectators and method != "CreateToken" else "ROLE_REQUIRED"
    assert answer(populated, method, "sam") == expected


@pytest.mark.parametrize("method", OWNED)
def test_owners_and_organisers_may_use_them_except_debug_lines(populated: Arena, method: str) -> None:
    refusals = {"NOT_OWNER", "ROLE_REQUIRED", "SCOPE_REQUIRED"}
    assert answer(populated, method, "ada") not in refusals
    assert (answer(populated, method, "organiser") in refusals) == (method == "ListDebugLines")


@pytest.mark.parametrize("method", sorted(PUBLIC))
def test_public_methods_return_the_same_to_all(populated: Arena, method: str) -> None:
    """Of things of ada's."""
    path, described = DESCRIBED[method]
    request = GetMessageClass(described.input_type)(**SHOWN.get(method, {}))

    def told(who: str) -> object:
        try:
            return populated.raw(path, request.SerializeToString(), who)
        except RefusedError as refused:
            return refused.reason, refused.sentence

    assert len({told(who) for who in ("ada", "bob", "sam", "organiser")}) == 1


PAGE = "docs/accounts.md"
ROLES = (Role.BOT, Role.SPECTATOR, Role.OWNER, Role.ORGANISER)
HEAD = "| method | scope | without a token | bot | spectator | owner | organiser |\n|---|---|---|---|---|---|---|\n"
OWN_ALONE = {"ListDebugLines", "GetOwnToken"}
"""What not even organisers are shown of others."""


def cell(path: str, role: Role) -> str:
    """Return what a role may do with a method: nothing, something of its own, or all."""
    right = RULES[path].right
    if right is Right.PLAYER:
        return "yes" if role is Role.BOT else ""
    if Kind("", role).expected(path):
        return ""
    method = path.rpartition("/")[2]
    if method in OWNED or method in ONES_OWN:
        return "all" if role is Role.ORGANISER and method not in OWN_ALONE else "own"
    return "yes"


def table() -> str:
    """Return the table as docs/accounts.md has it."""
    lines = []
    for path in METHODS:
        service, method = path.removeprefix("/arena.v1.").split("/")
        rule = RULES[path]
        scope = "" if rule.scope is None else f"`{rule.scope.word}`"
        nobody = "yes" if rule.right is Right.ANYBODY else ""
        cells = [
            f"`{service.removesuffix('Service')}.{method}`",
            scope,
            nobody,
            *(cell(path, role) for role in ROLES),
        ]
        lines.append(f"| {' | '.join(cells)} |\n".replace("|  |", "| |").replace("|  |", "| |"))
    return HEAD + "".join(lines)


def test_the_page_has_the_table() -> None:
    page = text(PAGE)
    shown = re.search(re.escape(HEAD) + r"(\|.*\n)*", page)
    assert shown is not None
    if os.environ.get("UPDATE_GOLDENS"):
        (ROOT / PAGE).write_text(page.replace(shown[0], table()), encoding="utf-8")
        return
    assert shown[0] == table(), f"UPDATE_GOLDENS=1 writes it anew into {PAGE}"
