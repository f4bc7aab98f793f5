"""The page of the rules is what the code and the tests cite."""

from __future__ import annotations

import re
from pathlib import Path

from engine.caravan.board import load_board
from engine.caravan.goods import GOODS, POINTS
from tests.unit.engine.caravan.test_vectors import VECTORS

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "docs" / "rules" / "caravan.md").read_text(encoding="utf-8")
CLAUSES = {f"C{number}" for number in range(1, 24)}
EXAMPLES = {str(number) for number in range(1, 12)}


def texts(*folders: str) -> str:
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def rows(of: str) -> list[list[str]]:
    """Return the rows of the page's table with this head, cell by cell."""
    table = PAGE[PAGE.index(of) :].split("\n\n", maxsplit=1)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_the_page_has_every_clause_once() -> None:
    assert sorted(re.findall(r"\*\*(C\d+)\*\*", PAGE)) == sorted(CLAUSES)


def test_every_clause_that_the_code_cites_is_on_the_page() -> None:
    cited = set(re.findall(r"\bC\d+\b", texts("engine/caravan", "tests/unit/engine/caravan", "arena/codecs")))
    assert cited <= CLAUSES


def test_every_clause_and_every_worked_example_has_a_test_of_its_name() -> None:
    names = "\n".join(re.findall(r"def (test_\w+)", texts("tests/unit/engine/caravan")))
    assert {f"C{number}" for number in re.findall(r"(?<=_c)\d+(?=_)", names)} == CLAUSES
    assert set(re.findall(r"example_(\d+)", names)) == EXAMPLES


def test_the_page_has_the_vectors_that_are_tested() -> None:
    assert rows("| rule | seats") == [
        [
            f"({vector.rule})",
            str(vector.seats),
            vector.ending,
            str(vector.plies),
            str(vector.last_turn),
            *(" ".join(map(str, values)) for values in (vector.scores, vector.delivered, vector.placings)),
        ]
        for vector in VECTORS
    ]


def test_the_page_shows_the_cities_of_the_classic_board() -> None:
    cities = load_board("classic").cities
    assert [[name, points, square] for name, points, _, square in rows("| good | worth")] == [
        [good.name.lower(), str(POINTS[good]), str(cities[good])] for good in GOODS
    ]
