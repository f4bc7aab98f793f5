"""What `arena user` says of users, and the quotas that it sets."""

import pytest

from arena.v1 import user_pb2
from tests.unit.cli.screens import Screens, check_answers

OWN_TOKEN = 'token { name: "tokens/7f3a90c1e2d4" owner: "owners/root" role: ROLE_ORGANISER }'


def test_organisers_take_their_own_rights_away_only_with_yes(fake, ask):
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


SCREENS: Screens = {
    "user_quotas": {
        "": (
            "user quotas alice --bots 2",
            {
                "SetUserQuotas": "",
                "GetUser": """
                    user {
                      name: "users/alice" role: ROLE_OWNER quotas { bots: 2 } quotas_in_force { bots: 2 tokens: 9 }
                      usage { bots: 3 tokens: 4 }
                    }
                """,
            },
        )
    },
    "user_show": {
        "organiser": (
            "user show",
            {"GetUser": 'user { name: "users/root" role: ROLE_ORGANISER quotas { bots: 2 } }'},
        ),
        "spectator": (
            "user show class",
            {
                "GetUser": """
                    user {
                      name: "users/class" role: ROLE_SPECTATOR quotas_in_force { bots: 9 tokens: 9 connections: 9 }
                      usage { tokens: 1 }
                    }
                """
            },
        ),
    },
}


@pytest.mark.parametrize("name", SCREENS)
def test_quotas_are_shown_with_usage_and_what_exceeds_them(fake, ask, name):
    check_answers(name, SCREENS, fake, ask)
