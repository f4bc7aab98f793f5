"""The debug lines of the caller's own bots, in the explanation of a match and by themselves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import grpc
from rich.console import RenderableType
from rich.text import Text

from arena.cli.explain.seat_summary import SeatOutcome, forfeit_lines, outcome_document, score_line
from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import call_of, error_info
from arena.cli.framework.names import resource
from arena.cli.framework.output import Columns, enum_word, indented, printable, table_of
from arena.cli.framework.paging import fetch_all
from arena.core.errors import ErrorReason
from arena.drawings.wording import counted
from arena.v1 import match_pb2

PRINTED: Final = frozenset({match_pb2.DebugLine.SOURCE_STDOUT, match_pb2.DebugLine.SOURCE_STDERR})
"""The sources of output of hosted programs."""


def debug_lines(
    arena: ArenaClient, match: str, bot: str | None, decision: int | None
) -> match_pb2.ListDebugLinesResponse:
    """Return the debug lines of the caller's bots in a match, or those of one bot or decision."""
    of_bot = resource("bots", bot) if bot else ""
    request = match_pb2.ListDebugLinesRequest(name=resource("matches", match), bot=of_bot)
    found = fetch_all(arena.matches.ListDebugLines, request)
    if decision is None:
        return found
    return match_pb2.ListDebugLinesResponse(lines=(line for line in found.lines if line.decision == decision))


def format_source(line: match_pb2.DebugLine) -> str:
    """Return "message", "stdout" or "stderr"; arenas that send no source send messages only."""
    return enum_word(match_pb2.DebugLine.Source, line.source) if line.source else "message"


def debug_table(found: match_pb2.ListDebugLinesResponse) -> RenderableType:
    """Return a table by decision, with the seat if there are several, and the source if some were printed."""
    if not found.lines:
        return "No debug lines."
    columns: Columns[match_pb2.DebugLine] = {
        ">seat": lambda line: line.seat,
        ">decision": lambda line: line.decision or "match",
        "from": format_source,
        "line": lambda line: line.text,
    }
    left_out = {
        ">seat": len({line.seat for line in found.lines}) == 1,
        "from": not any(line.source in PRINTED for line in found.lines),
    }
    return table_of({title: cell for title, cell in columns.items() if not left_out.get(title)}, found.lines)


LAST_LINES: Final = 5
"""Lines shown of a bot that forfeited."""

LAST_LINE_WIDTH: Final = 200
"""Characters shown of such a line; `arena log debug` shows all."""


@dataclass(frozen=True, slots=True)
class OwnerDebug:
    """The debug lines of the caller's own bots in a match."""

    lines: tuple[match_pb2.DebugLine, ...] = ()
    trouble: str = ""
    """Why they could not be had, a sentence, also where only the token may not; empty if they were, or if none of the
    bots is the caller's."""

    def of(self, seat: int) -> list[match_pb2.DebugLine]:
        """Return the lines of one seat."""
        return [line for line in self.lines if line.seat == seat]


def fetch_owner_debug(arena: ArenaClient, match: str) -> OwnerDebug:
    """Return the caller's debug lines; none if they own no bot in the match."""
    try:
        return OwnerDebug(tuple(debug_lines(arena, match, None, None).lines))
    except grpc.RpcError as error:
        call = call_of(error)
        lacks_scope = error_info(call)[0] == ErrorReason.SCOPE_REQUIRED.value  # then there may be lines
        owns_none = call.code() is grpc.StatusCode.PERMISSION_DENIED and not lacks_scope
        if owns_none or call.code() is grpc.StatusCode.UNIMPLEMENTED:
            return OwnerDebug()
        return OwnerDebug(trouble=f"Its debug lines could not be read: {call.details()}")


def debug_line_summary(outcome: SeatOutcome, lines: Sequence[match_pb2.DebugLine]) -> Iterator[str]:
    """Yield how many debug lines the seat has and how to read them; the last ones if it forfeited."""
    if not lines:
        return
    printed = sum(line.source in PRINTED for line in lines)
    how = f", {printed} of them printed by its program" if printed else ""
    yield f"{counted(len(lines), 'debug line')}{how}: `arena log debug {outcome.match} --bot {outcome.bot}`"
    if outcome.forfeited:
        for line in lines[-LAST_LINES:]:
            shown = printable(line.text).replace("\n", " ")
            if len(shown) > LAST_LINE_WIDTH:
                shown = shown[: LAST_LINE_WIDTH - 1] + "\N{HORIZONTAL ELLIPSIS}"
            where = f"decision {line.decision}" if line.decision else "match"
            yield f"  {format_source(line)}, {where}: {shown}"


def seat_details(
    outcome: SeatOutcome, seats: Sequence[SeatOutcome], own: OwnerDebug, between: Sequence[str] = ()
) -> Iterator[RenderableType]:
    """Yield how a seat ended: its sentence, score, evidence, advice and debug lines.

    `between`: lines after the score.
    """
    if outcome.sentence:
        yield Text(printable(outcome.sentence))
    debug = own.of(outcome.seat)
    details = [
        *filter(None, [score_line(outcome, seats)]),
        *between,
        *forfeit_lines(outcome, point=not debug),
        *debug_line_summary(outcome, debug),
    ]
    yield from map(indented, details)


def seat_details_document(
    outcome: SeatOutcome, seats: Sequence[SeatOutcome], own: OwnerDebug
) -> dict[str, object]:
    """Return the same for JSON. `debug_lines` is null if the caller can read none."""
    lines = own.of(outcome.seat)
    debug = {
        "count": len(lines),
        "printed": sum(line.source in PRINTED for line in lines),
        "last": [
            {"decision": line.decision, "source": format_source(line), "text": line.text}
            for line in lines[-LAST_LINES:]
        ],
    }
    return outcome_document(outcome, seats) | {"debug_lines": debug if lines else None}
