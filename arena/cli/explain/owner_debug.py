"""What a match has told its reader alone: the private lines of his own bots, beside the explanation of the match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import grpc
from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from arena.cli.explain.seat_summary import SeatOutcome, facts_document, forfeit_lines, score_line
from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import call_of, error_info
from arena.cli.framework.names import resource
from arena.cli.framework.output import Column, printable, table
from arena.cli.framework.paging import whole
from arena.core.errors import ErrorReason
from arena.drawings.wording import counted
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


LAST_LINES: Final = 5
"""So many of the last lines are shown of a bot that forfeited."""

_SCOPE_REQUIRED: Final = ErrorReason.SCOPE_REQUIRED.value
"""There may be lines: what fails is the token that was shown."""

LAST_LINE_WIDTH: Final = 200
"""Characters of such a line; `arena log debug` has it whole."""


@dataclass(frozen=True, slots=True)
class OwnerDebug:
    """The debug lines of the caller's own bots in a match."""

    lines: tuple[match_pb2.DebugLine, ...] = ()
    trouble: str = ""
    """Why they could not be had, a sentence, also where only the token may not; empty if they were, or if none of the
    bots is the caller's."""

    def of(self, seat: int) -> list[match_pb2.DebugLine]:
        """Those of one seat."""
        return [line for line in self.lines if line.seat == seat]


def own_lines(arena: ArenaClient, match: str) -> OwnerDebug:
    """What there is for the caller's eyes; nothing if he owns no bot in the match."""
    try:
        return OwnerDebug(tuple(debug_lines(arena, match, None, None).lines))
    except grpc.RpcError as error:
        call = call_of(error)
        nothing_his = (
            call.code() is grpc.StatusCode.PERMISSION_DENIED and error_info(call)[0] != _SCOPE_REQUIRED
        )
        if nothing_his or call.code() is grpc.StatusCode.UNIMPLEMENTED:
            return OwnerDebug()
        return OwnerDebug(trouble=f"Its debug lines could not be read: {call.details()}")


def last_words(mine: SeatOutcome, said: Sequence[match_pb2.DebugLine]) -> Iterator[str]:
    """How many private lines the caller's bot left on this seat, how to read them; the last ones if it forfeited."""
    if not said:
        return
    printed = sum(line.source in PRINTED for line in said)
    how = f", {printed} of them printed by its program" if printed else ""
    yield f"{counted(len(said), 'debug line')}{how}: `arena log debug {mine.match} --bot {mine.bot}`"
    if mine.forfeited:
        for line in said[-LAST_LINES:]:
            shown = printable(line.text).replace("\n", " ")
            cut = (
                shown
                if len(shown) <= LAST_LINE_WIDTH
                else shown[: LAST_LINE_WIDTH - 1] + "\N{HORIZONTAL ELLIPSIS}"
            )
            yield f"  {source_word(line)}, {_decision(line)}: {cut}"


def account(
    mine: SeatOutcome, seats: Sequence[SeatOutcome], own: OwnerDebug, between: Sequence[str] = ()
) -> Iterator[RenderableType]:
    """How a seat came out, below its headline: its sentence, score, evidence, advice and private lines.

    `between`: lines that come after the score.
    """
    if mine.sentence:
        yield Text(printable(mine.sentence))
    said = own.of(mine.seat)
    scored = score_line(mine, seats)
    lines = [
        *([scored] if scored else []),
        *between,
        *forfeit_lines(mine, point=not said),
        *last_words(mine, said),
    ]
    for line in lines:
        yield Padding(Text(line), (0, 0, 0, 2), expand=False)


def account_document(mine: SeatOutcome, seats: Sequence[SeatOutcome], own: OwnerDebug) -> dict[str, object]:
    """The same for programs. `debug_lines` is null where there are none for the caller to read."""
    said = own.of(mine.seat)
    return facts_document(mine, seats) | {"debug_lines": lines_document(said) if said else None}


def lines_document(said: Sequence[match_pb2.DebugLine]) -> dict[str, object]:
    """The same for programs."""
    last = [
        {"decision": line.decision, "source": source_word(line), "text": line.text}
        for line in said[-LAST_LINES:]
    ]
    return {"count": len(said), "printed": sum(line.source in PRINTED for line in said), "last": last}


def _decision(line: match_pb2.DebugLine) -> str:
    return f"decision {line.decision}" if line.decision else "match"
