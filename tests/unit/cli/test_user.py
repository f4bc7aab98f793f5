"""What `arena user` asks an arena for, and says of it."""

from __future__ import annotations

import pytest

from arena.v1 import token_pb2, user_pb2
from tests.unit.cli.screens import check_screen

OWN_TOKEN = token_pb2.GetOwnTokenResponse(
    token=token_pb2.Token(name="tokens/7f3a90c1e2d4", owner="owners/root", role=token_pb2.ROLE_ORGANISER)
)


def test_a_user_is_made_with_his_quotas_and_a_request_id(fake, ask):
    fake.answers["CreateUser"] = lambda request: user_pb2.CreateUserResponse(
        user=user_pb2.User(name=f"users/{request.user_id}", role=request.role)
    )

    result = ask("user", "create", "alice", "--bots", "3", "--tokens", "0")
    ask("user", "create", "users/class", "--role", "spectator")

    first, second = fake.requests("CreateUser")
    assert (first.user_id, first.role) == ("alice", token_pb2.ROLE_OWNER)
    assert first.quotas == user_pb2.UserQuotas(bots=3, tokens=0)
    assert (second.user_id, second.role) == ("class", token_pb2.ROLE_SPECTATOR)
    assert not second.quotas.ListFields()
    assert len({first.request_id, second.request_id, ""}) == 3
    assert "arena token create --owner alice" in result.stdout


def test_a_role_is_given(fake, ask):
    fake.answers["SetUserRole"] = lambda request: user_pb2.SetUserRoleResponse(
        user=user_pb2.User(name=request.name, role=request.role)
    )

    assert "organiser" in ask("user", "role", "ben", "organiser").stdout
    fake.answers["SetUserRole"] = user_pb2.SetUserRoleResponse(
        user=user_pb2.User(name="users/ben", role=token_pb2.ROLE_SPECTATOR), revoked_tokens=2
    )
    assert "2 tokens" in ask("user", "role", "ben", "spectator", "--yes").stderr
    assert fake.requests("SetUserRole")[:1] == [
        user_pb2.SetUserRoleRequest(name="users/ben", role=token_pb2.ROLE_ORGANISER)
    ]


def test_a_user_is_shut_out_and_let_in_again(fake, ask):
    fake.answers["SetUserDisabled"] = lambda request: user_pb2.SetUserDisabledResponse(
        user=user_pb2.User(name=request.name, disabled=request.disabled)
    )
    fake.answers["GetOwnToken"] = OWN_TOKEN

    for command, disabled in (("disable", True), ("enable", False)):
        assert ask("user", command, "mal").exit_code == 0
        assert fake.requests("SetUserDisabled")[-1].disabled is disabled


def test_nobody_takes_his_own_rights_away_unless_he_says_yes(fake, ask):
    fake.answers |= {
        "GetOwnToken": OWN_TOKEN,
        "SetUserRole": user_pb2.SetUserRoleResponse(user=user_pb2.User(name="users/root")),
        "SetUserDisabled": user_pb2.SetUserDisabledResponse(user=user_pb2.User(name="users/root")),
    }

    for words in (("disable", "root"), ("role", "users/root", "owner")):
        refused = ask("user", *words)
        assert refused.exit_code == 1
        assert "7f3a90c1e2d4" in refused.stderr
        assert not fake.requests("SetUserRole") + fake.requests("SetUserDisabled")
    for words in (("disable", "root"), ("role", "users/root", "owner")):
        assert ask("user", *words, "--yes").exit_code == 0
    assert ask("user", "role", "root", "organiser").exit_code == 0


def test_quotas_that_are_not_given_stay_as_they_are_unless_they_are_reset(fake, ask):
    before = user_pb2.User(name="users/alice", quotas=user_pb2.UserQuotas(bots=3, tokens=9))
    fake.answers |= {
        "GetUser": user_pb2.GetUserResponse(user=before),
        "SetUserQuotas": user_pb2.SetUserQuotasResponse(user=before),
    }

    ask("user", "quotas", "alice", "--bots", "0", "--connections", "64")
    ask("user", "quotas", "alice", "--reset", "--bots", "5")

    kept, reset = fake.requests("SetUserQuotas")
    assert kept.quotas == user_pb2.UserQuotas(bots=0, tokens=9, connections=64)
    assert reset.quotas == user_pb2.UserQuotas(bots=5)


def test_new_quotas_are_shown_with_what_there_is_and_what_is_above_them(fake, ask):
    fake.answers |= {
        "SetUserQuotas": user_pb2.SetUserQuotasResponse(),
        "GetUser": user_pb2.GetUserResponse(
            user=user_pb2.User(
                name="users/alice",
                role=token_pb2.ROLE_OWNER,
                quotas=user_pb2.UserQuotas(bots=2),
                quotas_in_force=user_pb2.UserQuotas(bots=2, tokens=9),
                usage=user_pb2.UserUsage(bots=3, tokens=4),
            )
        ),
    }

    check_screen("user_quotas", ask("user", "quotas", "alice", "--bots", "2"))


def test_quotas_of_an_organiser_are_kept_and_a_spectator_has_none_of_bots(fake, ask):
    organiser = user_pb2.User(
        name="users/root", role=token_pb2.ROLE_ORGANISER, quotas=user_pb2.UserQuotas(bots=2)
    )
    fake.answers["GetUser"] = user_pb2.GetUserResponse(user=organiser)
    kept = ask("user", "show")

    spectator = user_pb2.User(
        name="users/class",
        role=token_pb2.ROLE_SPECTATOR,
        quotas_in_force=user_pb2.UserQuotas(bots=9, tokens=9, connections=9),
        usage=user_pb2.UserUsage(tokens=1),
    )
    fake.answers["GetUser"] = user_pb2.GetUserResponse(user=spectator)
    shown = ask("user", "show", "class")
    assert "connections" not in shown.stdout
    check_screen("user_show", {"organiser": kept, "spectator": shown})


def test_one_sees_oneself_where_nobody_is_named(fake, ask):
    fake.answers["GetUser"] = user_pb2.GetUserResponse(
        user=user_pb2.User(name="users/root", role=token_pb2.ROLE_ORGANISER, usage=user_pb2.UserUsage(bots=2))
    )

    result = ask("user", "show")

    assert fake.requests("GetUser") == [user_pb2.GetUserRequest()]
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("user", "quotas", "alice"), "--reset"),
        (("user", "create", "alice", "--role", "bot"), "--role"),
        (("user", "role", "alice", "king"), "ROLE"),
        (("user", "show", "Alice"), "Alice"),
        (("user", "create", "Alice"), "Alice"),
        (("user", "quotas", "alice", "--bots", "-1"), "--bots"),
    ],
)
def test_what_cannot_be_meant_is_a_mistake_of_usage(run, words, says):
    result = run(*words)
    assert result.exit_code == 2
    assert says in result.stderr
