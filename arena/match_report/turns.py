"""A match log turn by turn in plain words, with clock, network and strikes where they mattered."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from rich.console import RenderableType
from rich.text import Text

from arena.core.match import CONNECTION_BACK, CONNECTION_LOST, FORFEIT, ILLEGAL_ANSWER, Cause, NoteRecord
from arena.core.ply import PlyRecord
from arena.drawings.colours import seat_style
from arena.drawings.drawing import Step
from arena.drawings.narration import Narrator, Paragraph, seat_names
from arena.drawings.wording import duration
from arena.match_log.decode import LoggedSetUp
from arena.match_log.reader import MatchLog
from engine.game import SPECTATOR, Game

_TROUBLE: Final = "dark_orange3"
_NOTES: Final = {CONNECTION_LOST: "loses its connection", CONNECTION_BACK: "is back", FORFEIT: "forfeits"}


@dataclass(slots=True)
class _Turn:
    """The steps under one heading."""

    steps: list[Step] = field(default_factory=list)
    plies: list[PlyRecord] = field(default_factory=list)
    troubles: list[Text] = field(default_factory=list)


def names_in(log: MatchLog) -> tuple[str, ...]:
    """Return the names of the seats in the story."""
    return seat_names(holder.bot for holder in log.setup.seats)


def turn_lines(log: MatchLog, game: Game, narrator: Narrator) -> Iterator[RenderableType]:
    """Yield the match from set-up to last turn. The log fits the rules of this software."""
    setup = log.setup
    state = game.new_match(len(setup.seats), setup.options, setup.seed)
    view = state.observe(SPECTATOR)
    pieces = Counter((ply.seat, ply.decision) for ply in log.plies)
    strikes = [0] * len(setup.seats)
    turn = _Turn()
    objection = ""
    for entry in log.entries:
        content = entry.content
        if isinstance(content, LoggedSetUp):
            yield from narrator.beginning(view)
        elif isinstance(content, NoteRecord):
            objection = content.text if content.what == ILLEGAL_ANSWER else objection
            turn.troubles += _note(log, content)
        else:
            ply = content.record
            state.apply(ply.action)
            step = Step(ply.seat, view, ply.action, ply.events, state.observe(SPECTATOR))
            if not narrator.continues(turn.steps, step):
                yield from _finished(turn, narrator)
                turn = _Turn()
            strikes[ply.seat] += ply.cause in (Cause.TIME_FORFEIT, Cause.ILLEGAL_ACTION)
            turn.steps.append(step)
            turn.plies.append(ply)
            turn.troubles += _trouble(log, ply, strikes[ply.seat], objection)
            turn.troubles += _long_thought(log, ply, pieces[ply.seat, ply.decision])
            view = step.after
    yield from _finished(turn, narrator)
    if log.set_up is not None:
        yield from narrator.end(view)


def _finished(turn: _Turn, narrator: Narrator) -> Iterator[RenderableType]:
    if turn.steps and all(ply.cause is Cause.FORFEITED for ply in turn.plies):
        yield narrator.heading(turn.steps[0], "has forfeited: the arena plays its defaults")
    elif turn.steps:
        yield from narrator.turn(turn.steps, duration(sum(ply.used_ns for ply in turn.plies)))
    yield from map(Paragraph, turn.troubles)


def _trouble(log: MatchLog, ply: PlyRecord, strikes: int, objection: str) -> Iterator[Text]:
    """Yield a missed or illegal answer. `objection`: the last one of the rules."""
    control, name = log.setup.time_control, names_in(log)[ply.seat]
    count = f"the default was played, strike {strikes} ({control.strikes} allowed)"
    if ply.cause is Cause.TIME_FORFEIT:
        yield Text(f"{name} gave no answer in time: {count}; bank {duration(ply.bank_ns)}.", style=_TROUBLE)
    elif ply.cause is Cause.ILLEGAL_ACTION:
        yield Text(f"The answer of {name} was not legal ({objection}): {count}.", style=_TROUBLE)


def _long_thought(log: MatchLog, ply: PlyRecord, pieces: int) -> Iterator[Text]:
    """Yield a thought that took from the bank. `pieces`: how many plies its decision has."""
    free = 0 if ply.over_seat_limit else pieces * log.setup.time_control.per_decision_ns
    if ply.cause is Cause.CHOSEN and ply.used_ns > free:
        used, over, left = duration(ply.used_ns), duration(ply.used_ns - free), duration(ply.bank_ns)
        what = "one decision" if pieces == 1 else f"one plan of {pieces} actions"
        yield Text(f"Thought {used} over {what}: {over} from the bank, {left} left.", style=_TROUBLE)


def _note(log: MatchLog, note: NoteRecord) -> Iterator[Text]:
    if note.what == ILLEGAL_ANSWER:
        return  # reported with the default that was played instead
    text = Text(f"After {duration(note.at_ns)}: ", style="dim")
    if note.seat is not None:
        text.append(names_in(log)[note.seat], style=f"not dim {seat_style(note.seat)}").append(" ")
    text.append(_NOTES.get(note.what, note.what.replace("_", " ")), style="not dim")
    lost = "not dim bold red3" if note.what == FORFEIT else ""
    yield text.append(f". {note.text}" if note.text else ".", style=lost)
