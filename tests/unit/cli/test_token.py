"""What `arena token` and its like say of tokens: whose user was made, until when they live, which are which."""

from tests.unit.cli.screens import check_screen

MADE_S = 1_900_000_000
DAY_S = 86_400


def a_token(fields: str = "", *, digits: str = "7f3a90c1e2d4", lives_s: int = 0) -> str:
    """Return a token made at MADE_S that expires after `lives_s`; 0: never."""
    ends = f"expire_time {{ seconds: {MADE_S + lives_s} }}" if lives_s else ""
    return f'{{ name: "tokens/{digits}" create_time {{ seconds: {MADE_S} }} {ends} {fields} }}'


def test_a_user_who_is_made_by_a_token_or_a_bot_is_named(fake, ask):
    token = a_token('owner: "owners/tyop" role: ROLE_ORGANISER')
    fake.answers |= {
        "CreateToken": f'token {token} secret: "arn_x" user_made: true',
        "CreateBot": 'bot { name: "bots/greedy" owner: "owners/tyop" } user_made: true',
    }

    result = ask("token", "create", "--organiser", "tyop")
    assert result.stdout == "arn_x\n"
    created = ask("bot", "create", "greedy", "--owner", "tyop")
    check_screen("user_made", {"by a token": result, "by a bot": created})


def test_a_new_token_says_until_when_it_lives_and_why_not_longer(fake, ask):
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


def test_tokens_are_chosen_by_owner_bot_and_life(fake, ask):
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
