"""The tables on the page of the rules."""

from __future__ import annotations

from engine.caravan.board import load_board
from engine.caravan.goods import GOODS, POINTS
from tests.checkout import text
from tests.unit.engine.caravan.test_vectors import VECTORS

PAGE = text("docs/rules/caravan.md")


def rows(of: str) -> list[list[str]]:
    """Return the rows of the page's table with this head, cell by cell."""
    table = PAGE[PAGE.index(of) :].split("\n\n", maxsplit=1)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


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
