"""Requests that any service refuses, and those that it repeats: code, reason, details, and what changes (row 3)."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from arena.server.limits import ARCHIVE_BYTES
from arena.store.bots.bots import BotRow
from arena.v1 import bot_pb2, match_pb2, time_control_pb2, token_pb2, tournament_pb2, user_pb2
from tests.unit.server.services.harness import METHODS, Arena
from tests.unit.store.store_fixture import VERSION as NEW
from tests.unit.store.store_fixture import StoreFixture

VERSION = f"bots/ant/versions/{NEW}"
ROBIN, CHALLENGE, GAUNTLET, SWISS, STAGES = (
    tournament_pb2.Tournament.Format.Value(f"FORMAT_{name}")
    for name in ("ROUND_ROBIN", "CHALLENGE", "GAUNTLET", "SWISS", "STAGES")
)
SUITE = f"game caravan\nseats 2\nopen {'5e' * 32}\n"
LIVE, SEALED = (
    tournament_pb2.Tournament.Visibility.Value(f"VISIBILITY_{name}") for name in ("LIVE", "SEALED")
)
DRAWN = tournament_pb2.FormatParameters.SEEDING_DRAWN
BOT, SPECTATOR, OWNER, ORGANISER = (
    token_pb2.Role.Value(f"ROLE_{name}") for name in ("BOT", "SPECTATOR", "OWNER", "ORGANISER")
)
NEWEST, PINNED, OFF = (bot_pb2.Hosting.Mode.Value(f"MODE_{name}") for name in ("NEWEST", "PINNED", "OFF"))
FIXED, SHARED, DERIVED = (
    match_pb2.SeedPolicy.Value(f"SEED_POLICY_{name}") for name in ("FIXED", "SHARED", "DERIVED")
)
FINAL_SEEN_BY_77, SEALED_FINAL = (
    {"stages": [{"format": SWISS, "rounds": 1, "qualifiers": 2}, {"format": SWISS, "visibility": visibility}]}
    for visibility in (77, SEALED)
)
FOUR = [f"bots/{bot}" for bot in ("ant", "bee", "cat", "dog")]

USUAL: dict[str, dict[str, Any]] = {
    "CreateBot": {"bot_id": "wasp"},
    "SetHosting": {"bot": "bots/ant"},
    "CreateSubmission": {"bot": "bots/ant", "archive_sha256": "cd" * 32, "archive_bytes": 10},
    "CreateLadder": {"ladder_id": "cup", "game": "caravan"},
    "JoinLadder": {"name": "ladders/main", "bot": "bots/ant"},
    "LeaveLadder": {"name": "ladders/main", "bot": "bots/ant"},
    "GetRatingHistory": {"name": "ladders/main", "bot": "bots/bee"},
    "GetBotRecord": {"bot": "bots/bee"},
    "ListDebugLines": {"name": "matches/1"},
    "VoidMatch": {"name": "matches/2"},
    "VoidBotMatches": {"bot": "bots/bee", "reason": "a cheat"},
    "CreateTournament": {"tournament_id": "spring", "format": ROBIN, "game": "caravan", "bots": FOUR},
    "WithdrawFromTournament": {"name": "tournaments/taken", "bot": "bots/bee"},
    "CreateUser": {"user_id": "zoe"},
    "SetUserQuotas": {"name": "users/ada"},
    "GetFairPlayReport": {"name": "ladders/main"},
    "SetLadderAnchor": {"name": "ladders/main", "bot": "bots/bee", "rating_milli": 1_600_000},
    "RenameLadder": {"name": "ladders/main"},
    "RenameTournament": {"name": "tournaments/taken"},
    "CloseSeason": {"ladder": "ladders/main"},
}
"""What makes a request of the method good, unless a case says otherwise."""

CODES = {
    "FIELD_INVALID": "INVALID_ARGUMENT",
    "OPTION_INVALID": "INVALID_ARGUMENT",
    "NOT_OWNER": "PERMISSION_DENIED",
    "ROLE_REQUIRED": "PERMISSION_DENIED",
    "ARCHIVE_TOO_LARGE": "RESOURCE_EXHAUSTED",
}
"""The code of each reason; beside these, NOT_FOUND and ALREADY_EXISTS by the reason's ending."""


@dataclass(frozen=True)
class Case:
    """A request that is refused."""

    method: str
    fields: dict[str, Any]
    reason: str
    detail: str = ""
    """What the error's metadata has, for example "field=bot_id"."""
    caller: str = "organiser"

    @property
    def code(self) -> str:
        """The name of the status code."""
        if self.reason.endswith(("_NOT_FOUND", "_EXISTS")):
            return "NOT_FOUND" if self.reason.endswith("_NOT_FOUND") else "ALREADY_EXISTS"
        return CODES.get(self.reason, "FAILED_PRECONDITION")


def missing(reason: str, name: str, methods: str, field: str = "name") -> list[Case]:
    """Return the cases of methods that are asked for something that is not there."""
    return [Case(method, {field: name}, reason) for method in methods.split()]


def invalid(method: str, others: dict[str, Any] | None = None, /, **values: list[Any]) -> list[Case]:
    """Return a case for each invalid value of a field; `others`: fields beside it."""
    return [
        Case(method, {**(others or {}), field: value}, "FIELD_INVALID", f"field={field}")
        for field, each in values.items()
        for value in each
    ]


def role_required(caller: str, required: str, *fields: dict[str, Any]) -> list[Case]:
    """Return the cases of tokens that the caller may not make."""
    return [Case("CreateToken", each, "ROLE_REQUIRED", f"required={required}", caller) for each in fields]


CASES = (
    *missing("GAME_NOT_FOUND", "games/chess", "GetGame"),
    *missing("GAME_NOT_FOUND", "chess", "CreateLadder CreateTournament ExportMatches", "game"),
    *missing("GAME_NOT_FOUND", "", "CreateLadder", "game"),
    *missing("BOT_NOT_FOUND", "bots/none", "GetBot SetBotHidden SetBotChallenges"),
    *missing("BOT_NOT_FOUND", "bots/none", "ListVersions CreateSubmission JoinLadder", "bot"),
    *missing(
        "LADDER_NOT_FOUND", "ladders/no", "GetLadder RunLadder PauseLadder ListStandings RecomputeLadder"
    ),
    *missing("LADDER_NOT_FOUND", "ladders/no", "JoinLadder LeaveLadder GetFairPlayReport GetRatingHistory"),
    *missing("LADDER_NOT_FOUND", "ladders/no", "GetBotRecord CloseSeason ListSeasons", "ladder"),
    *missing(
        "LADDER_NOT_FOUND",
        "ladders/no",
        "SetLadderAnchor RenameLadder SetLadderHidden SetLadderArchived DeleteLadder",
    ),
    *missing("LADDER_NOT_FOUND", "ladders/no/seasons/1", "GetSeason"),
    *missing("SEASON_NOT_FOUND", "ladders/main/seasons/9", "GetSeason"),
    *missing("BOT_NOT_FOUND", "bots/none", "SetLadderAnchor", "bot"),
    *missing(
        "TOURNAMENT_NOT_FOUND",
        "tournaments/no",
        "RenameTournament SetTournamentHidden SetTournamentArchived DeleteTournament",
    ),
    *missing("BOT_NOT_FOUND", "bots/none", "GetBotRecord ListBotStandings GetRatingHistory", "bot"),
    *missing("MATCH_NOT_FOUND", "matches/99", "GetMatch DownloadMatchLog WatchMatch ListDebugLines"),
    *missing("TOURNAMENT_NOT_FOUND", "tournaments/no", "GetTournament ListPairings GetCrosstable"),
    *missing("TOURNAMENT_NOT_FOUND", "tournaments/no", "RunTournament PauseTournament GetFairPlayReport"),
    *missing("TOURNAMENT_NOT_FOUND", "tournaments/no", "ListRounds GetBracket WithdrawFromTournament"),
    *missing("BOT_NOT_FOUND", "bots/ant", "WithdrawFromTournament", "bot"),
    *invalid("WithdrawFromTournament", name=["taken"], bot=["", "bee"]),
    Case("WithdrawFromTournament", {}, "NOT_OWNER", caller="bob"),
    Case("WithdrawFromTournament", {"name": "tournaments/rounds"}, "TOURNAMENT_STATE", "tournament=rounds"),
    *missing("TOKEN_NOT_FOUND", "tokens/0123456789ab", "RevokeToken"),
    *missing("USER_NOT_FOUND", "users/none", "GetUser SetUserDisabled SetUserQuotas"),
    *missing("AUDIT_ENTRY_NOT_FOUND", "auditEntries/99", "GetAuditEntry"),
    *missing("NODE_NOT_FOUND", "nodes/lab9", "SetNodeDrained"),
    *invalid(
        "SetNodeDrained",
        name=["", "lab9", "nodes/", "nodes/-lab", "nodes/a/b", "nodes/a b", f"nodes/{'a' * 65}"],
    ),
    *missing("LADDER_NOT_FOUND", "ladders/no", "ExportMatches", "ladder"),
    *missing("TOURNAMENT_NOT_FOUND", "tournaments/no", "ExportMatches", "tournament"),
    *missing("BOT_NOT_FOUND", "bots/none", "ExportMatches", "bot"),
    *invalid("ExportMatches", ladder=["main"], tournament=["cup"], bot=["bee"], game=["Chess", "a b"]),
    *invalid("ExportMatches", cursor=[99, 2**64 - 1]),
    *invalid("ExportMatches", {"ladder": "ladders/main"}, tournament=["tournaments/later"]),
    *invalid("GetGame", name=["", "caravan", "bots/caravan", "games/", "games/a/b"]),
    *invalid("CreateBot", bot_id=["", "Ant", "1ant", "a" * 33, "a/b", "a b", "ant\n", "ämeise"]),
    *invalid("CreateBot", description=["x" * 201, "two\nlines"], request_id=["x" * 37, "é", "a\n"]),
    Case("CreateBot", {"bot_id": "ant"}, "BOT_EXISTS", "bot=ant"),
    *invalid("SetHosting", mode=[0, 9]),
    *invalid(
        "SetHosting", {"mode": PINNED}, version=["", "bots/ant/versions/abcde", "bots/ant/versions/1.0"]
    ),
    *invalid("SetHosting", {"mode": PINNED}, version=[f"bots/bee/versions/{NEW}"]),
    *invalid("SetHosting", {"mode": NEWEST}, version=[VERSION], bot=["ant"]),
    *invalid("SetHosting", {"mode": OFF}, version=[VERSION]),
    *invalid("SetHosting", {"mode": NEWEST}, lock=[True]),
    Case("SetHosting", {"mode": PINNED, "version": "bots/ant/versions/ffffff"}, "VERSION_NOT_FOUND"),
    Case("SetHosting", {"mode": NEWEST, "bot": "bots/bee"}, "VERSION_NOT_FOUND"),
    *invalid("CreateSubmission", bot=["ant"], archive_sha256=["", "AB" * 32], archive_bytes=[0]),
    *invalid("CreateSubmission", request_id=["x" * 37]),
    Case("CreateSubmission", {"archive_bytes": ARCHIVE_BYTES + 1}, "ARCHIVE_TOO_LARGE"),
    Case("CreateSubmission", {"archive_bytes": 2**32 - 1}, "ARCHIVE_TOO_LARGE"),
    *invalid("CreateLadder", ladder_id=["Cup"], seat_counts=[[1], [2, 5]], request_id=["x" * 37]),
    *invalid("CreateLadder", seed_policy=[FIXED, 77]),
    *invalid("CreateLadder", time_control=[time_control_pb2.TimeControl(per_decision_ms=0)]),
    *invalid("CreateLadder", {"game": "caravanserai"}, seat_counts=[[1, 2], [7]]),
    *invalid("CreateLadder", {"game": "caravanserai", "seat_counts": [1]}, forbid_same_owner=[True]),
    Case("CreateLadder", {"ladder_id": "main"}, "LADDER_EXISTS"),
    Case("CreateLadder", {"options": {"wings": "2"}}, "OPTION_INVALID"),
    Case("CreateLadder", {"options": {"camels": "many"}}, "OPTION_INVALID"),
    Case("LeaveLadder", {}, "ENTRY_NOT_FOUND"),
    Case("RefitRatings", {"name": "ladders/solo"}, "LADDER_UNRATED"),
    Case("GetRatingHistory", {"name": "ladders/solo"}, "LADDER_UNRATED"),
    Case("GetRatingHistory", {"bot": "bots/ant"}, "ENTRY_NOT_FOUND"),
    *invalid("GetRatingHistory", max_points=[1001, 2**32 - 1], name=["", "main"], bot=["", "bee"]),
    *invalid("GetBotRecord", bot=["", "bee"], ladder=["main", "bots/bee"]),
    *invalid("ListBotStandings", bot=["", "bee"]),
    Case("SetLadderAnchor", {"bot": "bots/ant"}, "ENTRY_NOT_FOUND"),
    Case("SetLadderAnchor", {"name": "ladders/solo"}, "LADDER_UNRATED"),
    *invalid("SetLadderAnchor", rating_milli=[4_000_001, 2**32 - 1], name=["main"], bot=["bee"]),
    *invalid("RenameLadder", title=["x" * 81, " main", "main ", "two\nlines", "\u202egnirps", "a\u0000"]),
    *invalid("RenameTournament", title=["x" * 81, " cup", "\u200bcup", "a\tb"]),
    Case("ListLadders", {"show_hidden": True}, "ROLE_REQUIRED", "required=ORGANISER", "ada"),
    Case("ListTournaments", {"show_hidden": True}, "ROLE_REQUIRED", "required=ORGANISER", "reader"),
    *invalid("CloseSeason", keep_percent=[101, 2**32 - 1], ladder=["", "main"], request_id=["x" * 37]),
    *invalid("CloseSeason", {"ladder": "ladders/solo"}, keep_percent=[75]),
    *invalid(
        "CloseSeason",
        {"swap": 1},
        lower_ladders=[["ladders/main"], ["main"], ["ladders/solo"], ["ladders/solo"] * 2],
    ),
    *invalid("CloseSeason", {"swap": 1}, lower_ladders=[[f"ladders/l{number}" for number in range(21)]]),
    *invalid("CloseSeason", {"lower_ladders": ["ladders/solo"]}, swap=[0, 101]),
    *invalid("CloseSeason", swap=[1]),
    Case("CloseSeason", {"lower_ladders": ["ladders/no"], "swap": 1}, "LADDER_NOT_FOUND"),
    Case("CloseSeason", {"ladder": "ladders/solo"}, "TOO_FEW_MATCHES"),
    *invalid("GetSeason", name=["", "ladders/main", "ladders/main/seasons/0", "ladders/main/seasons/x"]),
    *invalid("ListMatches", state=[99], ladder=["main"], bot=["ladders/main"]),
    Case("ListDebugLines", {"bot": "bots/dog"}, "BOT_NOT_FOUND", caller="ada"),
    Case("ListDebugLines", {"bot": "bots/nobody"}, "BOT_NOT_FOUND", caller="ada"),
    Case("ListDebugLines", {"bot": "dog"}, "FIELD_INVALID", caller="ada"),
    *invalid("VoidMatch", reason=["", "  ", "two\nlines", "x" * 201]),
    *invalid("VoidBotMatches", reason=["", "  ", "two\nlines", "x" * 201], bot=["bee", "bots/"]),
    *invalid("CreateTournament", tournament_id=[""], format=[0, 77], bots=[["bots/ant", "bots/ant"]]),
    *invalid("CreateTournament", seats=[1, 9], seed_policy=[FIXED]),
    *invalid("CreateTournament", {"game": "caravanserai"}, seats=[1]),
    Case("CreateTournament", {"tournament_id": "taken"}, "TOURNAMENT_EXISTS"),
    Case("CreateTournament", {"bots": ["bots/ant", "bots/nobody"]}, "BOT_NOT_FOUND"),
    Case("CreateTournament", {"options": {"camels": "many"}}, "OPTION_INVALID"),
    Case("CreateTournament", {"bots": ["bots/ant"]}, "TOO_FEW_BOTS"),
    Case("CreateTournament", {"rounds": 1000}, "PLAN_TOO_LARGE"),
    Case("CreateTournament", {"seed_policy": SHARED}, "SHARED_SEED_REFUSED"),
    Case("CreateTournament", {}, "ROLE_REQUIRED", caller="ada"),
    *invalid("CreateTournament", visibility=[77], parameters=[{"seeding": 77}, {"seeding": DRAWN}]),
    Case(
        "CreateTournament", {"visibility": LIVE, "seed_policy": SHARED}, "FIELD_INVALID", "field=visibility"
    ),
    Case(
        "CreateTournament",
        {"visibility": SEALED, "seed_policy": DERIVED},
        "FIELD_INVALID",
        "field=visibility",
    ),
    Case("CreateTournament", {"visibility": SEALED}, "SHARED_SEED_REFUSED"),
    Case("CreateTournament", {"format": STAGES, "parameters": SEALED_FINAL}, "SHARED_SEED_REFUSED"),
    Case(
        "CreateTournament",
        {"format": STAGES, "parameters": FINAL_SEEN_BY_77},
        "FIELD_INVALID",
        "field=parameters",
    ),
    Case("CreateTournament", {"parameters": {"best_of": 3}}, "FIELD_INVALID", "field=best_of"),
    Case("CreateTournament", {"seeded_by": "ladders/main"}, "FIELD_INVALID", "field=seeded_by"),
    *invalid("CreateTournament", {"format": GAUNTLET}, seeded_by=["main", "ladders/solo"]),
    *invalid(
        "CreateTournament",
        {"format": GAUNTLET, "parameters": {"seeding": DRAWN}},
        seeded_by=["ladders/main"],
    ),
    Case("CreateTournament", {"format": GAUNTLET, "seeded_by": "ladders/no"}, "LADDER_NOT_FOUND"),
    *invalid(
        "CreateTournament",
        suite=[
            {"name": "mine", "text": "game caravan"},
            {"name": "mine", "text": SUITE.replace("caravan", "wasteland")},
            {"name": "mine", "text": SUITE.replace("seats 2", "seats 3")},
            {"name": "mine", "text": SUITE + "#" * 64 * 1024},
            {"name": "", "text": SUITE},
            {"name": "x" * 65, "text": SUITE},
        ],
    ),
    *invalid("CreateTournament", {"format": CHALLENGE}, suite=[{"name": "mine", "text": SUITE}]),
    Case("CreateTournament", {"format": GAUNTLET, "parameters": {"challengers": 4}}, "TOO_FEW_BOTS"),
    Case("CreateTournament", {"format": GAUNTLET}, "ROLE_REQUIRED", caller="ada"),
    *invalid("CreateToken", role=[0, 7]),
    *invalid("CreateToken", {"owner": "owners/ada"}, role=[ORGANISER]),
    *invalid("CreateToken", {"owner": "owners/sam"}, role=[OWNER]),
    *invalid("CreateToken", {"role": BOT}, bot=["", "bots/outcast"]),
    *invalid(
        "CreateToken", {"role": BOT, "bot": "bots/ant"}, scopes=[[token_pb2.SCOPE_READ]], expire_days=[3651]
    ),
    *invalid(
        "CreateToken",
        {"role": OWNER},
        scopes=[[9], [token_pb2.SCOPE_ORGANISE]],
        note=["two\nlines", "x" * 65],
    ),
    *invalid("CreateToken", {"role": OWNER}, owner=["bots/x", "owners/out"], expire_minutes=[5_256_001]),
    *invalid("CreateToken", {"role": OWNER, "expire_days": 1}, expire_minutes=[1]),
    Case("CreateToken", {"role": BOT, "bot": "bots/none"}, "BOT_NOT_FOUND"),
    *role_required("ada", "ORGANISER", {"role": ORGANISER}, {"role": ORGANISER, "owner": "owners/ada"}),
    *role_required("ada", "ORGANISER", {"role": OWNER, "owner": "owners/bob"}),
    *role_required("ada", "ORGANISER", {"role": SPECTATOR, "owner": "owners/new"}),
    *role_required("reader", "OWNER", {"role": OWNER}, {"role": BOT, "bot": "bots/ant"}),
    *role_required("reader", "ORGANISER", {"role": ORGANISER}),
    *invalid("CreateUser", user_id=["Ada"], role=[BOT, 9], quotas=[user_pb2.UserQuotas(archive_mib=65)]),
    Case("CreateUser", {"user_id": "ada"}, "USER_EXISTS"),
    *invalid("SetUserQuotas", quotas=[user_pb2.UserQuotas(bots=1_000_001)]),
    *invalid("SetUserRole", {"name": "users/ada"}, role=[0]),
    *invalid("SetUserRole", {"role": OWNER}, name=["owners/ada"]),
    Case("SetUserRole", {"role": OWNER, "name": "users/none"}, "USER_NOT_FOUND"),
    Case("GetUser", {"name": "users/ada"}, "NOT_OWNER", caller="bob"),
    Case("GetUser", {"name": "users/none"}, "NOT_OWNER", caller="bob"),
    *invalid("GetAuditEntry", name=["auditEntries/x", "matches/1"]),
    *invalid("ListAuditEntries", kind=[99], about=["x" * 129, "bots/\n"], user=["owners/root"]),
    *invalid(
        "ListAuditEntries",
        since=[Timestamp(seconds=1 << 62), Timestamp(seconds=-(1 << 62)), Timestamp(nanos=-1)],
    ),
    *invalid(
        "GetFairPlayReport", name=["bots/ash"], bots=[["bots/bee"] * 101], matches=[2_001], findings=[1_001]
    ),
    Case("GetFairPlayReport", {"bots": ["bots/none"]}, "BOT_NOT_FOUND"),
)


def contents(arena: Arena) -> list[str]:
    """Return all that the database holds, and what was asked of the running arena."""
    with closing(sqlite3.connect(arena.folder / "arena.db")) as connection:
        return [*connection.iterdump(), f"{arena.runtime.wakes} {arena.runtime.hosting_changes}"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.method} {case.reason} {case.detail}")
def test_a_refused_request_has_its_code_and_reason_and_changes_nothing(populated: Arena, case: Case) -> None:
    before = contents(populated)
    refused = populated.refusal(case.method, case.caller, **{**USUAL.get(case.method, {}), **case.fields})
    assert refused.status == (case.code, case.reason)
    key, _, value = case.detail.partition("=")
    assert refused.metadata.get(key, "").partition(".")[0] == value
    assert contents(populated) == before


REQUEST_ID = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
ONCE: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "CreateBot": ({"bot_id": "wasp"}, {"bot_id": "hornet"}),
    "CreateUser": ({"user_id": "zoe", "role": SPECTATOR}, {"role": OWNER}),
    "CreateLadder": ({"ladder_id": "cup", "game": "caravan"}, {"options": {"camels": "5"}}),
    "CloseSeason": ({"ladder": "ladders/main"}, {"keep_percent": 10}),
    "CreateSubmission": (USUAL["CreateSubmission"], {"archive_bytes": 11}),
    "CreateTournament": ({**USUAL["CreateTournament"], "bots": ["bots/ant", "bots/bee"]}, {"rounds": 2}),
}
"""A good request of each method that creates, and what makes it another one."""


CREATING = [each.name for each in METHODS.values() if "request_id" in each.input_type.fields_by_name]


@pytest.mark.parametrize("method", CREATING)
def test_rows_31_and_32_a_request_id_is_good_for_one_request_with_one_effect(
    arena: Arena, method: str
) -> None:
    arena.change(lambda tx: tx.bots.add(BotRow("bee", "ada", "", False, 1)))
    db = StoreFixture(arena.store)
    db.populate("cat", "dog")
    for match in db.pair("cat", "dog"):
        db.finish(match, 1, 2)
    fields, other = ONCE[method]
    first = arena.call(method, "organiser", **fields, request_id=REQUEST_ID)
    arena.now_us += 1_000_000
    stored = contents(arena)
    assert arena.call(method, "organiser", **fields, request_id=REQUEST_ID) == first
    refused = arena.refusal(method, "organiser", **{**fields, **other}, request_id=REQUEST_ID)
    assert refused.status == ("ALREADY_EXISTS", "REQUEST_ID_REUSED")
    assert contents(arena)[:-1] == stored[:-1]
