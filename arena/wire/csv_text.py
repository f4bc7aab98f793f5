"""Tables as CSV text that a spreadsheet opens without taking a cell for a formula."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""How a formula of a spreadsheet can begin; the last four are full-width forms of the first."""


def csv_of(heading: Sequence[str], rows: Iterable[Iterable[object]], delimiter: str = ",") -> str:
    """Return the rows as CSV, below the heading unless it is empty."""
    written = io.StringIO()
    writer = csv.writer(written, delimiter=delimiter, lineterminator="\n")
    if heading:
        writer.writerow(heading)
    writer.writerows(map(_safe, row) for row in rows)
    return written.getvalue()


def _safe(value: object) -> object:
    """Return text so that a spreadsheet does not take it for a formula; a dash alone is none."""
    is_formula = isinstance(value, str) and value.startswith(_FORMULA) and value != "-"
    return f"'{value}" if is_formula else value
