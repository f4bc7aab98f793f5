"""A match log action by action, in the game's own notation, with times."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import RenderableType
from rich.text import Text

from arena.codecs.codec import Codec
from arena.core.match import CLOCK_OFF, Cause, NoteRecord
from arena.core.ply import PlyRecord
from arena.drawings.colours import seat_style
from arena.drawings.wording import duration
from arena.match_log.decode import LoggedSetUp
from arena.match_log.reader import MatchLog
from arena.match_report.evaluations import expectation, readable_line
from engine.game import TERMINAL, Event, Game, State
from engine.randomness import SEED_BYTES

_NOTATION_WIDTH: Final = 24
_INDENT: Final = " " * 9
DEFAULTS: Final = {
    Cause.TIME_FORFEIT: "Default, no answer in time",
    Cause.ILLEGAL_ACTION: "Default, the answer was not legal",
    Cause.FORFEITED: "Default, the seat has forfeited",
}
"""Why the arena played an action, by cause."""

GIVEN: Final = "given"
"""What stands instead of the time of an action that was played in the match before this one."""


NO_CLOCK: Final = "no clock"
"""What stands instead of the time of a seat that has no clock."""


def untimed_seats(log: MatchLog) -> frozenset[int]:
    """Return the seats without a clock: a person has played them by hand, or debugged their bot."""
    notes = (entry.content for entry in log.entries if isinstance(entry.content, NoteRecord))
    return frozenset(note.seat for note in notes if note.what == CLOCK_OFF and note.seat is not None)


def page_address(ply: int) -> str:
    """Return what the address of the match's replay page ends with to show a ply, numbered from 0."""
    return f"#ply={ply + 1}"


def ply_lines(log: MatchLog, codec: Codec) -> Iterator[RenderableType]:
    """Yield ply by ply, under a heading whenever another seat acts."""
    texts = notations(log, codec.game)
    strikes, untimed = [0] * len(log.setup.seats), untimed_seats(log)
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
            yield named(log, ply.seat)
        yield _ply(
            number, ply, texts[number], before, NO_CLOCK if ply.seat in untimed else duration(ply.used_ns)
        )
        yield from _evaluation(log, ply)
        if ply.cause in DEFAULTS:
            why = DEFAULTS[ply.cause]
            if ply.cause is not Cause.FORFEITED:
                strikes[ply.seat] += 1
                allowed = log.setup.time_control.strikes
                why += f"; strike {strikes[ply.seat]}, {allowed} allowed; bank {duration(ply.bank_ns)}"
            yield Text(_INDENT + why, style="red")
        yield from _events(ply.events, codec)
        before = ply
        number += 1


def _events(events: Sequence[Event], codec: Codec) -> Iterator[RenderableType]:
    for event in events:
        yield Text(_INDENT + codec.describe_event(event), style="dim")


def _ply(number: int, ply: PlyRecord, notation: str | None, before: PlyRecord | None, thought: str) -> Text:
    """Return one action and its time. `before`: the ply before it, perhaps of the same decision."""
    shown = notation if notation is not None else f"#{ply.action}"
    planned = (
        before is not None and ply.decision and (before.seat, before.decision) == (ply.seat, ply.decision)
    )
    if ply.cause is Cause.GIVEN:
        time = GIVEN
    elif ply.cause is Cause.FORFEITED:
        time = ""
    elif planned:
        time = "planned"
    else:
        time = thought
    return Text(f"{number:>7}  {shown:<{_NOTATION_WIDTH}} {time:>9}".rstrip())


def _evaluation(log: MatchLog, ply: PlyRecord) -> Iterator[Text]:
    """Yield what the bot expected, and its line, if its answer said so."""
    if ply.evaluation is None:
        return
    expected = expectation(ply.evaluation, [holder.bot for holder in log.setup.seats])
    if expected:
        yield Text(f"{_INDENT}Expects {expected}", style="cyan")
    if line := readable_line(ply.evaluation):
        yield Text(f"{_INDENT}{line}", style="cyan")


def _note(log: MatchLog, note: NoteRecord) -> Text:
    about = "" if note.seat is None else f", {named(log, note.seat).plain}"
    more = f": {note.text}" if note.text else ""
    what = note.what.replace("_", " ")
    return Text(f"{_INDENT}[{duration(note.at_ns)}{about}] {what}{more}", style="italic")


def named(log: MatchLog, seat: int) -> Text:
    """Return a seat with its bot."""
    return Text(f"Seat {seat}, {log.setup.seats[seat].bot}", style=seat_style(seat))


def positions(log: MatchLog, game: Game) -> Iterator[tuple[State, PlyRecord]]:
    """Yield each ply with the position before it, as far as the log fits the rules of this software.

    It is one position, played on from ply to ply: do not change it.
    """
    if log.setup.rules_version != game.spec.rules_version or len(log.setup.seed) != SEED_BYTES:
        return
    state = game.new_match(len(log.setup.seats), log.setup.options, log.setup.seed)
    for ply in log.plies:
        if state.seat_to_act == TERMINAL or not state.is_legal(ply.action):
            return
        yield state, ply
        state.apply(ply.action)


def notations(log: MatchLog, game: Game) -> tuple[str | None, ...]:
    """Return each ply's action as text; None from the first ply that does not fit the rules of this software."""
    known = [state.format_action(ply.action) for state, ply in positions(log, game)]
    return (*known, *[None] * (len(log.plies) - len(known)))
