"""Users and their tokens: what the commands say of them, and the quotas that they set."""

import pytest

from arena.v1 import user_pb2
from tests.unit.cli.screens import Screens, check_screens

MADE_S = 1_900_000_000
DAY_S = 86_400


def a_token(fields: str = "", *, digits: str = "7f3a90c1e2d4", lives_s: int = 0) -> str:
    """Return a token made at MADE_S that expires after `lives_s`; 0: never."""
    ends = f"expire_time {{ seconds: {MADE_S + lives_s} }}" if lives_s else ""
    return f'{{ name: "tokens/{digits}" create_time {{ seconds: {MADE_S} }} {ends} {fields} }}'


def test_a_new_token_shows_when_it_expires_and_why_not_later(fake, ask):
    def made(days: int, *words: str) -> str:
        fake.answers["CreateToken"] = f'token {a_token(lives_s=days * DAY_S)} secret: "arn_x"'
        said: str = ask("token", "create", "--owner", "ada", *words).stderr
        return said

    until, why = "2030-03-20 17:46:40Z", "outlives"
    assert until not in made(0)
    assert until in made(3, "--expire-days", "3")
    assert why not in made(3, "--expire-days", "3")
    for words in ((), ("--expire-days", "30"), ("--expire-minutes", "4321")):
        assert why in made(3, *words)


def test_tokens_are_filtered_by_owner_bot_and_validity(fake, ask):
    tokens = [
        a_token('role: ROLE_BOT owner: "owners/ada" bot: "bots/ant"', digits="0" * 12),
        a_token('role: ROLE_OWNER owner: "owners/ada" revoked: true', digits="1" * 12),
        a_token('owner: "owners/bob"', digits="2" * 12, lives_s=1 - MADE_S),
        a_token('role: ROLE_OWNER owner: "owners/bob"', digits="3" * 12, lives_s=DAY_S),
    ]
    fake.answers["ListTokens"] = " ".join(f"tokens {token}" for token in tokens)

    def listed(*words: str) -> list[str]:
        """Return the first digits of the names of the tokens listed."""
        lines = ask("token", "list", *words).stdout.splitlines()
        return [line.split()[0][0] for line in lines if line.split() and line.split()[0].isdigit()]

    assert listed() == ["0", "1", "2", "3"]
    assert listed("--owner", "ada") == listed("--owner", "users/ada") == ["0", "1"]
    assert listed("--bot", "ant") == ["0"]
    assert listed("--live") == ["0", "3"]
    assert listed("--live", "--owner", "bob") == ["3"]
    shown = ask("token", "list").stdout
    assert {"revoked", "expired"} <= set(shown.split())
    assert "owners/" not in shown
    assert "bots/" not in shown


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


TYOP = a_token('owner: "owners/tyop" role: ROLE_ORGANISER')
SCREENS: Screens = {
    "user_made": {
        "by a token": (
            "token create --organiser tyop",
            {"CreateToken": f'token {TYOP} secret: "arn_x" user_made: true'},
        ),
        "by a bot": (
            "bot create greedy --owner tyop",
            {"CreateBot": 'bot { name: "bots/greedy" owner: "owners/tyop" } user_made: true'},
        ),
    },
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
def test_new_users_and_quotas_with_their_usage_are_shown(fake, ask, name):
    check_screens(name, SCREENS, fake, ask)
