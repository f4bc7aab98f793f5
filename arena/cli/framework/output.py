"""Output of commands: tables, JSON, notes and progress bars; colour only on a terminal."""

import json
import os
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, TypeVar

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from rich import box
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table
from rich.text import Text

_PIPE_WIDTH = 240
"""Columns where the output is no terminal: enough that no cell is cut."""

_BETWEEN = 3
"""Columns between two cells of a row."""

_LEAST_CUT = 7
"""Columns that are left of a cell that may be cut."""

_LEAST_BROKEN = 24
"""A longer word may be broken over two lines."""


T = TypeVar("T")

Columns = Mapping[str, Callable[[T], object]]
"""The columns of a table by their titles, which are marked as for `table`: each gives the cell of an item."""


class Format(StrEnum):
    """How a listing is printed."""

    TABLE = "table"
    JSON = "json"


def out() -> Console:
    """Return a console on the current standard output."""
    return _console(stderr=False)


def err() -> Console:
    """Return a console on the current standard error."""
    return _console(stderr=True)


def print_note(sentence: str) -> None:
    """Print a note on stderr."""
    err().print(printable(sentence), markup=False, highlight=False, soft_wrap=True)


def _console(*, stderr: bool) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    terminal = stream.isatty()
    asked = os.environ.get("COLUMNS", "").isdigit()  # rich follows it by itself
    return Console(
        stderr=stderr, width=None if terminal or asked else _PIPE_WIDTH, no_color=None if terminal else True
    )


def table(titles: Sequence[str], rows: Iterable[Sequence[object]], title: str | None = None) -> Table:
    """Return a table. Cells become plain text, never markup.

    Marks before a title: ">" aligned right, for numbers; "!" for names; both are never cut or broken, even if the table
    becomes wider than the terminal. "~" cut with an ellipsis where room is short, so that the others stay whole; "?"
    left out where room is short, the last of these columns first.
    """
    marks = [text.removesuffix(text.lstrip(">!~?")) for text in titles]
    names = [text.removeprefix(each) for text, each in zip(titles, marks, strict=True)]
    cells = [[printable(str(value)) for value in row] for row in rows]
    widest = [_widest([names[place], *(row[place] for row in cells)]) for place in range(len(titles))]
    room = out().width
    shown = list(range(len(titles)))
    while _table_width([widest[place] for place in shown]) > room:
        optional = [place for place in shown if "?" in marks[place]]
        if not optional:
            break
        shown.remove(optional[-1])
    is_short = _table_width([widest[place] for place in shown]) > room
    cut = any("~" in marks[place] for place in shown)
    widths = {place: widest[place] for place in shown}
    least = {
        place: _least_width(
            marks[place], widest[place], [names[place], *(row[place] for row in cells)], cut=cut
        )
        for place in shown
    }
    _fit(widths, least, room)
    drawn = Table(
        box=box.SIMPLE_HEAD,
        title=title,
        title_justify="left",
        title_style="bold",
        pad_edge=False,
        width=_table_width(widths.values()) if is_short else None,
    )
    for place in shown:
        drawn.add_column(
            names[place],
            justify="right" if ">" in marks[place] else "left",
            overflow="fold",
            width=widths[place] if is_short else None,
        )
    for row in cells:
        drawn.add_row(*(_cell(row[place], cut="~" in marks[place]) for place in shown))
    return drawn


def _widest(texts: Iterable[str]) -> int:
    """Return the columns of the terminal that the widest line of the texts takes."""
    return max((cell_len(line) for text in texts for line in text.splitlines()), default=0)


def _table_width(widths: Collection[int]) -> int:
    """Return how wide a table with columns of these widths is drawn."""
    return sum(widths) + _BETWEEN * len(widths) - 1


def _least_width(mark: str, widest: int, texts: Iterable[str], *, cut: bool) -> int:
    """Return how narrow a column may become. `cut`: whether another one may be cut instead."""
    if "~" in mark:
        return min(widest, _LEAST_CUT)
    if ">" in mark or "!" in mark or cut:
        return widest
    return min(_widest(word for text in texts for word in text.split()), _LEAST_BROKEN)


def _fit(widths: dict[int, int], least: Mapping[int, int], room: int) -> None:
    """Make the widest columns narrower, down to their least widths, until the table has room."""
    while _table_width(widths.values()) > room:
        place = max(widths, key=lambda each: (widths[each] > least[each], widths[each]))
        if widths[place] <= least[place]:
            return
        widths[place] -= 1


def table_of(columns: Columns[T], items: Iterable[T], title: str | None = None) -> Table:
    """Return a table with a row for each item."""
    return table([*columns], ([cell(item) for cell in columns.values()] for item in items), title)


def listing_table(columns: Columns[T], items: Sequence[T], none: str) -> RenderableType:
    """Return a table with a row for each item.

    `none`: what is shown without items, a sentence that says so and what creates the first one.
    """
    return table_of(columns, items) if items else plain(none)


def _cell(text: str, *, cut: bool) -> RenderableType:
    return Text(text, no_wrap=True, overflow="ellipsis") if cut else escape(text)


def indented(text: str, style: str = "") -> RenderableType:
    """Return a line or more, two columns to the right."""
    return Padding(Text(text, style=style), (0, 0, 0, 2), expand=False)


def plain(text: str) -> str:
    """Escape markup and remove control characters."""
    return escape(printable(text))


def printable(text: str) -> str:
    """Replace control characters other than line ends, so that received text cannot control the terminal."""
    kept = (c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text.expandtabs(4))
    return "".join(kept)


def facts(*pairs: tuple[str, str]) -> Table:
    """Return names and values below each other, without empty values."""
    drawn = Table(box=None, show_header=False, pad_edge=False)
    drawn.add_column(style="dim")
    drawn.add_column(overflow="fold")
    for name, value in pairs:
        if value:
            drawn.add_row(plain(name), plain(value))
    return drawn


def print_message(message: Message, more: Mapping[str, object] = MappingProxyType({})) -> None:
    """Print a message as JSON with the field names of the .proto. `more`: further fields."""
    print_json(json_fields(message) | dict(more))


def json_fields(message: Message, *names: str) -> dict[str, object]:
    """Return the fields of a message as JSON has them, or those of these names that it has."""
    fields: dict[str, object] = MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return {name: value for name, value in fields.items() if name in names} if names else fields


def print_json(document: object) -> None:
    """Print one JSON document, never coloured or wrapped."""
    print(json.dumps(document, indent=2, ensure_ascii=False))


def show(drawn: RenderableType) -> None:
    """Print a table or text. A table that needs more columns than the terminal has is not cut."""
    out().print(drawn, highlight=False, crop=False)


def print_line(sentence: str) -> None:
    """Print one line of text."""
    console = out()
    console.print(plain(sentence), highlight=False, soft_wrap=not console.is_terminal)


def progress_bar(*, unit: str, is_hidden: bool = False) -> Progress:
    """Return a progress bar on stderr that shows only on a terminal and vanishes when done.

    `is_hidden`: it shows nowhere, because the terminal belongs to a program.
    """
    console = err()
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=is_hidden or not console.is_terminal,
    )


def enum_value(enum: Any, word: str | None) -> Any:
    """Return the enum value of a word on the command line: STATE_PAUSED for "paused"; None: unspecified."""
    name = "UNSPECIFIED" if word is None else word.upper().replace("-", "_")
    return enum.Value(enum.Name(0).removesuffix("UNSPECIFIED") + name)
