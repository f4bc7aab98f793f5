"""Which arena a command speaks to, and which token it shows."""

import json
from pathlib import Path

import grpc
import pytest

from arena.cli.framework.target import Target
from tests.unit.cli.fake_arena import Refusal


@pytest.fixture
def bots(fake):
    fake.answers["ListBots"] = ""
    return fake


@pytest.fixture
def local(bots, tmp_path):
    """Make a data folder whose server.json names the fake arena."""
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "server.json").write_text(json.dumps({"tcp": bots.address, "unix": None, "pid": 1}))
    (folder / "organiser.token").write_text("arn_local\n")
    return folder


def test_the_local_arena_is_asked_with_its_organiser_token(bots, local, run):
    assert run("bot", "list").exit_code == 0
    assert [call.authorization for call in bots.calls] == ["Bearer arn_local"]


def test_a_local_token_that_opens_nothing_any_more_is_named_with_the_way_back(bots, local, run):
    invalid = Refusal(grpc.StatusCode.UNAUTHENTICATED, "The token is not valid.", "TOKEN_INVALID")
    bots.answers |= {"ListBots": invalid, "ListLadders": invalid, "ListGames": ""}

    result = run("bot", "list")
    examined = run("doctor")

    assert "(TOKEN_INVALID)" in result.stderr
    assert "data/organiser.token" in result.stderr
    assert "data/organiser.token" in examined.stdout
    for options in (("--token", "arn_x"), ("--server", bots.address, "--token", "arn_x")):
        assert "organiser.token" not in run("bot", "list", *options).stderr


def test_another_data_folder_may_be_named_before_or_after_the_command(bots, local, run):
    local.rename(local.parent / "elsewhere")

    assert run("--data", "elsewhere", "bot", "list").exit_code == 0
    assert run("bot", "list", "--data", "elsewhere").exit_code == 0
    assert len(bots.calls) == 2


def test_options_after_the_command_beat_those_before_it_and_those_the_environment(bots, run, monkeypatch):
    monkeypatch.setenv("ARENA_ADDRESS", bots.address)
    monkeypatch.setenv("ARENA_TOKEN", "arn_environment")

    run("bot", "list")
    run("--token", "arn_before", "bot", "list")
    run("--token", "arn_before", "bot", "list", "--token", "arn_after")

    assert [call.authorization for call in bots.calls] == [
        "Bearer arn_environment",
        "Bearer arn_before",
        "Bearer arn_after",
    ]


def test_the_local_organiser_token_is_never_shown_to_a_server_that_was_named(bots, local, run):
    assert run("--server", bots.address, "bot", "list").exit_code == 0
    assert [call.authorization for call in bots.calls] == [None]


def test_a_token_that_is_neither_token_nor_file_is_refused_in_one_sentence(bots, run):
    result = run("--server", bots.address, "--token", "nonsense", "bot", "list")

    assert result.exit_code == 1
    assert "nonsense" not in result.stderr
    assert bots.calls == []


@pytest.mark.parametrize(
    "text", ["", "nonsense", "arn_one\narn_two", "arn_\N{LATIN SMALL LETTER E WITH ACUTE}"]
)
def test_a_file_that_holds_something_else_than_one_token_is_named(bots, run, tmp_path, text):
    (tmp_path / "mine.txt").write_text(text)

    result = run("--server", bots.address, "--token", "mine.txt", "bot", "list")

    assert (result.exit_code, "mine.txt" in result.stderr) == (1, True)
    assert bots.calls == []


def test_the_socket_of_the_local_arena_is_preferred_to_its_port(bots, local, run):
    fields = {"tcp": "127.0.0.1:1", "unix": f"ipv4:{bots.address}", "pid": 1}
    (local / "server.json").write_text(json.dumps(fields))

    assert run("bot", "list").exit_code == 0


def test_without_an_arena_the_sentence_says_how_to_start_one_and_the_code_is_4(run):
    result = run("bot", "list")

    assert result.exit_code == 4
    assert "`arena serve --data data`" in result.stderr


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('{"tcp": "127.0.0.1:1", "unix": null, "pid": 1}', "`arena serve`"),
        *((broken, "server.json") for broken in ("", "[]", "{}", "null", '{"tcp": "a:1", "pid": "x"}')),
    ],
)
def test_a_folder_left_behind_by_a_killed_arena_and_a_broken_server_file_are_named(local, run, text, named):
    (local / "server.json").write_text(text)

    result = run("bot", "list")

    assert result.exit_code == 4
    assert named in result.stderr


@pytest.mark.parametrize(
    ("command", "environment", "exit_code"),
    [
        ("bot list", {"ARENA_TOKEN": "arn_secret"}, 1),
        ("bot list", {"ARENA_TOKEN": "arn_secret", "ARENA_PLAINTEXT": "1"}, 4),
        ("games list", {}, 4),
    ],
    ids=["in the open", "a trusted network", "no token"],
)
def test_a_token_is_sent_in_the_open_to_another_machine_only_where_the_network_is_trusted(
    run, monkeypatch, command, environment, exit_code
):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    result = run("--server", "arena.invalid:7450", *command.split())

    assert result.exit_code == exit_code
    assert "arena.invalid:7450" in result.stderr
    assert "arn_secret" not in result.output


@pytest.mark.parametrize("place", ["before", "after"])
def test_a_token_on_the_command_line_is_taken_with_a_warning(bots, run, place):
    words = ("bot", "list")
    token = ("--token", "arn_secret")

    result = run("--server", bots.address, *(token + words if place == "before" else words + token))

    assert result.exit_code == 0
    assert [call.authorization for call in bots.calls] == ["Bearer arn_secret"]
    assert "ARENA_TOKEN" in result.stderr
    assert "arn_secret" not in result.output


def test_a_token_from_a_file_or_the_environment_is_taken_without_one(bots, run, tmp_path, monkeypatch):
    (tmp_path / "mine.txt").write_text("arn_from_file\n")

    assert run("--server", bots.address, "--token", "mine.txt", "bot", "list").stderr == ""
    monkeypatch.setenv("ARENA_TOKEN", "arn_environment")
    assert run("--server", bots.address, "bot", "list").stderr == ""
    shown = [call.authorization for call in bots.calls]
    assert shown == ["Bearer arn_from_file", "Bearer arn_environment"]


@pytest.mark.parametrize(
    "token", ["arn_a\nsecret", "arn_a secret", "arn_\N{LATIN SMALL LETTER E WITH ACUTE}secret"]
)
def test_a_token_that_cannot_be_sent_is_refused_in_one_sentence_without_it(bots, run, monkeypatch, token):
    """Row 2, before anything is sent."""
    monkeypatch.setenv("ARENA_TOKEN", token)

    result = run("--server", bots.address, "bot", "list")

    assert result.exit_code == 1
    assert "ARENA_TOKEN or --token" in result.stderr
    assert "secret" not in result.output
    assert bots.calls == []


def test_a_token_file_that_cannot_be_read_is_named(bots, run):
    result = run("--server", bots.address, "--token", "mine.token", "bot", "list")

    assert "mine.token" in result.stderr
    assert "No such file" in result.stderr


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_an_address_with_a_scheme_of_the_web_is_refused(run, scheme):
    result = run("--server", f"{scheme}://arena.example.org:7450", "--token", "arn_x", "bot", "list")

    assert result.exit_code == 1
    assert "host:port" in result.stderr


def test_what_was_given_as_an_option_is_named_so(bots, run, monkeypatch, tmp_path):
    (tmp_path / "key.pem").write_text("no certificate")

    given = run("--server", bots.address, "--tls-ca", "key.pem", "bot", "list")
    monkeypatch.setenv("ARENA_TLS_CA", "key.pem")
    found = run("--server", bots.address, "bot", "list")

    assert given.stderr.startswith("arena: --tls-ca ")
    assert found.stderr.startswith("arena: ARENA_TLS_CA ")


def test_a_token_is_in_no_traceback():
    assert "arn_secret" not in repr(Target("localhost:7450", "arn_secret", Path("data")))
