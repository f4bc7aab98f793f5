"""The tables and numbers on the page of the rules."""

from __future__ import annotations

from engine.caravanserai import actions
from engine.caravanserai.hexes import Cell
from engine.caravanserai.tables import tables_for
from tests.checkout import text
from tests.unit.engine.caravanserai.test_vectors import SET_UPS, VECTORS

PAGE = text("docs/rules/caravanserai.md")


def rows(of: str) -> list[list[str]]:
    """Return the rows of the page's table with this head, cell by cell."""
    table = PAGE[PAGE.index(of) :].split("\n\n", maxsplit=1)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


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
