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


AT = "--server ADDRESS"
SHOWN = [
    ("bot list", {}, "arn_local", False),
    (f"{AT} bot list", {}, None, False),
    ("bot list", {"ARENA_ADDRESS": "ADDRESS", "ARENA_TOKEN": "arn_mine"}, "arn_mine", False),
    (f"{AT} --token arn_before bot list", {"ARENA_TOKEN": "arn_mine"}, "arn_before", True),
    (f"{AT} --token arn_before bot list --token arn_after", {"ARENA_TOKEN": "arn_mine"}, "arn_after", True),
    (f"{AT} --token mine.txt bot list", {}, "arn_from_file", False),
]
"""Commands, the environment, the token that the arena is shown, and whether its place is warned of."""


@pytest.mark.usefixtures("local")
@pytest.mark.parametrize("case", SHOWN, ids=[command for command, *_ in SHOWN])
def test_which_token_is_sent(bots, run, monkeypatch, case):
    """The local organiser token is sent to no server that is named."""
    command, environment, token, is_warned_of = case
    Path("mine.txt").write_text("arn_from_file\n")
    for name, value in environment.items():
        monkeypatch.setenv(name, value.replace("ADDRESS", bots.address))

    result = run(*command.replace("ADDRESS", bots.address).split())

    assert result.exit_code == 0, result.output
    assert [call.authorization for call in bots.calls] == [token and f"Bearer {token}"]
    assert ("ARENA_TOKEN" in result.stderr) == bool(result.stderr) == is_warned_of
    assert "arn_" not in result.output


def test_an_invalid_local_token_is_named_with_the_way_to_a_new_one(bots, local, run):
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


def test_without_an_arena_the_command_that_starts_one_is_named_with_exit_code_4(run):
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
def test_the_folder_of_a_killed_arena_and_a_broken_server_file_are_named(local, run, text, named):
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


@pytest.mark.parametrize(
    "token", ["arn_a\nsecret", "arn_a secret", "arn_\N{LATIN SMALL LETTER E WITH ACUTE}secret"]
)
def test_a_token_that_cannot_be_sent_is_refused_in_one_sentence_without_it(bots, run, monkeypatch, token):
    """Row 2, before anything is sent."""
    monkeypatch.setenv("ARENA_TOKEN", token)

    result = run("--server", bots.address, "bot", "list")

    assert result.exit_code == 1
    assert "--token or ARENA_TOKEN" in result.stderr
    assert "secret" not in result.output
    assert bots.calls == []


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ("--server ADDRESS --token nonsense", "Invalid --token"),
        (
            "--server ADDRESS --token mine.token",
            "mine.token (--token or ARENA_TOKEN) cannot be read: No such file",
        ),
        ("--server http://arena.example.org:7450 --token arn_x", "host:port"),
        ("--server https://arena.example.org:7450 --token arn_x", "host:port"),
    ],
)
def test_an_invalid_token_or_address_is_refused(bots, run, options, named):
    result = run(*options.replace("ADDRESS", bots.address).split(), "bot", "list")

    assert result.exit_code == 1
    assert named in result.stderr
    assert "nonsense" not in result.stderr
    assert bots.calls == []


def test_an_invalid_certificate_is_named_by_its_option_or_variable(bots, run, monkeypatch, tmp_path):
    (tmp_path / "key.pem").write_text("no certificate")

    given = run("--server", bots.address, "--tls-ca", "key.pem", "bot", "list")
    monkeypatch.setenv("ARENA_TLS_CA", "key.pem")
    found = run("--server", bots.address, "bot", "list")

    assert given.stderr.startswith("arena: --tls-ca ")
    assert found.stderr.startswith("arena: ARENA_TLS_CA ")


def test_a_token_is_in_no_traceback():
    assert "arn_secret" not in repr(Target("localhost:7450", "arn_secret", Path("data")))


@pytest.mark.parametrize(
    "words",
    [
        "serve",
        "demo",
        "doctor",
        "bot list",
        "data backup copy.tar",
        "--data postgresql://db/arena games list",
    ],
)
def test_the_url_of_a_database_is_no_data_folder(run, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    refused = run(*words.split(), *(() if "--data" in words else ("--data", "postgresql://db/arena")))
    assert (refused.exit_code, "--data" in refused.output) == (2, True)
    assert list(tmp_path.iterdir()) == []
