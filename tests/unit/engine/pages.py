"""Tables on the pages of the rules."""

from tests.checkout import text


def rows(game: str, head: str) -> list[list[str]]:
    """Return the rows of the table on the game's page that begins with this head, cell by cell."""
    page = text(f"docs/rules/{game}.md")
    table = page[page.index(head) :].split("\n\n", maxsplit=1)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def joined(numbers: tuple[int, ...]) -> str:
    """Return the numbers as a cell has them."""
    return " ".join(map(str, numbers))
