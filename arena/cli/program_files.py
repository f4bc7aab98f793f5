"""The files beside a match log in which `arena play` keeps what programs have written, one for each seat.

A line holds the decision ("match" for the match as a whole), the source and the text, separated by tabs.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.explain.seat_summary import OwnerDebug, format_source
from arena.cli.framework.output import enum_value
from arena.v1 import match_pb2

OutputOption = Annotated[
    Path | None,
    typer.Option("--output", metavar="DIR", help="Keep what the programs write, in a file for each seat."),
]

WHOLE_MATCH: Final = "match"
"""The decision of a line that belongs to the match as a whole."""

_SUFFIX: Final = ".seat{}.txt"


def program_file(log: Path, seat: int) -> Path:
    """Return the file of a seat beside the log."""
    return log.with_suffix(_SUFFIX.format(seat))


def format_line(line: match_pb2.DebugLine) -> str:
    """Return a line of the file, with its end."""
    text = line.text.replace("\n", "\\n").replace("\t", "    ")
    return f"{line.decision or WHOLE_MATCH}\t{format_source(line)}\t{text}\n"


def read_program_lines(log: Path) -> OwnerDebug:
    """Return the lines that are kept beside the log; none if there are no such files."""
    lines: list[match_pb2.DebugLine] = []
    for path in sorted(log.parent.glob(log.with_suffix(_SUFFIX.format("*")).name)):
        number = path.name.removesuffix(".txt").rpartition(".seat")[2]
        if number.isdecimal():
            try:
                lines += _read(path, int(number))
            except (OSError, ValueError) as error:
                return OwnerDebug(trouble=f"{path} cannot be read: {error}.")
    return OwnerDebug(tuple(lines))


def _read(path: Path, seat: int) -> Iterator[match_pb2.DebugLine]:
    """Yield the lines of a file. Raises ValueError if it is no such file, OSError if it cannot be read."""
    with path.open(
        encoding="utf-8", errors="replace", newline="\n"
    ) as file:  # other line ends are part of a text
        for line in file:
            decision, source, text = line.removesuffix("\n").split("\t", 2)
            yield match_pb2.DebugLine(
                seat=seat,
                decision=0 if decision == WHOLE_MATCH else int(decision),
                source=enum_value(match_pb2.DebugLine.Source, source),
                text=text,
            )
