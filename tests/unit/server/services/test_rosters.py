"""ImportUsers: a roster is stored whole or not at all, and the same one again changes nothing."""

from typing import Any

import pytest

from arena.v1 import token_pb2, user_pb2
from tests.unit.server.services.harness import FIELD_INVALID, Arena
from tests.unit.server.services.test_invite_service import join

CREATED, CHANGED, UNCHANGED = (
    user_pb2.ImportedUser.OUTCOME_CREATED,
    user_pb2.ImportedUser.OUTCOME_CHANGED,
    user_pb2.ImportedUser.OUTCOME_UNCHANGED,
)
NEW, NOT_JOINED = user_pb2.ROSTER_INVITES_NEW, user_pb2.ROSTER_INVITES_NOT_JOINED


def entries(*users: str, **fields: Any) -> list[user_pb2.RosterEntry]:
    return [user_pb2.RosterEntry(user_id=user, **fields) for user in users]


def names(arena: Arena) -> list[str]:
    return [user.name for user in arena.call("ListUsers", "organiser", page_size=100).users]


def test_a_roster_creates_its_users_and_their_invites(arena: Arena) -> None:
    roster = entries("s01", "s02", quotas=user_pb2.UserQuotas(bots=2))
    roster[0].full_name = "Žofie Nováková"
    done = arena.call("ImportUsers", "organiser", entries=roster, invites=NEW, token_expire_days=90).users
    assert [each.outcome for each in done] == [CREATED, CREATED]
    assert done[0].user.full_name == "Žofie Nováková"
    assert join(arena, done[0].code).user == done[0].user
    assert arena.call("GetUser", "s01").user.quotas_in_force.bots == 2
    assert arena.audited()[1].about == ("users/s01", "users/s02")


def test_the_same_roster_again_changes_nothing(arena: Arena) -> None:
    fields = {"entries": entries("s01", "ada", full_name="A"), "invites": NEW}
    first = arena.call("ImportUsers", "organiser", **fields).users
    assert [each.outcome for each in first] == [CREATED, CHANGED]
    assert [bool(each.code) for each in first] == [True, False]
    before = len(arena.audited())
    again = arena.call("ImportUsers", "organiser", **fields).users
    assert [(each.outcome, each.code) for each in again] == [(UNCHANGED, "")] * 2
    assert len(arena.audited()) == before
    assert join(arena, first[0].code).token


def test_new_codes_for_those_who_have_not_joined_end_the_old_ones(arena: Arena) -> None:
    roster = entries("s01", "s02")
    first = arena.call("ImportUsers", "organiser", entries=roster, invites=NEW).users
    join(arena, first[0].code)
    again = arena.call("ImportUsers", "organiser", entries=roster, invites=NOT_JOINED).users
    assert [bool(each.code) for each in again] == [False, True]
    assert arena.refusal("AcceptInvite", None, code=first[1].code).reason == "INVITE_ENDED"
    assert join(arena, again[1].code).token


def test_an_existing_user_keeps_what_the_roster_leaves_out(arena: Arena) -> None:
    full = user_pb2.RosterEntry(user_id="ada", full_name="Ada L.", quotas=user_pb2.UserQuotas(bots=7))
    arena.call("ImportUsers", "organiser", entries=[full])
    [kept] = arena.call("ImportUsers", "organiser", entries=entries("ada")).users
    assert (kept.outcome, kept.user.full_name, kept.user.quotas.bots) == (UNCHANGED, "Ada L.", 7)


def test_a_check_stores_nothing(arena: Arena) -> None:
    before = names(arena), len(arena.audited())
    fields = {"entries": entries("s01", "ada", full_name="A"), "invites": NEW, "validate_only": True}
    checked = arena.call("ImportUsers", "organiser", **fields).users
    assert [(each.outcome, each.code) for each in checked] == [(CREATED, ""), (CHANGED, "")]
    assert (names(arena), len(arena.audited())) == before


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("entries[2].user_id", entries("s01", "s02", "S3")),
        ("entries[2].user_id", entries("s01", "s02", "s01")),
        ("entries[0].role", entries("s01", role=token_pb2.ROLE_BOT)),
        ("entries[0].full_name", entries("s01", full_name="two\nlines")),
        ("entries[1].quotas.archive_mib", [*entries("s01"), *entries("s02", quotas={"archive_mib": 65})]),
        ("entries", []),
        ("entries", entries(*(f"s{number}" for number in range(2_001)))),
    ],
)
def test_a_wrong_entry_is_named_and_nothing_is_stored(arena: Arena, field: str, wrong: list[Any]) -> None:
    before = names(arena)
    refused = arena.refusal("ImportUsers", "organiser", entries=wrong, invites=NEW)
    assert (refused.status, refused.metadata["field"]) == (FIELD_INVALID, field)
    assert names(arena) == before


def test_a_roster_changes_no_roles(arena: Arena) -> None:
    before = names(arena)
    wrong = [*entries("s01"), *entries("root", role=token_pb2.ROLE_SPECTATOR)]
    refused = arena.refusal("ImportUsers", "organiser", entries=wrong)
    assert (refused.reason, refused.metadata["field"]) == ("USER_EXISTS", "entries[1].role")
    assert names(arena) == before
