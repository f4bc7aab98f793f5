"""The one table of `make bench`, 100 columns wide at most."""

from collections.abc import Sequence
from typing import Final, Literal

from rich import box
from rich.table import Table
from rich.text import Text

from benchmarks.measuring.figures import significant
from benchmarks.measuring.lines import Line
from benchmarks.measuring.spread import Spread

_COLUMNS: Final[tuple[tuple[str, Literal["left", "right"], int], ...]] = (
    ("goal", "left", 4),
    ("what", "left", 26),
    ("ours", "right", 9),
    ("theirs", "right", 9),
    ("min", "right", 6),
    ("median", "right", 6),
    ("max", "right", 6),
    ("reach; then", "left", 17),
    ("met", "left", 9),
)


def drawn(lines: Sequence[Line]) -> Table:
    """Return the lines as a table; what could not be measured says why in place of figures."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=0)
    for title, side, width in _COLUMNS:
        table.add_column(title, justify=side, min_width=width, max_width=width, overflow="fold")
    for line in lines:
        table.add_row(*(Text(cell) for cell in _cells(line)))
    return table


def _cells(line: Line) -> tuple[str, ...]:
    goal = "-" if line.goal is None else str(line.goal)
    first = (line.goal_id, f"{line.what}: {line.trouble}" if line.trouble else line.what)
    return (*first, line.ours or "-", line.theirs or "-", *_spread(line.measured), goal, line.verdict.value)


def _spread(measured: Spread | None) -> tuple[str, str, str]:
    if measured is None:
        return "-", "-", "-"
    return significant(measured.low), significant(measured.middle), significant(measured.high)
