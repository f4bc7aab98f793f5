"""Accounts on this machine: the arena and the token of a command that names neither, and no other arena's."""

import json
from pathlib import Path

import pytest

from arena.cli.framework.joined_arenas import accounts_file

ACCEPTED = (
    'token { name: "tokens/7f3a90c1e2d4" owner: "owners/s01" } secret: "arn_mine" user { name: "users/s01" }'
)


@pytest.fixture
def joined(fake, run):
    """Return the fake arena, which a person has joined."""
    fake.answers |= {
        "LookUpInvite": 'user: "users/s01"',
        "AcceptInvite": ACCEPTED,
        "ListBots": "",
        "GetOwnToken": "",
    }
    assert run("join", "https://arena.example.org/join/JOIN-1", "--server", fake.address).exit_code == 0
    return fake


def last_token(fake):
    return fake.calls[-1].authorization


def test_joining_keeps_the_token_for_later_commands(joined, run):
    codes = [call.request.code for call in joined.calls]
    assert codes == ["JOIN-1", "JOIN-1"]
    assert accounts_file().stat().st_mode & 0o077 == 0
    result = run("bot", "list")
    assert result.exit_code == 0, result.output
    assert last_token(joined) == "Bearer arn_mine"
    run("bot", "list", "--server", joined.address)
    assert last_token(joined) == "Bearer arn_mine"
    assert "arn_mine" not in run("account", "list").output


def test_an_accounts_token_goes_to_its_own_arena_alone(joined, run):
    run("bot", "list", "--server", joined.address.replace("127.0.0.1", "localhost"))
    assert last_token(joined) is None


def test_a_local_arena_and_a_token_that_is_given_come_first(joined, run):
    run("bot", "list", "--token", "arn_other")
    assert last_token(joined) == "Bearer arn_other"
    Path("data").mkdir()
    run("bot", "list")
    assert last_token(joined) == "Bearer arn_mine"
    local = {"tcp": joined.address, "unix": None, "pid": 1}
    Path("data", "server.json").write_text(json.dumps(local))
    Path("data", "organiser.token").write_text("arn_local\n")
    run("bot", "list")
    assert last_token(joined) == "Bearer arn_local"


def test_a_local_arena_that_comes_first_is_named_with_the_option_for_the_joined_one(joined, run):
    Path("data").mkdir()
    Path("data", "organiser.token").write_text("arn_local\n")
    stopped = run("bot", "list")
    assert (stopped.exit_code, f"--server {joined.address}" in " ".join(stopped.output.split())) == (4, True)
    again = run("join", "JOIN-2", "--server", joined.address)
    assert (again.exit_code, f"add --server {joined.address}" in again.stderr.replace("\n", " ")) == (0, True)


def test_an_account_is_forgotten_and_another_one_used(joined, run):
    other = joined.address.replace("127.0.0.1", "localhost")
    assert run("join", "JOIN-2", "--server", other).exit_code == 0
    listed = json.loads(run("account", "list", "--format", "json").stdout)["accounts"]
    assert [(each["address"], each["current"]) for each in listed] == [(joined.address, False), (other, True)]
    assert run("account", "use", joined.address).exit_code == 0
    assert run("account", "forget", joined.address).exit_code == 0
    assert run("account", "use", joined.address).exit_code == 1
    listed = json.loads(run("account", "list", "--format", "json").stdout)["accounts"]
    assert [(each["address"], each["current"]) for each in listed] == [(other, True)]


def test_a_name_is_asked_for_before_anything_is_used(fake, run):
    fake.answers |= {"LookUpInvite": "", "AcceptInvite": ACCEPTED}
    assert run("join", "JOIN-1", "--server", fake.address).exit_code == 1
    assert [call.method for call in fake.calls] == ["LookUpInvite"]
    assert run("join", "JOIN-1", "--server", fake.address, "--user", "s01").exit_code == 0
    assert fake.calls[-1].request.user_id == "s01"


def test_a_token_that_cannot_be_kept_is_printed(fake, run, monkeypatch):
    fake.answers |= {"LookUpInvite": 'user: "users/s01"', "AcceptInvite": ACCEPTED}
    monkeypatch.setenv("ARENA_CONFIG", "/proc/no-folder-can-be-made-here")
    result = run("join", "JOIN-1", "--server", fake.address)
    assert (result.exit_code, result.stdout.strip()) == (1, "arn_mine")


@pytest.mark.parametrize("content", ["", "[]", '{"arenas": [{"address": 1}], "current": ""}'])
def test_a_damaged_file_is_an_error_and_is_not_overwritten(fake, run, content):
    fake.answers |= {"LookUpInvite": 'user: "users/s01"', "AcceptInvite": ACCEPTED, "ListBots": ""}
    accounts_file().parent.mkdir(parents=True)
    accounts_file().write_text(content)
    for command in (("bot", "list"), ("join", "JOIN-1", "--server", fake.address), ("account", "list")):
        result = run(*command)
        assert (result.exit_code, accounts_file().name in result.stderr) == (1, True), command
    assert accounts_file().read_text() == content


def test_another_persons_account_is_not_replaced(joined, run):
    joined.answers |= {"LookUpInvite": ""}
    before = accounts_file().read_text()
    result = run("join", "JOIN-2", "--user", "s02", "--server", joined.address)
    assert result.exit_code == 1
    assert [call.method for call in joined.calls].count("AcceptInvite") == 1
    assert accounts_file().read_text() == before
    joined.answers |= {"LookUpInvite": 'user: "users/s01"'}
    assert run("join", "JOIN-2", "--server", joined.address).exit_code == 0


def test_joining_without_an_address_asks_for_one(run):
    result = run("join", "JOIN-1", "--user", "s02")
    assert result.exit_code != 0
    assert "--server" in result.output
