"""What goes wrong becomes one sentence on standard error and an exit code."""

import grpc
import pytest

from tests.unit.cli.fake_arena import Refusal
from tests.unit.cli.screens import check_screen


def test_a_refusal_is_the_arenas_sentence_with_its_reason(fake, ask):
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
    result = run("--server", "127.0.0.1:1", "bot", "list")

    assert result.exit_code == 4


@pytest.mark.parametrize(
    "command",
    [
        "ladder create main --seats two", "ladder create main --option camels",
        "ladder create main --option camels=5 --option camels=6", "ladder create main --clock speed=5",
        "ladder create main --clock bank_ms=-5", "ladder run main --wait", "token create",
        "token create --bot a --owner b", "log verify", "match list --state lost", "simulate chess",
        "simulate caravan --seed 12", "simulate caravan --seed no-hex",
    ],
)  # fmt: skip
def test_a_command_line_that_makes_no_sense_is_exit_code_2_and_asks_nobody(fake, ask, command):
    result = ask(*command.split())

    assert result.exit_code == 2
    assert "Traceback" not in result.stderr
    assert fake.calls == []


def test_a_clock_rule_out_of_its_range_names_the_rule_and_the_range(fake, ask):
    result = ask("ladder", "create", "main", "--clock", "grace_ms=99999")

    assert result.exit_code == 1
    assert "time_control.grace_ms" in result.stderr
    assert "0 to 10000" in result.stderr
    assert fake.calls == []


def test_a_refused_field_is_called_as_its_option_is(fake, ask):
    fake.answers["CreateLadder"] = Refusal(
        grpc.StatusCode.INVALID_ARGUMENT,
        "seat_counts has 9, but Caravan has 2 to 4 seats.",
        "FIELD_INVALID",
        {"field": "seat_counts"},
    )
    told = ask("ladder", "create", "main", "--seats", "9").stderr
    assert told.startswith("arena: --seats has 9")


def test_text_from_an_arena_can_neither_style_nor_steer_the_terminal(fake, ask):
    fake.answers["GetBot"] = Refusal(grpc.StatusCode.NOT_FOUND, "[red]no\x1b[2Jbot[/red]", "BOT_NOT_FOUND")

    result = ask("bot", "show", "x")

    assert "\x1b" not in result.stderr
    assert "[red]no" in result.stderr


def test_a_missing_token_is_said_in_the_words_of_the_command_line(fake, run, monkeypatch):
    fake.answers["GetBot"] = Refusal(grpc.StatusCode.UNAUTHENTICATED, "No authorization.", "TOKEN_MISSING")
    monkeypatch.setenv("ARENA_ADDRESS", fake.address)

    result = run("bot", "show", "x")

    assert result.exit_code == 1
    assert f"{fake.address} (ARENA_ADDRESS)" in result.stderr
    assert "(TOKEN_MISSING)" in result.stderr


def test_what_cannot_be_meant_is_refused_in_plain_words_and_asks_nobody(fake, ask):
    commands = (
        "ladder show Nope", "match show abc", "match show 17.arenalog", "token revoke zzz", "log verify /",
        "match list --limit -1", "match list --format xml", "audit list --since yesterday", "bot host ant --pin 3",
        "data prune --older-than soon", "ladder run main --wait", "token create --bot a --owner b", "log verify",
    )  # fmt: skip
    screens = {command: ask(*command.split()) for command in commands}

    check_screen("usage_errors", screens)
    assert fake.calls == []
