"""What `arena user` asks an arena for, and says of it."""

import pytest

from arena.v1 import token_pb2, user_pb2
from tests.unit.cli.screens import check_screen

OWN_TOKEN = 'token { name: "tokens/7f3a90c1e2d4" owner: "owners/root" role: ROLE_ORGANISER }'


def test_a_user_is_created_with_quotas_and_a_request_id(fake, ask):
    fake.answers["CreateUser"] = lambda request: (
        f'user {{ name: "users/{request.user_id}" role: {request.role} }}'
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
    fake.answers["SetUserRole"] = 'user { name: "users/ben" role: ROLE_ORGANISER }'
    assert "organiser" in ask("user", "role", "ben", "organiser").stdout
    fake.answers["SetUserRole"] = 'user { name: "users/ben" role: ROLE_SPECTATOR } revoked_tokens: 2'
    assert "2 tokens" in ask("user", "role", "ben", "spectator", "--yes").stderr
    assert fake.texts("SetUserRole")[0] == 'name: "users/ben" role: ROLE_ORGANISER'


def test_a_user_is_disabled_and_enabled_again(fake, ask):
    fake.answers |= {"SetUserDisabled": 'user { name: "users/mal" }', "GetOwnToken": OWN_TOKEN}

    for command, disabled in (("disable", True), ("enable", False)):
        assert ask("user", command, "mal").exit_code == 0
        assert fake.requests("SetUserDisabled")[-1].disabled is disabled


def test_nobody_takes_their_own_rights_away_unless_they_say_yes(fake, ask):
    user = 'user { name: "users/root" }'
    fake.answers |= {"GetOwnToken": OWN_TOKEN, "SetUserRole": user, "SetUserDisabled": user}

    for words in (("disable", "root"), ("role", "users/root", "owner")):
        refused = ask("user", *words)
        assert refused.exit_code == 1
        assert "7f3a90c1e2d4" in refused.stderr
        assert not fake.requests("SetUserRole") + fake.requests("SetUserDisabled")
    for words in (("disable", "root"), ("role", "users/root", "owner")):
        assert ask("user", *words, "--yes").exit_code == 0
    assert ask("user", "role", "root", "organiser").exit_code == 0


def test_quotas_that_are_not_given_stay_as_they_are_unless_they_are_reset(fake, ask):
    before = 'user { name: "users/alice" quotas { bots: 3 tokens: 9 } }'
    fake.answers |= {"GetUser": before, "SetUserQuotas": before}

    ask("user", "quotas", "alice", "--bots", "0", "--connections", "64")
    ask("user", "quotas", "alice", "--reset", "--bots", "5")

    kept, reset = fake.requests("SetUserQuotas")
    assert kept.quotas == user_pb2.UserQuotas(bots=0, tokens=9, connections=64)
    assert reset.quotas == user_pb2.UserQuotas(bots=5)


def test_new_quotas_are_shown_with_what_there_is_and_what_is_above_them(fake, ask):
    fake.answers |= {
        "SetUserQuotas": "",
        "GetUser": """
            user {
              name: "users/alice" role: ROLE_OWNER quotas { bots: 2 } quotas_in_force { bots: 2 tokens: 9 }
              usage { bots: 3 tokens: 4 }
            }
        """,
    }

    check_screen("user_quotas", ask("user", "quotas", "alice", "--bots", "2"))


def test_quotas_of_an_organiser_are_kept_and_a_spectator_has_none_of_bots(fake, ask):
    fake.answers["GetUser"] = 'user { name: "users/root" role: ROLE_ORGANISER quotas { bots: 2 } }'
    kept = ask("user", "show")
    assert fake.texts("GetUser") == [""], "nobody is named: oneself"

    fake.answers["GetUser"] = """
        user {
          name: "users/class" role: ROLE_SPECTATOR quotas_in_force { bots: 9 tokens: 9 connections: 9 }
          usage { tokens: 1 }
        }
    """
    shown = ask("user", "show", "class")
    assert "connections" not in shown.stdout
    check_screen("user_show", {"organiser": kept, "spectator": shown})


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("quotas alice", "--reset"),
        ("create alice --role bot", "--role"),
        ("role alice king", "ROLE"),
        ("show Alice", "Alice"),
        ("create Alice", "Alice"),
        ("quotas alice --bots -1", "--bots"),
    ],
)
def test_a_usage_error_names_its_option_or_value(run, words, named):
    result = run("user", *words.split())
    assert result.exit_code == 2
    assert named in result.stderr
