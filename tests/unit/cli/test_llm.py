"""`arena llm`, folders of bots in other commands, and the clock for them."""

import json
import sys
from pathlib import Path

import pytest
import typer

from arena.cli.compare.comparison import _files
from arena.cli.play.participants import parse_participants
from arena.cli.rules import CLOCKS, clock_rules, clock_values
from arena.core.clock.clock_fit import check_clock_fits, clock_warnings
from arena.core.clock.time_control import TimeControl
from engine.registry import GAMES
from tests.unit.cli.conftest import Run
from tests.unit.sdk.llm.fake_endpoint import KEY, an_endpoint, answers, fails, says


def new(run: Run, *more: str) -> None:
    """Make the folder `mine`."""
    result = run("llm", "new", "mine", "--model", "m", *more)
    assert result.exit_code == 0, result.output


def test_a_new_folder_is_shown_as_the_model_reads_it(run: Run) -> None:
    new(run)
    result = run("llm", "show", "mine", "--game", "caravanserai", "--seats", "3", "--format", "json")
    assert result.exit_code == 0, result.output
    shown = json.loads(result.stdout)
    assert Path("mine/prompt.md").read_text().strip() in shown["system"]
    assert f"{GAMES['caravanserai'].spec.title}, on seat " in shown["system"]
    assert "\n1. " in shown["user"]
    text = run("llm", "show", "mine")
    assert text.exit_code == 0
    assert "=== user ===" in text.stdout


def test_one_question_is_asked_to_see_whether_and_at_what_price_it_is_answered(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    with an_endpoint(answers("PASS")) as fake:
        new(run, "--base-url", fake.url, "--key-variable", "MY_KEY")
        result = run("llm", "show", "mine", "--game", "caravan", "--ask", "--format", "json")
    assert result.exit_code == 0, result.output
    shown = json.loads(result.stdout)
    assert (shown["action"], shown["input_tokens"], shown["output_tokens"]) == ("PASS", 1000, 50)
    assert json.loads(Path("mine/spent.json").read_text())["requests"] == 1
    assert KEY not in result.output


@pytest.mark.parametrize(
    ("mode", "named"),
    [
        (fails(401, f"wrong key {KEY}"), "status 401"),
        (says("no"), "No JSON object"),
        (answers(9999), "'9999' is not the number"),
    ],
)
def test_a_question_that_is_not_answered_says_why(
    run: Run, monkeypatch: pytest.MonkeyPatch, mode, named: str
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    with an_endpoint(mode) as fake:
        new(run, "--base-url", fake.url, "--key-variable", "MY_KEY")
        result = run("llm", "show", "mine", "--ask")
    assert result.exit_code == 1
    assert named in " ".join(result.stderr.split())
    assert KEY not in result.output


@pytest.mark.parametrize(
    ("command", "code", "named"),
    [
        ("llm show nothing", 1, "arena llm new nothing"),
        ("llm show mine --ask", 1, "MY_KEY is not set"),
        ("llm show mine --game chess", 2, "unknown game"),
        ("llm show mine --seats 99", 1, "99"),
        ("llm show mine --option camels=77", 1, "camels"),
        ("llm new mine", 1, "already"),
        ("llm new other --base-url host", 1, "base URL"),
        ("llm new other --key-variable sk-1", 1, "variable"),
    ],
)
def test_what_cannot_be_done_is_named_without_a_traceback(
    run: Run, command: str, code: int, named: str
) -> None:
    new(run, "--key-variable", "MY_KEY")
    result = run(*command.split())
    assert result.exit_code == code
    assert named in " ".join(result.stderr.split())
    assert "Traceback" not in result.output


def test_a_folder_is_a_bot_of_a_match_named_after_it(run: Run) -> None:
    new(run)
    one, twin = parse_participants(["mine", "mine"], "caravan")
    assert one.command == (sys.executable, "-m", "arena.sdk.llm", "mine")
    assert (one.bot, twin.bot) == ("mine", "mine-2")
    with pytest.raises(typer.BadParameter, match="is a folder"):
        parse_participants(["."], "caravan")


def test_a_comparison_belongs_to_the_files_of_the_folder(run: Run) -> None:
    new(run)
    (one,) = parse_participants(["mine"], "caravan")
    assert _files(one) == ["mine/llm.toml", "mine/prompt.md"]


def test_a_clock_has_a_name_and_single_rules_take_the_place_of_its_own() -> None:
    assert clock_rules(clock_values(None)) == TimeControl()
    assert clock_rules(clock_values(["slow"])) == TimeControl(**CLOCKS["slow"])
    for texts in (["slow", "bank_ms=7"], ["bank_ms=7", "slow"]):
        changed = clock_rules(clock_values(texts))
        assert (changed.per_decision_ms, changed.bank_ms) == (60_000, 7)
    for wrong in (["fast"], ["slow", "fast"], ["bank_ms=1", "bank_ms=2"]):
        with pytest.raises(typer.BadParameter):
            clock_values(wrong)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_long_match_fits_into_the_slow_clock(game) -> None:
    control = clock_rules(clock_values(["slow"]))
    check_clock_fits(control)
    seats = range(game.spec.min_seats, game.spec.max_seats + 1)
    assert clock_warnings(control, game, {each: game.options(each, {}) for each in seats}) == ()
