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


MORE = f"{len(SCENARIOS) - 1} more"
RUNS: dict[str, tuple[str, str, int, list[str]]] = {
    "passes": ("--only hello --only ping", "Bot", 0, ["2 scenarios passed."]),
    "advice fails no run": (
        "--only leave",
        "DropsAllWhenAsked",
        0,
        ["0 scenarios passed, 1 with advice. Advice fails no run."],
    ),
    "advice also to what a client library cannot do": (
        "--only metadata --only ping",
        "WritesAtOnce",
        0,
        ["1 scenario passed, 1 with advice.", "(docs/protocol.md, Connecting)"],
    ),
    "a failure with messages and rule": (
        "--only token",
        "PrintsItsToken",
        1,
        ["(docs/protocol.md, Checklist)", "< goodbye { code: CODE_UNAUTHENTICATED", "1 of 1 scenario failed"],
    ),
    "equal crashes are reported once": (
        "--only seats --only several --only frames",
        "Crashes",
        1,
        ["at line 7", "several, frames", "3 of 3 scenarios failed"],
    ),
    "scenarios not tried for one reason are one line": ("", "PlaysChess", 1, [MORE]),
}


@pytest.mark.parametrize(("options", "flaw", "code", "named"), RUNS.values(), ids=RUNS)
def test_the_report_on_a_bot(options: str, flaw: str, code: int, named: list[str]):
    process = start("conformance", *options.split(), *bot(flaw), COLUMNS="80")
    ended, out, err = finish(process)

    assert ended == code, err
    assert [text for text in named if words(out).count(text) != 1] == []
    assert "\N{REPLACEMENT CHARACTER}" not in out
    assert max(map(len, out.splitlines())) <= 80


def test_the_results_as_json():
    code, out, _ = finish(
        start("conformance", "--only", "hello", "--only", "metadata", "--format", "json", *bot("PlaysChess"))
    )

    document = json.loads(out)
    assert code == 1
    assert document["verdict"] == "failed"
    assert [document[word] for word in ("passed", "failed", "advice", "not_tried")] == [0, 1, 0, 1]
    failed, not_tried = document["scenarios"]
    assert (failed["scenario"], failed["verdict"], failed["section"]) == ("hello", "failed", "Saying hello")
    assert set(failed) == {
        "scenario", "verdict", "why", "page", "section", "sentence", "to_do", "messages", "output",
    }  # fmt: skip
    assert set(not_tried) == {"scenario", "verdict", "why"}


@pytest.mark.parametrize(("flaw", "verdict"), [("Bot", "passed"), ("WritesAtOnce", "advice")])
def test_the_verdict_on_a_bot_that_does_not_fail_is_among_the_json(flaw: str, verdict: str):
    code, out, _ = finish(start("conformance", "--only", "metadata", "--format", "json", *bot(flaw)))

    assert (code, json.loads(out)["verdict"]) == (0, verdict)


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
