"""The table of the zoo, its programs and docs/zoo.md agree."""

import os
import re
from collections.abc import Sequence
from itertools import groupby

import pytest

from tests.checkout import ROOT, text
from tests.system.misbehaving.table import (
    LANGUAGES,
    ZOO,
    HostedRow,
    Row,
    clocks,
    fits,
    hosted_rows,
    python_files,
    rows,
)

SHARED = {"has_manners", "main", "visit", "link"}
"""What is no misbehaving bot, but shared by those of a language."""
FEWEST = {"python": 44, "go": 9, "javascript": 9}
FEWEST_HOSTED = {"python": 20, "go": 4, "javascript": 4}
PAGE = "docs/zoo.md"
ALL = (*rows(), *hosted_rows())


def comes_of_it(row: Row | HostedRow) -> str:
    """How its seat ends; without one its last call or connection, or what becomes of it."""
    if row.seat is None:
        if isinstance(row, HostedRow):
            return "its matches do not begin; its version is suspended"
        if row.offered:
            return "its matches do not begin; it is paused"
        return ", ".join(dict.fromkeys(end.partition(":")[0] for end in row.ends))
    if row.seat.termination == "NORMAL":
        return "its match goes on" if row.seat.strikes == 0 else "strikes where it is late; its match goes on"
    said = f"{row.seat.termination}, by the fault of the {row.seat.fault}".lower().replace("_", " ")
    limits = row.evidence.keys() & {"cpu_limit_s", "wall_limit_s"} if isinstance(row, HostedRow) else set()
    return f"{said} ({', '.join(limits)})" if limits else said


def table(what: str, programs: Sequence[Row | HostedRow]) -> str:
    """Return the table of these programs as docs/zoo.md has it."""
    lines = [
        f"| {what} | what it does | rows | what comes of it |\n|---|---|---|---|\n",
        *(
            f"| `{each}` | {each.does} | {', '.join(map(str, each.rows))} | {comes_of_it(each)} |\n"
            for each in programs
        ),
    ]
    return "".join(lines)


@pytest.mark.parametrize(
    "expected", [table("bot", rows()), table("program", hosted_rows())], ids=["remote", "hosted"]
)
def test_the_page_has_the_tables(expected: str) -> None:
    page = text(PAGE)
    head = expected[: expected.index("| `")]
    shown = re.search(re.escape(head) + r"(\|.*\n)*", page)
    assert shown is not None
    if os.environ.get("UPDATE_GOLDENS"):
        (ROOT / PAGE).write_text(page.replace(shown[0], expected), encoding="utf-8")
        return
    assert shown[0] == expected, f"UPDATE_GOLDENS=1 writes it anew into {PAGE}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_program_has_its_row_and_every_row_its_program(language: str) -> None:
    files = (path.stem for path in (ZOO / language).glob("*.*") if path.suffix in {".go", ".mjs"})
    here = set(python_files() if language == "python" else files)
    named = {row.name for row in ALL if row.language == language}
    assert here - SHARED == named
    assert sum(row.language == language for row in rows()) >= FEWEST[language]
    assert sum(row.language == language for row in hosted_rows()) >= FEWEST_HOSTED[language]


@pytest.mark.parametrize("row", ALL, ids=str)
def test_every_row_says_all_that_has_to_be_known(row: Row | HostedRow) -> None:
    defined = set(re.findall(r"^\| (\d+) \|", text("docs/bad_inputs.md"), re.MULTILINE))
    assert set(map(str, row.rows)) <= defined
    assert row.does.endswith(".")
    assert row.clock in clocks()
    assert row.seat is None or row.seat.sentence.endswith(".")
    if isinstance(row, Row):
        assert row.seat is not None or row.ends or row.incidents
    else:
        assert row.over
        assert row.seat is None or bool(row.evidence) is (row.seat.termination != "NORMAL")
        assert [each.bot for each in hosted_rows()].count(row.bot) == 1


def test_the_bots_of_a_group_are_in_one_language() -> None:
    for group, members in groupby(rows(), key=lambda row: row.group):
        assert len({row.language for row in members}) == 1, group


def test_a_form_fits_any_number_where_it_names_one_and_nothing_else() -> None:
    form = "Decision 2: {late} ms late; {action}"
    assert fits("Decision 2: 17 ms late; OPEN(-7,4)", form)
    assert fits("Decision 2: 17 ms late; PASS", form)
    assert not fits("Decision 3: 17 ms late; PASS", form)
    assert not fits("Decision 2: x ms late; PASS", form)
