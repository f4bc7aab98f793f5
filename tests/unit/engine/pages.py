"""Tables: those on the pages of the rules, and those of tests."""

import pytest

from tests.checkout import text


def rows(game: str, head: str) -> list[list[str]]:
    """Return the rows of the table on the game's page that begins with this head, cell by cell."""
    page = text(f"docs/rules/{game}.md")
    table = page[page.index(head) :].split("\n\n", maxsplit=1)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def joined(numbers: tuple[int, ...]) -> str:
    """Return the numbers as a cell has them."""
    return " ".join(map(str, numbers))


def cases(table: str) -> pytest.MarkDecorator:
    """Run a test for each row of its table, cell by cell."""
    lines = [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]
    return pytest.mark.parametrize("row", lines, ids=lambda row: ", ".join(filter(None, row)))
