"""A match log told as a story: who met, what they did turn by turn, how it ended and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from arena.codecs.codec import Codec
from arena.core.match import Cause, MatchState, NoteRecord, PlyRecord
from arena.core.terminations import SeatEnding
from arena.match_log.decode import LoggedSetUp
from arena.match_log.durations import duration
from arena.match_log.notation import notations
from arena.match_log.reader import MatchLog
from engine.game import Event

_NOTATION_WIDTH: Final = 24
_INDENT: Final = " " * 9
_SEAT_STYLES: Final = ("cyan", "magenta", "yellow", "green", "blue", "red")
_DEFAULTS: Final = {
    Cause.TIME_FORFEIT: "Default, no answer in time",
    Cause.ILLEGAL_ACTION: "Default, the answer was not legal",
    Cause.FORFEITED: "Default, the seat has forfeited",
}


def tell(log: MatchLog, codec: Codec) -> Iterator[RenderableType]:
    """The story in parts for a rich console, one or more lines each. `codec`: of the log's game."""
    yield from _opening(log, codec)
    yield Text()
    yield from _turns(log, codec)
    yield Text()
    yield from tell_ending(log)


def _opening(log: MatchLog, codec: Codec) -> Iterator[RenderableType]:
    setup, control = log.setup, log.setup.time_control
    began = datetime.fromtimestamp(log.origin.start_time_ms / 1_000, UTC)
    yield Text(f"Match {setup.match}: {codec.game.spec.title}, {len(setup.seats)} seats", style="bold")
    where = f"ladder {setup.ladder}, " if setup.ladder is not None else ""
    again = f", replay {setup.attempt}" if setup.attempt else ""
    rated = "rated" if setup.rated else "unrated"
    yield Text(f"{where}group g{setup.group}, {rated}{again}; began {began:%Y-%m-%d %H:%M:%S} UTC")
    options = codec.game.option_values(setup.options)
    yield Text("Options: " + ", ".join(f"{name} {value}" for name, value in options.items()))
    yield Text(
        f"Clock: {duration(control.per_decision_ns)} a decision, bank {duration(control.bank_ns)}, "
        f"increment {duration(control.increment_ns)}, {control.strikes} strikes allowed"
    )
    yield Text(f"Log {log.name}")
    yield Text(f"Signed with key {log.origin.key_id} by {log.origin.software}")
    for seat, holder in enumerate(setup.seats):
        yield Text.assemble(_named(log, seat), f", version {holder.version}")


def _turns(log: MatchLog, codec: Codec) -> Iterator[RenderableType]:
    """Ply by ply, under a heading whenever another seat acts."""
    texts = notations(log, codec.game)
    strikes = [0] * len(log.setup.seats)
    before: PlyRecord | None = None
    number = 0
    for entry in log.entries:
        if isinstance(entry.content, NoteRecord):
            yield _note(log, entry.content)
            continue
        if isinstance(entry.content, LoggedSetUp):
            yield from _events(entry.content.events, codec)
            continue
        ply = entry.content.record
        if before is None or before.seat != ply.seat:
            yield _named(log, ply.seat)
        yield _ply(number, ply, texts[number], before)
        if ply.cause in _DEFAULTS:
            strikes[ply.seat] += ply.cause is not Cause.FORFEITED
            yield _default(log, ply, strikes[ply.seat])
        yield from _events(ply.events, codec)
        before = ply
        number += 1


def _events(events: Sequence[Event], codec: Codec) -> Iterator[RenderableType]:
    for event in events:
        yield Text(_INDENT + codec.describe_event(event), style="dim")


def _ply(number: int, ply: PlyRecord, notation: str | None, before: PlyRecord | None) -> Text:
    """One action and its thinking time. `before`: the ply before it, which may be of the same decision."""
    shown = notation if notation is not None else f"#{ply.action}"
    planned = (
        before is not None and ply.decision and (before.seat, before.decision) == (ply.seat, ply.decision)
    )
    if ply.cause is Cause.FORFEITED:
        time = ""
    elif planned:
        time = "planned"
    else:
        time = duration(ply.used_ns)
    return Text(f"{number:>7}  {shown:<{_NOTATION_WIDTH}} {time:>9}".rstrip())


def _default(log: MatchLog, ply: PlyRecord, strikes: int) -> Text:
    """Why the arena played for the seat."""
    why = _DEFAULTS[ply.cause]
    if ply.cause is not Cause.FORFEITED:
        why += f"; strike {strikes}, {log.setup.time_control.strikes} allowed; bank {duration(ply.bank_ns)}"
    return Text(_INDENT + why, style="red")


def _note(log: MatchLog, note: NoteRecord) -> Text:
    about = "" if note.seat is None else f", {_named(log, note.seat).plain}"
    more = f": {note.text}" if note.text else ""
    what = note.what.replace("_", " ")
    return Text(f"{_INDENT}[{duration(note.at_ns)}{about}] {what}{more}", style="italic")


def tell_ending(log: MatchLog) -> Iterator[RenderableType]:
    """How the match ended: the placings, and one sentence for each seat."""
    result = log.result
    took = f"{result.plies} plies in {duration(result.duration_ns)}"
    if result.state is MatchState.FINISHED:
        yield Text(f"The match ended after {took}: {result.ending}", style="bold")
    else:
        yield Text(f"The match ended without a result after {took}: {result.void_reason}", style="bold")
    yield _table(log)
    for seat in range(len(result.seats)):
        yield Text.assemble(_named(log, seat), f": {result.seats[seat].ending.sentence}")


def _table(log: MatchLog) -> Table:
    table = Table()
    table.add_column("place", justify="right")
    table.add_column("seat")
    table.add_column("ended by")
    for column in ("score", "decisions", "thinking", "longest", "strikes"):
        table.add_column(column, justify="right")
    order = sorted(range(len(log.result.seats)), key=lambda seat: (log.result.seats[seat].placing, seat))
    for seat in order:
        result = log.result.seats[seat]
        table.add_row(
            str(result.placing) if result.placing else "-",
            _named(log, seat),
            _ended_by(log, result.ending),
            str(result.score),
            str(result.decisions),
            duration(result.used_ns),
            duration(result.longest_ns),
            str(result.strikes),
        )
    return table


def _ended_by(log: MatchLog, ending: SeatEnding) -> str:
    """How a seat ended, in one word; without a result nobody has ended by the rules."""
    void = log.result.state is not MatchState.FINISHED
    return "void" if void and not ending.forfeited else ending.termination.name


def _named(log: MatchLog, seat: int) -> Text:
    """A seat with the bot that sits on it."""
    return Text(f"Seat {seat}, {log.setup.seats[seat].bot}", style=_SEAT_STYLES[seat % len(_SEAT_STYLES)])
