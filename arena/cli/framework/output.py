"""How commands print: tables for people, one JSON document for programs, colour only on a terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from rich import box
from rich.console import Console, RenderableType
from rich.markup import escape
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
"""Columns when nobody looks at a terminal: enough that no cell is cut."""

_WIDE = 110
"""Columns that the widest tables need."""


class Format(StrEnum):
    """How a listing is printed."""

    TABLE = "table"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    title: str
    right: bool = False
    """Numbers stand to the right."""
    cut: bool = False
    """Where room is short, this column is cut with an ellipsis, so that the others stay whole."""
    spare: bool = False
    """A narrow terminal does without it."""


def out() -> Console:
    """The console of results; the standard output of this moment."""
    return _console(stderr=False)


def err() -> Console:
    """The console of errors and of progress."""
    return _console(stderr=True)


def remark(sentence: str) -> None:
    """A sentence for people, on stderr: beside what the command prints, or while it works."""
    err().print(printable(sentence), markup=False, highlight=False, soft_wrap=True)


def _console(*, stderr: bool) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    terminal = stream.isatty()
    asked = os.environ.get("COLUMNS", "").isdigit()  # rich follows it by itself
    return Console(
        stderr=stderr, width=None if terminal or asked else _PIPE_WIDTH, no_color=None if terminal else True
    )


def table(columns: Sequence[Column], rows: Iterable[Sequence[str]], title: str | None = None) -> Table:
    """A table for people; cells are plain text, never markup."""
    drawn = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", title_style="bold", pad_edge=False)
    small = _narrow()
    shown = [column for column in columns if not (small and column.spare)]
    whole = any(column.cut for column in shown)
    for column in shown:
        drawn.add_column(
            column.title,
            justify="right" if column.right else "left",
            overflow="fold",
            no_wrap=whole and not column.cut,
        )
    for row in rows:
        cells = zip(columns, row, strict=True)
        drawn.add_row(*(_cell(column, text) for column, text in cells if column in shown))
    return drawn


def _cell(column: Column, text: str) -> RenderableType:
    if column.cut:
        return Text(printable(text), no_wrap=True, overflow="ellipsis")
    return plain(text)


def _narrow() -> bool:
    """Whether a wide table does not fit the terminal."""
    return out().width < _WIDE


def plain(text: str) -> str:
    """The text with what rich would read as markup escaped, and without control characters."""
    return escape(printable(text))


def printable(text: str) -> str:
    """The text without control characters but line ends, tabs as blanks: nothing that is sent steers the terminal."""
    kept = (c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text.expandtabs(4))
    return "".join(kept)


def facts(pairs: Iterable[tuple[str, str]]) -> Table:
    """Names and values below each other; empty values are left out."""
    drawn = Table(box=None, show_header=False, pad_edge=False)
    drawn.add_column(style="dim")
    drawn.add_column(overflow="fold")
    for name, value in pairs:
        if value:
            drawn.add_row(plain(name), plain(value))
    return drawn


def print_message(message: Message) -> None:
    """Prints a message as one JSON document: protobuf's JSON with the names of the .proto."""
    fields = MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    print_json(fields)


def print_json(document: object) -> None:
    """Prints one JSON document, never coloured or wrapped."""
    print(json.dumps(document, indent=2, ensure_ascii=False))


def show(drawn: RenderableType) -> None:
    """Prints a table or text for people."""
    out().print(drawn, highlight=False)


def say(sentence: str) -> None:
    """Prints one sentence for people."""
    console = out()
    console.print(plain(sentence), highlight=False, soft_wrap=not console.is_terminal)


def progress_bar(*, unit: str) -> Progress:
    """A progress bar on stderr that shows only on a terminal and vanishes when done."""
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
        disable=not console.is_terminal,
    )


def milli(value: int, digits: int = 0) -> str:
    """A number in thousandths, as people read it."""
    return f"{value / 1000:.{digits}f}"


def ranked(rank: int) -> str:
    """A rank, or a place in a row; "-" for 0, which is none."""
    return str(rank) if rank else "-"


def when(time: Timestamp) -> str:
    """A moment as "2026-11-21 09:30:05Z"; empty if it is not set."""
    if not time.seconds:
        return ""
    return time.ToDatetime().strftime("%Y-%m-%d %H:%M:%SZ")


def short(name: str) -> str:
    """The last part of a resource name: "greedy" of "bots/greedy"."""
    return name.rsplit("/", 1)[-1]
