"""The outcome of a seat, from a log or from the arena, as text and JSON."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import grpc
from rich.console import RenderableType
from rich.text import Text

from arena.cli.explain.advice import Advice, advice
from arena.cli.framework.connection import ArenaClient, fetch_all
from arena.cli.framework.errors import call_of
from arena.cli.framework.names import resource
from arena.cli.framework.output import Columns, indented, printable, table_of
from arena.core.errors import ErrorReason
from arena.core.match import ENDED_BY_FORFEIT
from arena.core.versions import shown_version
from arena.drawings.wording import counted
from arena.v1 import ending_pb2, match_pb2
from arena.wire.error_info import error_info
from arena.wire.wording import enum_word, short

HOSTED_ENDINGS: Final = frozenset({"EXITED", "SIGNALLED", "MEMORY", "PIDS", "OUTPUT", "FORBIDDEN_CALL"})
"""Endings of hosted programs only."""

_FAULTS: Final = {
    "BOT": "fault of the bot",
    "OPPONENT": "fault of another seat",
    "NETWORK": "not connected, which counts as the bot's fault; see the output of its program",
    "ARENA": "fault of the arena",
}


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """The outcome of a seat. A placing of 0 and an empty termination: no result (yet)."""

    match: str
    """The number of its match."""
    seat: int
    bot: str
    """Its id; empty if it is still hidden."""
    version: str
    placing: int
    score: int | None
    """None if the game did not end with a score."""
    termination: str
    """For example "EXITED"; empty before the end."""
    fault: str
    sentence: str
    evidence: tuple[tuple[str, str], ...]
    file: str | None = None
    """The file that its log was read from; None if an arena was asked."""

    def advice(self, *, raised: bool) -> Advice | None:
        """Return what its author can do; None if it did not forfeit. `raised`: whether exceptions are known."""
        given = advice(self.termination, dict(self.evidence), raised=raised)
        return given and Advice(self._named(given.limit), self._named(given.next))

    @property
    def source(self) -> str:
        """The match or the log file, as an argument of a command."""
        return self.match if self.file is None else shlex.quote(self.file)

    def _named(self, text: str) -> str:
        return text.replace("SEAT", str(self.seat)).replace("BOT", self.bot).replace("MATCH", self.source)

    @property
    def forfeited(self) -> bool:
        """Whether the seat forfeited."""
        return self.termination not in {"", "NORMAL"}

    @property
    def program_ended(self) -> bool:
        """Whether the program of a hosted bot ended in the match."""
        limits = {"cpu_limit_s", "wall_limit_s"}
        return self.termination in HOSTED_ENDINGS or bool(limits & dict(self.evidence).keys())


def seat_outcomes(match: match_pb2.Match) -> list[SeatOutcome]:
    """Return the seats of a match as the arena shows it."""
    finished = match.state == match_pb2.MATCH_STATE_FINISHED
    scored = finished and match.ending not in ENDED_BY_FORFEIT
    return [
        SeatOutcome(
            short(match.name),
            number,
            short(seat.bot),
            short(seat.bot_version),
            seat.placing,
            seat.score if scored else None,
            _upper_word(ending_pb2.Termination, seat.ending.termination),
            _upper_word(ending_pb2.Fault, seat.ending.fault),
            seat.ending.sentence,
            tuple((each.fact, each.value) for each in seat.ending.evidence),
        )
        for number, seat in enumerate(match.seats)
    ]


def _upper_word(enum: Any, value: int) -> str:
    return enum_word(enum, value).upper() if value else ""


def headline(outcome: SeatOutcome, seats: int, *, state: str) -> str:
    """Return bot, placing, ending and fault. `state`: of the match, for example "FINISHED"."""
    version = f", version {shown_version(outcome.version)}" if outcome.version else ""
    named = f"Seat {outcome.seat}, {outcome.bot or 'hidden until the match begins'}{version}"
    if not outcome.termination:
        return named
    placed = f"placing {outcome.placing} of {seats}" if outcome.placing else "no placing"
    how = "by the rules" if outcome.fault == "NONE" else "all others forfeited"
    if outcome.forfeited:
        how = f"{outcome.termination}, {_FAULTS.get(outcome.fault, 'no fault')}"
    elif state in ("ABORTED", "NO_CONTEST"):
        how = "void" if state == "ABORTED" else "no contest"
    return f"{named}: {placed}, {how}"


def score_line(outcome: SeatOutcome, seats: Sequence[SeatOutcome]) -> str:
    """Return its score compared with all others, best first; empty if there are none."""
    if outcome.score is None or len(seats) == 1 or outcome.forfeited:
        return ""
    others = sorted((each for each in seats if each.seat != outcome.seat), key=lambda each: each.placing)
    compared = [_compared(outcome, outcome.score, each) for each in others]
    return f"score {outcome.score}: " + ", ".join(compared)


def _compared(outcome: SeatOutcome, score: int, other: SeatOutcome) -> str:
    named = f"seat {other.seat} ({other.bot}"
    if other.forfeited or other.score is None:
        return f"{named}) forfeited"
    more = score - other.score
    if more:
        return f"{abs(more)} {'more' if more > 0 else 'less'} than {named}, {other.score})"
    if other.placing == outcome.placing:
        return f"the same as {named})"
    order = "behind" if other.placing < outcome.placing else "ahead of"
    return f"the same as {named}), but {order} it by the tie rules"


def forfeit_lines(outcome: SeatOutcome, *, point: bool, raised: bool) -> Iterator[str]:
    """Yield evidence, limit and advice for a forfeit; only the evidence for a fault of the arena.

    `point`: whether to say where to read the output of its program. `raised`: whether exceptions are known.
    """
    if outcome.evidence and (outcome.forfeited or outcome.fault == "ARENA"):
        shown = ", ".join(f"{fact} {printable(value)}" for fact, value in outcome.evidence)
        yield f"evidence: {shown}"
    given = outcome.advice(raised=raised)
    if given is None:
        return
    if given.limit:
        yield f"limit: {given.limit}"
    yield f"what to do: {given.next}"
    if point and outcome.program_ended and outcome.file is None:
        yield f"its output: `arena log debug {outcome.match}`, with a token of the bot's owner"


def outcome_document(
    outcome: SeatOutcome, seats: Sequence[SeatOutcome], *, raised: bool
) -> dict[str, object]:
    """Return the same for JSON. What is unknown or does not apply is null."""
    given = outcome.advice(raised=raised)
    scores = [each.score for each in seats if each.placing == 1 and each.score is not None]
    behind = (
        scores[0] - outcome.score if scores and outcome.score is not None and not outcome.forfeited else None
    )
    return {
        "bot": f"bots/{outcome.bot}" if outcome.bot else "",
        "bot_version": f"bots/{outcome.bot}/versions/{outcome.version}" if outcome.version else None,
        "placing": outcome.placing,
        "score": outcome.score,
        "behind_best": behind,
        "termination": outcome.termination or None,
        "fault": outcome.fault or None,
        "sentence": outcome.sentence,
        "evidence": dict(outcome.evidence),
        "limit": given.limit or None if given else None,
        "what_to_do": given.next if given else None,
    }


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
        lacks_scope = (
            error_info(call.trailing_metadata())[0] == ErrorReason.SCOPE_REQUIRED.value
        )  # then there may be lines
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
    yield f"{counted(len(lines), 'debug line')}{how}: `arena log debug {outcome.source} --bot {outcome.bot}`"
    if outcome.forfeited:
        for line in lines[-LAST_LINES:]:
            shown = printable(line.text).replace("\n", " ")
            if len(shown) > LAST_LINE_WIDTH:
                shown = shown[: LAST_LINE_WIDTH - 1] + "\N{HORIZONTAL ELLIPSIS}"
            where = f"decision {line.decision}" if line.decision else "match"
            yield f"  {format_source(line)}, {where}: {shown}"


EXCEPTIONS: Final = 5
"""How many different exceptions of a seat are shown."""

_DECISIONS: Final = 10
"""How many decisions are named for each."""

_TRACEBACK: Final = "Traceback (most recent call last):"


def exception_lines(lines: Sequence[match_pb2.DebugLine]) -> Iterator[str]:
    """Yield the exceptions of a bot's own code, as its debug lines name them, with the decisions that they cost."""
    raised: dict[str, list[int]] = {}
    for line in lines:
        if line.source == match_pb2.DebugLine.SOURCE_EXCEPTION:
            raised.setdefault(printable(line.text).replace("\n", " "), []).append(line.decision)
    for text, decisions in list(raised.items())[:EXCEPTIONS]:
        yield f"exception in {_named_decisions(decisions)}: {text}"
    if len(raised) > EXCEPTIONS:
        yield f"{counted(len(raised) - EXCEPTIONS, 'other exception')}: see its debug lines"


def uncaught_exception(lines: Sequence[match_pb2.DebugLine]) -> str:
    """Return the type and message of the last Python traceback that a program has printed; empty without one."""
    named, is_inside = "", False
    for line in lines:
        if line.source not in PRINTED:
            continue
        if line.text.startswith(_TRACEBACK):
            is_inside = True
        elif is_inside and line.text and not line.text[0].isspace():
            named, is_inside = printable(line.text), False
    return named


def _named_decisions(decisions: Sequence[int]) -> str:
    """Return "decision 3", "decisions 1, 2 and 3", or "the match as a whole"."""
    *most, last = [str(each) for each in decisions[:_DECISIONS]]
    if len(decisions) > _DECISIONS:
        most, last = [*most, last], f"{len(decisions) - _DECISIONS} more"
    if not most:
        return f"decision {last}" if decisions[0] else "the match as a whole"
    return f"decisions {', '.join(most)} and {last}"


def seat_details(
    outcome: SeatOutcome, seats: Sequence[SeatOutcome], own: OwnerDebug, between: Sequence[str] = ()
) -> Iterator[RenderableType]:
    """Yield how a seat ended: its sentence, score, evidence, advice and debug lines.

    `between`: lines after the score.
    """
    if outcome.sentence:
        yield Text(printable(outcome.sentence))
    debug = own.of(outcome.seat)
    exceptions = list(exception_lines(debug))
    if uncaught := uncaught_exception(debug) if outcome.program_ended else "":
        exceptions.append(f"exception that ended its program: {uncaught}")
    details = [
        *filter(None, [score_line(outcome, seats)]),
        *between,
        *exceptions,
        *forfeit_lines(outcome, point=not debug, raised=bool(exceptions)),
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
    exceptions = [
        {"decision": line.decision, "text": line.text}
        for line in lines
        if line.source == match_pb2.DebugLine.SOURCE_EXCEPTION
    ]
    return outcome_document(outcome, seats, raised=bool(exceptions)) | {
        "debug_lines": debug if lines else None,
        "exceptions": exceptions,
        "uncaught_exception": (uncaught_exception(lines) if outcome.program_ended else "") or None,
    }
