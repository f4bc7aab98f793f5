"""A match log as a story: bots, turns, result and reasons."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from arena.codecs.codec import Codec
from arena.core.match import (
    CLOCK_OFF,
    CONNECTION_BACK,
    CONNECTION_LOST,
    ENDED_BY_FORFEIT,
    FORFEIT,
    ILLEGAL_ANSWER,
    Cause,
    MatchState,
    NoteRecord,
)
from arena.core.ply import PlyRecord
from arena.core.solo.boards import solo_level
from arena.core.versions import shown_version
from arena.drawings.colours import seat_style
from arena.drawings.drawing import Drawing, Step
from arena.drawings.narration import BoardFrequency, Narrator, Paragraph, seat_names
from arena.drawings.wording import counted, duration
from arena.match_log.decode import LoggedSetUp
from arena.match_log.reader import MatchLog
from arena.match_report.plies import GIVEN, NO_CLOCK, named, notations, ply_lines, untimed_seats
from engine.game import SPECTATOR, Game


def story(
    log: MatchLog, codec: Codec, drawing: Drawing | None, boards: BoardFrequency = BoardFrequency.MOMENTS
) -> Iterator[RenderableType]:
    """Yield the story in parts for a rich console, each of one or more lines.

    `codec` and `drawing`: of the log's game. Without a drawing, or if the log does not fit the rules of this
    software, the story is a list of actions.
    """
    yield from _opening(log, codec)
    yield Text()
    if drawing is None or None in notations(log, codec.game):
        yield from ply_lines(log, codec)
    else:
        yield from turn_lines(log, codec.game, Narrator(drawing, names_in(log), boards))
    yield Text()
    yield from ending_lines(log, codec.game)


def _opening(log: MatchLog, codec: Codec) -> Iterator[RenderableType]:
    setup = log.setup
    yield Text(
        f"Match {setup.match}: {codec.game.spec.title}, {counted(len(setup.seats), 'seat')}", style="bold"
    )
    yield from map(Text, facts(log, codec))
    for seat, holder in enumerate(setup.seats):
        yield Text.assemble(named(log, seat), f", version {shown_version(holder.version)}")


def facts(log: MatchLog, codec: Codec) -> Iterator[str]:
    """Yield where and when a match was played, its options and its clock, and its log, in a line each."""
    setup, control = log.setup, log.setup.time_control
    began = datetime.fromtimestamp(log.origin.start_time_ms / 1_000, UTC)
    where = f"ladder {setup.ladder}, " if setup.ladder is not None else ""
    if setup.tournament is not None:
        where = f"tournament {setup.tournament}, "
    again = f", replay {setup.replay}" if setup.replay else ""
    if setup.replay_of is not None:
        again += f", played instead of match {setup.replay_of}"
    if setup.suite is not None:
        again += f", entry {setup.suite.entry} of the suite {setup.suite.suite}"
    if setup.continued_from is not None:
        again += f", played on from ply {setup.continued_from.plies} of log {setup.continued_from.log}"
    rated = "rated" if setup.rated else "unrated"
    yield (f"{where}group g{setup.group}, {rated}{again}; began {began:%Y-%m-%d %H:%M:%S} UTC")
    options = [f"{name} {value}" for name, value in codec.game.option_values(setup.options).items()]
    yield (f"Options: {', '.join(options) or 'none'}")
    without = "".join(f"; none for {named(log, seat).plain}" for seat in sorted(untimed_seats(log)))
    yield (
        f"Clock: {duration(control.per_decision_ns)} a decision, bank {duration(control.bank_ns)}, "
        f"increment {duration(control.increment_ns)}, {control.strikes} strikes allowed, "
        f"{duration(control.seat_limit_ns)} per seat in all{without}"
    )
    yield f"Log {log.name}"
    yield f"Signed with key {log.origin.key_id} by {log.origin.software}"


def ending_lines(log: MatchLog, game: Game) -> Iterator[RenderableType]:
    """Yield how the match ended: the placings, the level of the only seat, and one sentence for each seat."""
    result = log.result
    took = f"{result.plies} plies in {duration(result.duration_ns)}"
    how = f"after {took}: {result.ending}"
    if result.state is not MatchState.FINISHED:
        how = f"without a result after {took}: {result.void_reason}"
    yield Text(f"The match ended {how}", style="bold")
    yield _table(log)
    level = solo_level(game, result.ending, result.seats)
    if level:
        yield Text(f"Level: {level}", style="bold")
    for seat in range(len(result.seats)):
        yield Text.assemble(named(log, seat), f": {result.seats[seat].ending.sentence}")


def _table(log: MatchLog) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for column in ("place", "seat", "bot", "ended by", "score", "asked", "thinking", "longest", "strikes"):
        # Where the terminal is narrow, it is names that are cut.
        is_text = column in ("bot", "ended by")
        table.add_column(column, justify="left" if is_text else "right", no_wrap=column != "bot")
    void = log.result.state is not MatchState.FINISHED
    order = sorted(range(len(log.result.seats)), key=lambda seat: (log.result.seats[seat].placing, seat))
    for seat in order:
        result = log.result.seats[seat]
        table.add_row(
            str(result.placing) if result.placing else "-",
            str(seat),
            Text(log.setup.seats[seat].bot, style=seat_style(seat)),
            "void" if void and not result.ending.forfeited else result.ending.termination.name,
            # Where a forfeit ended the match, the game did not come to a score.
            "-" if log.result.ending in ENDED_BY_FORFEIT else str(result.score),
            str(result.decisions),
            duration(result.used_ns),
            duration(result.longest_ns),
            str(result.strikes),
        )
    return table


_TROUBLE: Final = "dark_orange3"
_NOTES: Final = {
    CLOCK_OFF: "has no clock: it is played by hand, or debugged",
    CONNECTION_LOST: "loses its connection",
    CONNECTION_BACK: "is back",
    FORFEIT: "forfeits",
}


@dataclass(slots=True)
class Turn:
    """The steps under one heading, as spectators see them."""

    first: int
    """The number of its first ply, from 0."""
    steps: list[Step] = field(default_factory=list)
    plies: list[PlyRecord] = field(default_factory=list)
    troubles: list[Text] = field(default_factory=list)
    """Strikes, long thoughts and lost connections, a sentence each."""
    untimed: frozenset[int] = frozenset()
    """The seats without a clock."""

    @property
    def time(self) -> str:
        """The thinking time in words; GIVEN if nobody thought, NO_CLOCK if nobody had a clock."""
        if all(ply.cause is Cause.GIVEN for ply in self.plies):
            return GIVEN
        if all(ply.seat in self.untimed for ply in self.plies):
            return NO_CLOCK
        return duration(sum(ply.used_ns for ply in self.plies))


def names_in(log: MatchLog) -> tuple[str, ...]:
    """Return the names of the seats in the story."""
    return seat_names(holder.bot for holder in log.setup.seats)


def turn_lines(log: MatchLog, game: Game, narrator: Narrator) -> Iterator[RenderableType]:
    """Yield the match from set-up to last turn. The log fits the rules of this software."""
    setup = log.setup
    view = game.new_match(len(setup.seats), setup.options, setup.seed).observe(SPECTATOR)
    if log.set_up is not None:
        yield from narrator.beginning(view)
    for turn in turns(log, game, narrator):
        if turn.steps and all(ply.cause is Cause.FORFEITED for ply in turn.plies):
            yield narrator.heading(turn.steps[0], "has forfeited: the arena plays its defaults")
        elif turn.steps:
            yield from narrator.turn(turn.steps, turn.time)
        yield from map(Paragraph, turn.troubles)
        view = turn.steps[-1].after if turn.steps else view
    if log.set_up is not None:
        yield from narrator.end(view)


def turns(log: MatchLog, game: Game, narrator: Narrator) -> Iterator[Turn]:
    """Yield the turns. The log fits the rules of this software. A turn without steps has the notes before the first."""
    setup = log.setup
    state = game.new_match(len(setup.seats), setup.options, setup.seed)
    view = state.observe(SPECTATOR)
    pieces = Counter((ply.seat, ply.decision) for ply in log.plies)
    strikes = [0] * len(setup.seats)
    untimed = untimed_seats(log)
    turn, number, objection = Turn(0, untimed=untimed), 0, ""
    for entry in log.entries:
        content = entry.content
        if isinstance(content, NoteRecord):
            objection = content.text if content.what == ILLEGAL_ANSWER else objection
            turn.troubles += _note(log, content)
        elif not isinstance(content, LoggedSetUp):
            ply = content.record
            state.apply(ply.action)
            step = Step(ply.seat, view, ply.action, ply.events, state.observe(SPECTATOR))
            if not narrator.continues(turn.steps, step):
                yield turn
                turn = Turn(number, untimed=untimed)
            strikes[ply.seat] += ply.cause in (Cause.TIME_FORFEIT, Cause.ILLEGAL_ACTION)
            turn.steps.append(step)
            turn.plies.append(ply)
            turn.troubles += _trouble(log, ply, strikes[ply.seat], objection)
            turn.troubles += _long_thought(log, ply, pieces[ply.seat, ply.decision])
            view, number = step.after, number + 1
    yield turn


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
