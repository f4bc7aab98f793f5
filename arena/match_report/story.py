"""A match log as a story: bots, turns, result and reasons."""

from collections.abc import Iterator
from datetime import UTC, datetime

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from arena.codecs.codec import Codec
from arena.core.match import ENDED_BY_FORFEIT, MatchState
from arena.core.solo.boards import solo_level
from arena.core.versions import shown_version
from arena.drawings.colours import seat_style
from arena.drawings.drawing import Drawing
from arena.drawings.narration import BoardFrequency, Narrator
from arena.drawings.wording import counted, duration
from arena.match_log.reader import MatchLog
from arena.match_report.plies import named, ply_lines
from arena.match_report.positions import notations
from arena.match_report.turns import names_in, turn_lines
from engine.game import Game


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
    setup, control = log.setup, log.setup.time_control
    began = datetime.fromtimestamp(log.origin.start_time_ms / 1_000, UTC)
    yield Text(
        f"Match {setup.match}: {codec.game.spec.title}, {counted(len(setup.seats), 'seat')}", style="bold"
    )
    where = f"ladder {setup.ladder}, " if setup.ladder is not None else ""
    if setup.tournament is not None:
        where = f"tournament {setup.tournament}, "
    again = f", replay {setup.replay}" if setup.replay else ""
    if setup.replay_of is not None:
        again += f", played instead of match {setup.replay_of}"
    rated = "rated" if setup.rated else "unrated"
    yield Text(f"{where}group g{setup.group}, {rated}{again}; began {began:%Y-%m-%d %H:%M:%S} UTC")
    options = [f"{name} {value}" for name, value in codec.game.option_values(setup.options).items()]
    yield Text(f"Options: {', '.join(options) or 'none'}")
    yield Text(
        f"Clock: {duration(control.per_decision_ns)} a decision, bank {duration(control.bank_ns)}, "
        f"increment {duration(control.increment_ns)}, {control.strikes} strikes allowed"
    )
    yield Text(f"Log {log.name}")
    yield Text(f"Signed with key {log.origin.key_id} by {log.origin.software}")
    for seat, holder in enumerate(setup.seats):
        yield Text.assemble(named(log, seat), f", version {shown_version(holder.version)}")


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
