"""Errors: one sentence on standard error and an exit code."""

import shlex
import sys

import grpc
import pytest

from engine.registry import GAMES
from tests.checkout import ROOT
from tests.unit.cli.fake_arena import Refusal
from tests.unit.cli.screens import check_screen, words

LOG = ROOT / "tests" / "data" / "logs" / "caravan-2-seats.arenalog"
REPLAY = f"log replay {LOG} --bot greedy"
OTHER_GAME = [*GAMES][1]
MINE = "--bot=mine=random"

REFUSED = [
    ("bots", 2, "bots"),
    ("ladder create main --seats two", 2, "'two'"),
    ("ladder create main --option camels", 2, "name=value"),
    ("ladder create main --option camels=5 --option camels=6", 2, "'camels'"),
    ("ladder create main --clock speed=5", 2, "'speed'"),
    ("ladder create main --clock bank_ms=-5", 2, "bank_ms=-5"),
    (
        "ladder create main --clock grace_ms=99999",
        1,
        "--clock grace_ms is 99999, but must be from 0 to 10000",
    ),
    ("match list --state lost", 2, "'no_contest'"),
    ("user quotas alice", 2, "--reset"),
    ("user create alice --role bot", 2, "--role"),
    ("user role alice king", 2, "ROLE"),
    ("user show Alice", 2, "Alice"),
    ("user create Alice", 2, "Alice"),
    ("user quotas alice --bots -1", 2, "--bots"),
    ("bot host ant --off --newest", 2, "--rollback"),
    ("bot host ant --newest --lock", 2, "--lock goes with --off"),
    ("bot host ant --pin newest", 1, "`arena bot versions ant`"),
    ("bot host ant --pin ''", 1, "`arena bot versions ant`"),
    ("simulate chess", 2, "'chess'"),
    ("simulate caravan --seed 12", 2, "64 hex digits"),
    ("simulate caravan --seed no-hex", 2, "64 hex digits"),
    ("simulate caravan --seats 9", 1, "9"),
    ("simulate caravan --option camels=9", 1, "camels"),
    ("demo --bot=greedy", 2, "NAME=COMMAND"),
    ("demo --bot=mine=", 2, "empty"),
    ("demo --bot=mine=no-such-program --bot=other=random", 2, "'no-such-program'"),
    (f"demo {MINE}", 2, "2 seats"),
    (f"demo {MINE} --bot=mine=greedy", 2, "'mine'"),
    ("demo --game chess", 2, "'chess'"),
    (f"demo --game {OTHER_GAME} --seats 1", 2, "--seats"),
    ("demo --seats 2,40", 1, "40"),
    ("demo --seats two", 2, "'two'"),
    (f"demo --seats 4 {MINE} --bot=b=random", 2, "4 seats"),
    ("play chess greedy random", 2, "'chess'"),
    ("play caravan gredy random", 2, "(random, greedy, mcts, planner)"),
    ("play caravan gredy random", 2, "Did you mean greedy?"),
    ("play caravan greedy missing.py", 2, "no program 'missing.py'"),
    ("play caravan greedy /", 2, "'/' is a folder"),
    ("bot run ant", 2, "arena bot run ant -- python my_bot.py"),
    ("ladder create main --clock strikes=-1", 2, "0 or more"),
    ("play caravan greedy", 1, "2 to 4 seats"),
    ("play caravan greedy random --seed 12", 2, "64 hex digits"),
    ("play caravan greedy random --clock bank=3", 2, "'bank'"),
    ("play caravan greedy random --option humps=3", 1, "humps"),
    ("play caravan greedy random --log no/where.arenalog", 1, "folder"),
    ("""play caravan greedy "'" --log x.arenalog""", 2, "command"),
    ("conformance", 2, "COMMAND"),
    ("conformance -- no-such-program", 2, "no-such-program"),
    ("conformance -- 'python my_bot.py'", 2, "quotes"),
    (f"conformance --only juggling -- {sys.executable}", 2, "'juggling'"),
    (f"conformance --game chess -- {sys.executable}", 2, "'chess'"),
    (f"conformance --patience 0 -- {sys.executable}", 2, "--patience"),
    (f"conformance --patience 60 -- {sys.executable}", 2, "--patience"),
    (f"{REPLAY} --seat 2", 2, "2 seats"),
    (f"{REPLAY} --seat -1", 2, "--seat"),
    (f"{REPLAY} --as nobody", 2, "greedy, mcts"),
    (f"{REPLAY} --seat 0 --as greedy", 2, "--seat or --as"),
    (f"{REPLAY} --from-ply 999", 1, "ply 999"),
    (f"{REPLAY} --from-ply -1", 2, "--from-ply"),
    (f"{REPLAY} --bot no-such-program", 2, "'no-such-program'"),
    (f"{REPLAY} --bot ''", 2, "empty"),
    (f'''{REPLAY} --bot "python 'my_bot.py"''', 2, "No closing quotation"),
]
"""Command lines, the exit code, and words of the sentence."""


@pytest.mark.parametrize(("command", "exit_code", "named"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_refused_command_line_names_what_is_wrong_before_anything_starts(
    fake, ask, tmp_path, command, exit_code, named
):
    result = ask(*shlex.split(command))

    assert (result.exit_code, named in words(result.output)) == (exit_code, True), result.output
    assert "Traceback" not in result.output
    assert (fake.calls, list(tmp_path.iterdir())) == ([], [])


def test_invalid_names_and_values_are_usage_errors_in_plain_words(fake, ask):
    commands = (
        "ladder show Nope", "match show abc", "match show 17.arenalog", "token revoke zzz", "log verify /",
        "match list --limit -1", "match list --format xml", "audit list --since yesterday", "bot host ant --pin 3",
        "audit list --since 999999d", "data prune --older-than soon", "ladder run main --wait",
        "token create --bot a --owner b", "log verify", "log verify 1 --suite caravan-2",
        "user import x.csv --sheet x.html --address localhost", "class report main --reference ant:190",
    )  # fmt: skip
    screens = {command: ask(*command.split()) for command in commands}

    check_screen("usage_errors", screens)
    assert fake.calls == []


@pytest.mark.parametrize(("address", "named"), [("127.9.9.9", "127.9.9.9:7450"), ("127.9.9.9:9", "--server")])
def test_an_address_where_no_arena_answers_is_an_error_that_names_a_missing_port(run, address, named):
    result = run("games", "list", "--server", address)
    assert (result.exit_code, named in words(result.output)) == (4, True), result.output


def test_an_error_of_the_arena_is_its_sentence_with_its_reason(fake, ask):
    code = grpc.StatusCode
    refusals = [
        (Refusal(code.NOT_FOUND, 'There is no bot "nobody".', "BOT_NOT_FOUND"), 1),
        (Refusal(code.PERMISSION_DENIED, "Not yours."), 1),
        (Refusal(code.UNAVAILABLE, "The arena is shutting down.", "DRAINING"), 1),
        (Refusal(code.UNAVAILABLE, "failed to connect"), 4),
        (Refusal(code.DEADLINE_EXCEEDED, "Deadline Exceeded"), 4),
        (Refusal(code.INTERNAL, ""), 1),
        (Refusal(code.UNIMPLEMENTED, "No such method"), 1),
    ]
    shown = {}
    for refusal, exit_code in refusals:
        fake.answers["GetBot"] = refusal
        result = ask("bot", "show", "nobody")
        assert (result.exit_code, result.stdout) == (exit_code, "")
        shown[f"{refusal.code.name} {refusal.reason}"] = result

    check_screen("refusals", shown, ADDRESS=fake.address)


def test_nothing_at_the_address_is_exit_code_4(run):
    assert run("--server", "127.0.0.1:1", "bot", "list").exit_code == 4


@pytest.mark.parametrize(
    ("command", "method", "field", "named"),
    [
        ("ladder create main --seats 9", "CreateLadder", "seat_counts", "--seats"),
        ("ladder create main", "CreateLadder", "ladder_id", "LADDER"),
        ("bot create ant", "CreateBot", "bot_id", "BOT"),
        ("user create ann --full-name x", "CreateUser", "full_name", "--full-name"),
        ("webhook create ftp://x --on match.ended", "CreateWebhook", "url", "URL"),
        ("ladder create main", "CreateLadder", "time_control.bank_ms", "--clock bank_ms"),
        ("bot create ant", "CreateBot", "request_id", "request_id"),
    ],
)
def test_an_invalid_field_is_named_as_its_argument_or_option(fake, ask, command, method, field, named):
    fake.answers[method] = Refusal(
        grpc.StatusCode.INVALID_ARGUMENT, f"{field} is not right.", "FIELD_INVALID", {"field": field}
    )
    assert ask(*command.split()).stderr == f"arena: {named} is not right. (FIELD_INVALID)\n"


def test_a_field_is_not_named_otherwise_in_the_middle_of_a_sentence(fake, ask):
    fake.answers["CreateWebhook"] = Refusal(
        grpc.StatusCode.INVALID_ARGUMENT, "The url is not right.", "FIELD_INVALID", {"field": "url"}
    )
    assert "The url is not right." in ask("webhook", "create", "ftp://x", "--on", "match.ended").stderr


def test_text_from_an_arena_cannot_control_the_terminal(fake, ask):
    fake.answers["GetBot"] = Refusal(grpc.StatusCode.NOT_FOUND, "[red]no\x1b[2Jbot[/red]", "BOT_NOT_FOUND")

    result = ask("bot", "show", "x")

    assert "\x1b" not in result.stderr
    assert "[red]no" in result.stderr


def test_a_missing_token_is_reported_with_the_address_and_its_variable(fake, run, monkeypatch):
    fake.answers["GetBot"] = Refusal(grpc.StatusCode.UNAUTHENTICATED, "No authorization.", "TOKEN_MISSING")
    monkeypatch.setenv("ARENA_ADDRESS", fake.address)

    result = run("bot", "show", "x")

    assert result.exit_code == 1
    assert f"{fake.address} (ARENA_ADDRESS)" in result.stderr
    assert "(TOKEN_MISSING)" in result.stderr
