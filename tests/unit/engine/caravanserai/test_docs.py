"""The page of the rules is what the code and the tests cite."""

from __future__ import annotations

import re

from engine.caravanserai import actions
from engine.caravanserai.hexes import Cell
from engine.caravanserai.tables import tables_for
from tests.checkout import python_files, text
from tests.unit.engine.caravanserai.test_vectors import SET_UPS, VECTORS

PAGE = text("docs/rules/caravanserai.md")
CLAUSES = {f"S{number}" for number in range(1, 58)}


def texts(*folders: str) -> str:
    return "\n".join(text(path) for path in python_files(*folders))


def rows(of: str) -> list[list[str]]:
    """Return the rows of the page's table with this head, cell by cell."""
    table = PAGE[PAGE.index(of) :].split("\n\n", maxsplit=1)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_the_page_has_every_clause_once() -> None:
    assert sorted(re.findall(r"\*\*(S\d+)\*\*", PAGE)) == sorted(CLAUSES)


def test_every_clause_that_the_code_cites_is_on_the_page() -> None:
    cited = set(re.findall(r"\bS\d+\b", texts("engine/caravanserai", "tests/unit/engine/caravanserai")))
    assert cited <= CLAUSES


def test_every_clause_has_a_test_of_its_name() -> None:
    names = "\n".join(re.findall(r"def (test_\w+)", texts("tests/unit/engine/caravanserai")))
    assert {f"S{number}" for number in re.findall(r"(?<=_s)\d+(?=_)", names)} == CLAUSES


def test_the_page_has_the_set_ups_that_are_tested() -> None:
    assert rows("| seats | first") == [[str(value) for value in set_up] for set_up in SET_UPS]


def test_the_page_has_the_matches_that_are_tested() -> None:
    assert rows("| seats | expert | ending") == [
        [
            str(vector.seats),
            str(vector.expert).lower(),
            vector.ending,
            str(vector.round),
            str(vector.actions),
            *(" ".join(map(str, values)) for values in (vector.lengths, vector.placings)),
        ]
        for vector in VECTORS
    ]


def test_the_page_has_the_sizes_of_the_boards() -> None:
    written = [[int(cell) for cell in row[1:]] for row in rows("| seats | tiles")]
    found = []
    for seats in (2, 3, 4, 5):
        tables = tables_for(seats)
        rings = [len(ring) for ring in tables.shape]
        found.append([sum(rings), *rings, len(tables.cells), max(map(len, tables.rays)) - 1])
    assert written == found


def test_the_numbers_in_the_text_on_the_packing_are_right() -> None:
    assert "41943040" in PAGE
    assert actions.camel_step(2) == 41943040
    assert "= 403" in " ".join(PAGE.split())
    assert actions.open_cell(Cell(-4, 3)) == 403
