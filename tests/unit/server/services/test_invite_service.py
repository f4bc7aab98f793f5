"""InviteService over a real connection: what an invite gives, to whom, how often and how long."""

from typing import Any

import pytest

from arena.core.invite_codes import new_code
from arena.core.tokens import parse_token
from arena.store.accounts.tokens import Role, Scope
from arena.v1 import token_pb2, user_pb2
from tests.unit.server.services.harness import DAY_US, FIELD_INVALID, Arena

SPECTATOR, OWNER, ORGANISER = token_pb2.ROLE_SPECTATOR, token_pb2.ROLE_OWNER, token_pb2.ROLE_ORGANISER
NOT_FOUND = ("NOT_FOUND", "INVITE_NOT_FOUND")
ENDED = ("FAILED_PRECONDITION", "INVITE_ENDED")


def join(arena: Arena, code: str, user: str = "", **fields: Any) -> Any:
    """Accept an invite; the token can be used by the name of its user afterwards."""
    joined = arena.call("AcceptInvite", None, code=code, user_id=user, **fields)
    token = parse_token(joined.secret)
    assert token is not None
    arena.tokens[joined.user.name.removeprefix("users/")] = token
    return joined


def test_people_join_with_names_of_their_choice_until_the_uses_are_taken(arena: Arena) -> None:
    quotas = user_pb2.UserQuotas(bots=3)
    made = arena.call(
        "CreateInvite", "organiser", uses=2, quotas=quotas, note="spring", token_expire_days=120
    )
    assert arena.call("LookUpInvite", None, code=made.code).role == OWNER
    assert arena.call("LookUpInvite", None, code=made.code).user == ""
    joined = join(arena, made.code.lower(), "yan", note="laptop")
    assert (joined.user.name, joined.user.role, joined.user.quotas) == ("users/yan", OWNER, quotas)
    assert (joined.token.note, joined.token.owner) == ("laptop", "owners/yan")
    assert joined.token.expire_time.ToMicroseconds() == arena.now_us + 120 * DAY_US
    arena.call("CreateBot", "yan", bot_id="amber")
    assert arena.refusal("AcceptInvite", None, code=made.code, user_id="ada").status == (
        "ALREADY_EXISTS",
        "USER_EXISTS",
    )
    join(arena, made.code, "zoe")
    assert arena.refusal("AcceptInvite", None, code=made.code, user_id="wim").status == ENDED
    [listed] = arena.call("ListInvites", "organiser").invites
    assert (listed.uses, listed.used, listed.note) == (2, 2, "spring")


def test_an_invite_of_one_user_gives_a_token_once(arena: Arena) -> None:
    made = arena.call("CreateInvite", "organiser", user="users/ada", role=SPECTATOR)
    assert arena.call("LookUpInvite", None, code=made.code).user == "users/ada"
    assert arena.refusal("AcceptInvite", None, code=made.code, user_id="bob").status == FIELD_INVALID
    assert join(arena, made.code).token.role == SPECTATOR
    assert arena.refusal("AcceptInvite", None, code=made.code).status == ENDED


def test_a_renewable_invite_replaces_a_lost_token(arena: Arena) -> None:
    made = arena.call("CreateInvite", "organiser", user="users/ada", renewable=True, expire_days=10)
    first = join(arena, made.code).token
    own = arena.call("CreateToken", "ada", role=OWNER).token
    second = join(arena, made.code).token
    live = {
        each.name for each in arena.call("ListTokens", "organiser", page_size=100).tokens if not each.revoked
    }
    assert {own.name, second.name} <= live
    assert first.name not in live
    assert arena.runtime.closed == [first.name.removeprefix("tokens/")]
    arena.now_us += 10 * DAY_US
    assert arena.refusal("AcceptInvite", None, code=made.code).status == ENDED
    assert arena.opens("ada")


def test_a_revoked_invite_gives_nothing_and_its_tokens_stay(arena: Arena) -> None:
    made = arena.call("CreateInvite", "organiser", uses=5)
    join(arena, made.code, "yan")
    assert arena.call("RevokeInvite", "organiser", name=made.invite.name).invite.revoked
    assert arena.refusal("LookUpInvite", None, code=made.code).status == ENDED
    assert arena.opens("yan")


def test_no_one_joins_as_a_disabled_user_or_above_the_users_role(arena: Arena) -> None:
    code = arena.call("CreateInvite", "organiser", user="users/bob").code
    arena.call("SetUserDisabled", "organiser", name="users/bob", disabled=True)
    assert arena.refusal("AcceptInvite", None, code=code).status == ENDED
    arena.call("SetUserDisabled", "organiser", name="users/bob", disabled=False)
    arena.call("SetUserRole", "organiser", name="users/bob", role=SPECTATOR)
    assert arena.refusal("AcceptInvite", None, code=code).status == FIELD_INVALID


def test_an_invite_counts_against_the_tokens_of_its_user_unless_it_replaces_one(arena: Arena) -> None:
    arena.call("SetUserQuotas", "organiser", name="users/ada", quotas=user_pb2.UserQuotas(tokens=3))
    code = arena.call("CreateInvite", "organiser", user="users/ada", renewable=True).code
    for _ in range(3):
        join(arena, code)
    again = arena.call("CreateInvite", "organiser", user="users/ada").code
    assert arena.refusal("AcceptInvite", None, code=again).reason == "QUOTA_EXCEEDED"


def test_a_mistyped_code_is_told_from_a_wrong_one(arena: Arena) -> None:
    code = arena.call("CreateInvite", "organiser", uses=1).code
    wrong = "Z" if code[-1] != "Z" else "Y"
    for method in ("LookUpInvite", "AcceptInvite"):
        for typed in (code[:-1] + wrong, "", "JOIN", "arn_1"):
            assert arena.refusal(method, None, code=typed).status == FIELD_INVALID
        unknown = str(new_code(lambda size: bytes(range(1, size + 1))))
        assert arena.refusal(method, None, code=unknown).status == NOT_FOUND
    assert code not in str(arena.audited())


@pytest.mark.parametrize(
    ("field", "request_fields"),
    [
        ("uses", {}),
        ("uses", {"uses": 100_001}),
        ("uses", {"uses": 2, "user": "users/ada"}),
        ("renewable", {"uses": 1, "renewable": True}),
        ("quotas", {"user": "users/ada", "quotas": user_pb2.UserQuotas(bots=1)}),
        ("role", {"uses": 1, "role": token_pb2.ROLE_BOT}),
        ("role", {"user": "users/ada", "role": ORGANISER}),
        ("user", {"user": "ada"}),
        ("expire_days", {"uses": 1, "expire_days": 3651}),
        ("token_expire_days", {"uses": 1, "token_expire_days": 3651}),
        ("note", {"uses": 1, "note": "x" * 65}),
    ],
)
def test_a_wrong_field_is_named(arena: Arena, field: str, request_fields: dict[str, Any]) -> None:
    refused = arena.refusal("CreateInvite", "organiser", **request_fields)
    assert (refused.status, refused.metadata["field"]) == (FIELD_INVALID, field)


def test_an_invite_gives_no_more_than_its_creator_has_and_not_longer(arena: Arena) -> None:
    ends = arena.now_us + 2 * DAY_US
    arena.add_token("brief", Role.ORGANISER, "root", expires_us=ends)
    made = arena.call("CreateInvite", "brief", uses=1, expire_days=30, token_expire_days=30)
    assert made.invite.expire_time.ToMicroseconds() == ends
    assert join(arena, made.code, "yan").token.expire_time.ToMicroseconds() == ends
    few = frozenset({Scope.OVERSEE, Scope.TOKENS})
    arena.add_token("narrow", Role.ORGANISER, "root", scopes=few)
    assert arena.refusal("CreateInvite", "narrow", uses=1).reason == "SCOPE_REQUIRED"
    arena.add_token("reader", Role.ORGANISER, "root", scopes=few | {Scope.READ})
    assert arena.call("CreateInvite", "reader", uses=1, role=SPECTATOR).code


def test_who_joined_and_who_invited_is_on_record(arena: Arena) -> None:
    made = arena.call("CreateInvite", "organiser", uses=1)
    joined = join(arena, made.code, "yan")
    accepted, created = arena.audited()[:2]
    assert accepted.actor is not None
    assert created.actor is not None
    assert (accepted.actor.user, created.actor.user) == ("yan", "root")
    assert set(accepted.about) == {joined.token.name, "users/yan", made.invite.name}
