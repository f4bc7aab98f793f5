"""The private debug lines of one's own bot, as an arena lists them."""

from __future__ import annotations

from typing import Final

from rich.console import RenderableType

from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.names import resource
from arena.cli.framework.output import Column, table
from arena.cli.framework.paging import whole
from arena.v1 import match_pb2

PRINTED: Final = frozenset({match_pb2.DebugLine.SOURCE_STDOUT, match_pb2.DebugLine.SOURCE_STDERR})
"""The sources of what a program that the arena runs has written by itself."""


def debug_lines(
    arena: ArenaClient, match: str, bot: str | None, decision: int | None
) -> match_pb2.ListDebugLinesResponse:
    """All lines of the caller's bots in a match, or of one of them, or those of one decision."""
    found = whole(
        lambda size, page: arena.matches.ListDebugLines(
            match_pb2.ListDebugLinesRequest(
                name=resource("matches", match),
                bot=resource("bots", bot) if bot else "",
                page_size=size,
                page_token=page,
            )
        ),
        lines=lambda listing: len(listing.lines),
        limit=0,
    )
    if decision is None:
        return found
    return match_pb2.ListDebugLinesResponse(lines=(line for line in found.lines if line.decision == decision))


def source_word(line: match_pb2.DebugLine) -> str:
    """ "message", "stdout" or "stderr"; what an arena sends that knows no sources was a message."""
    if not line.source:
        return "message"
    return match_pb2.DebugLine.Source.Name(line.source).removeprefix("SOURCE_").lower()


def debug_table(found: match_pb2.ListDebugLinesResponse) -> RenderableType:
    """The lines by decision; the seat is named if there are several, and the source if some were printed."""
    if not found.lines:
        return "No debug lines."
    seats = {line.seat for line in found.lines}
    columns = [Column("decision", True), Column("line")]
    rows = [[str(line.decision) if line.decision else "match", line.text] for line in found.lines]
    if any(line.source in PRINTED for line in found.lines):
        columns.insert(1, Column("from"))
        for row, line in zip(rows, found.lines, strict=True):
            row.insert(1, source_word(line))
    if len(seats) > 1:
        columns.insert(0, Column("seat", True))
        for row, line in zip(rows, found.lines, strict=True):
            row.insert(0, str(line.seat))
    return table(columns, rows)
