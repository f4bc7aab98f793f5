"""The tables on docs/data.md are those of the code; UPDATE_GOLDENS=1 writes them."""

import os
from collections.abc import Iterator

import pytest

from arena.dataset.schema import SCHEMA, TABLES
from tests.checkout import ROOT

PAGE = ROOT / "docs" / "data.md"
MARK = "<!-- What follows is written by `make golden`. -->\n"


def tables() -> Iterator[str]:
    """Yield the lines about all tables."""
    yield from ("", f"The version of the schema is {SCHEMA}.")
    for table in TABLES:
        yield from ("", f"### `{table.name}`", "", f"A row is {table.row}.", "")
        yield from ("| column | type | content |", "|---|---|---|")
        for column in table.columns:
            yield f"| `{column.name}` | {column.kind.value} | {column.meaning} |"


def test_the_tables_of_the_page_are_those_of_the_code() -> None:
    before, mark, shown = PAGE.read_text(encoding="utf-8").partition(MARK)
    assert mark
    expected = "\n".join(tables()) + "\n"
    if os.environ.get("UPDATE_GOLDENS"):
        PAGE.write_text(f"{before}{mark}{expected}", encoding="utf-8")
        pytest.skip("written")
    assert shown == expected
