"""What `make bench` prints and keeps."""

import io
import json
from typing import Any

from rich.console import Console

from benchmarks.measuring.figures import significant
from benchmarks.measuring.goals import at_least
from benchmarks.measuring.lines import Line, Measured
from benchmarks.measuring.machine import circumstances
from benchmarks.measuring.report import WIDTH, only, report
from benchmarks.measuring.results import document
from benchmarks.measuring.spread import Spread
from tests.unit.cli.screens import check_screen

ABOUT: dict[str, Any] = circumstances({"peer": "1.2.3"}, 0.5) | {
    "pairs": 5,
    "seconds": 1.0,
    "arena": "a wheel of this checkout, compiled",
}
GOOD = Line("P1", "1 match, over E", "9,876/s", "10,000/s", Spread(0.9, 0.98765, 1.1), at_least(0.85, 0.92))
LOW = Line("P4", "frames of 16", "1,000,000/s", "400,000/s", Spread(2.4, 2.5, 2.6), at_least(4, 6))
BROKEN = Line("P6", "rules compiled", trouble="not built: " + "for a reason that takes many words " * 3)
BESIDE = Line("P1", "1 match, over bare socket", "1/s", "2/s", Spread(0.5, 0.5, 0.5))


def printed(*lines: Line, remark: str = "a remark", left_out: int = 0) -> list[str]:
    console = Console(width=WIDTH, file=io.StringIO(), highlight=False)
    console.print(report([Measured(lines, (remark,))], ABOUT, left_out=left_out))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def test_the_report_is_that_of_the_golden_file_below_the_circumstances() -> None:
    brackets = Line("P8", "kaggle", trouble="[red]no[/red]")
    lines = printed(GOOD, LOW, BROKEN, BESIDE, GOOD, BROKEN, brackets, remark="words " * 40, left_out=2)
    assert max(map(len, lines)) <= 100
    [table] = [place for place, line in enumerate(lines) if line.startswith("goal what")]
    assert any(ABOUT["arena"] in line for line in lines[:table])
    check_screen("benchmarks/report", "\n".join(lines[table:]))


def test_lines_of_goals_that_nobody_asked_for_are_left_out() -> None:
    both = Measured((GOOD, LOW))
    assert only(both, ["p4"]).lines == (LOW,)
    assert only(both, []).lines == (GOOD, LOW)


def test_what_is_kept_has_every_figure_with_date_machine_and_versions() -> None:
    kept = json.loads(json.dumps(document([Measured((GOOD, BROKEN), ("a remark",))], about=ABOUT)))
    good, broken = kept["lines"]
    assert good["measured"] == {"low": 0.9, "middle": 0.98765, "high": 1.1}
    assert (good["verdict"], good["goal"]) == ("yes, then", ">= 0.85x; 0.92x")
    assert (broken["measured"], broken["verdict"]) == (None, "not run")
    assert broken["trouble"] == BROKEN.trouble
    assert kept["remarks"] == ["a remark"]
    assert kept["versions"]["peer"] == "1.2.3"
    assert {"date", "cores", "python", "processor", "load_before", "pairs", "seconds"} <= kept.keys()


def test_figures_keep_the_digits_that_count() -> None:
    values = (0, 0.0123, 0.123, 1.234, 12.34, 123.4, 1234.5)
    assert [significant(each) for each in values] == ["0.00", "0.012", "0.12", "1.23", "12.3", "123", "1,234"]
