"""`arena conformance` as its user meets it."""

import json
import sys
from pathlib import Path

import pytest

from arena.conformance.scenarios import SCENARIOS
from tests.checkout import ROOT
from tests.system.cli.test_help import WITHOUT_SERVER_PACKAGES
from tests.unit.cli.programs import check_ctrl_c, finish, start
from tests.unit.cli.screens import words

ONE_FLAW = str(ROOT / "tests" / "unit" / "conformance" / "one_flaw.py")


def bot(flaw: str = "Bot") -> tuple[str, ...]:
    return ("--", sys.executable, ONE_FLAW, flaw)


def test_a_bot_that_passes_ends_with_0():
    code, out, err = finish(start("conformance", "--only", "hello", "--only", "ping", *bot()))

    assert code == 0, err
    assert "2 scenarios passed." in out


def test_a_failure_ends_with_1_and_shows_the_messages_and_the_rule():
    code, out, _ = finish(start("conformance", "--only", "token", *bot("PrintsItsToken"), COLUMNS="80"))

    assert code == 1
    assert "(docs/protocol.md, Checklist)" in words(out)
    assert "< goodbye { code: CODE_UNAUTHENTICATED" in words(out)
    assert "1 of 1 scenario failed" in words(out)
    assert max(map(len, out.splitlines())) <= 80


def test_equal_crashes_in_several_scenarios_are_reported_once_with_the_output():
    scenarios = [f"--only={name}" for name in ("seats", "several", "frames")]
    code, out, _ = finish(start("conformance", *scenarios, *bot("Crashes")))

    assert code == 1
    assert words(out).count("at line 7") == 1
    assert "several, frames" in out
    assert "\N{REPLACEMENT CHARACTER}" not in out
    assert "3 of 3 scenarios failed" in out


def test_advice_fails_no_run():
    code, out, _ = finish(start("conformance", "--only", "leave", *bot("DropsAllWhenAsked")))

    assert code == 0
    assert "0 scenarios passed, 1 with advice." in out


def test_the_results_as_json():
    code, out, _ = finish(
        start("conformance", "--only", "hello", "--only", "metadata", "--format", "json", *bot("PlaysChess"))
    )

    document = json.loads(out)
    assert code == 1
    assert [document[word] for word in ("passed", "failed", "advice", "not_tried")] == [0, 1, 0, 1]
    failed, not_tried = document["scenarios"]
    assert (failed["scenario"], failed["verdict"], failed["section"]) == ("hello", "failed", "Saying hello")
    assert set(failed) == {
        "scenario", "verdict", "why", "page", "section", "sentence", "to_do", "messages", "output",
    }  # fmt: skip
    assert set(not_tried) == {"scenario", "verdict", "why"}


def test_scenarios_that_were_not_tried_for_one_reason_are_one_line():
    _, out, _ = finish(start("conformance", *bot("PlaysChess")))

    assert f"{len(SCENARIOS) - 1} more" in out


def test_the_base_install_is_enough():
    code, out, err = finish(
        start("conformance", "--only", "tls", "--only", "hello", *bot(), code=WITHOUT_SERVER_PACKAGES)
    )

    assert code == 0, err
    assert "2 scenarios passed." in out
    assert "HEAVY []" in err


def test_the_scenarios_are_listed(run):
    table, document = run("conformance", "--list"), run("conformance", "--list", "--format", "json")

    assert table.exit_code == document.exit_code == 0
    names = [entry["scenario"] for entry in json.loads(document.output)]
    assert names == [scenario.name for scenario in SCENARIOS]
    assert all(name in table.output for name in names)


@pytest.mark.parametrize("name", [scenario.name for scenario in SCENARIOS])
def test_every_scenario_is_on_the_page_about_them(name: str):
    assert f"\n| `{name}` " in (ROOT / "docs" / "bots" / "conformance.md").read_text()


def test_ctrl_c_leaves_no_process_behind(tmp_path: Path):
    pipe = tmp_path / "pipe"
    idle = f"import os, time; open({str(pipe)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    check_ctrl_c(pipe, "conformance", "--", sys.executable, "-c", idle)
