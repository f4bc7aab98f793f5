"""A match while it is played: the board in place on a terminal, turn by turn as text elsewhere."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from typing import Final, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from arena.cli.framework.output import err, out
from arena.drawings.colours import seat_style
from arena.drawings.drawing import Drawing, drawing_for
from arena.drawings.narration import BoardFrequency, Narrator, Paragraph, seat_names
from arena.runner.history import SeatForfeited
from arena.runner.spectator_turns import SpectatorTurns
from arena.runner.spectator_view import SpectatorFrame, SpectatorView

_TURNS_BELOW: Final = 2
"""Turns shown below the board."""

_LINES_BELOW: Final = 8
"""Lines reserved for them."""


class Viewer:
    """Shows frames as they come. Use it in a `with` statement."""

    def __init__(self, console: Console, drawing: Drawing, names: Sequence[str], *, pace: float) -> None:
        """`pace`: minimum seconds per frame on a terminal."""
        self._console = console
        self._drawing = drawing
        self._names = names
        self._pace = pace
        self._narrator = Narrator(drawing, names, BoardFrequency.MOMENTS)
        self._last: SpectatorFrame | None = None
        self._turns = SpectatorTurns(drawing)
        self._recent: deque[list[RenderableType]] = deque(maxlen=_TURNS_BELOW)
        self._live: Live | None = None
        self._first = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, frame: SpectatorFrame) -> None:
        """Show the frame; on a terminal, for `pace` seconds at least."""
        if self._first:
            self._begin(frame)
        finished = list(self._take(frame))
        self._last = frame
        if self._live is None:
            self._print(finished)
            return
        if finished:
            self._recent.append(finished)
        self._live.update(self._picture(frame), refresh=True)
        time.sleep(self._pace)

    def end(self) -> None:
        """Print the rest after the end of the match; the last position stays."""
        rest = list(self._rest())
        if self._live is not None:
            if rest and self._last is not None:
                self._recent.append(rest)
                self._live.update(self._picture(self._last), refresh=True)
            return
        self._print(rest)
        if self._last is not None:
            self._print(self._narrator.end(self._last.observation))

    def _begin(self, frame: SpectatorFrame) -> None:
        self._first = False
        rows = len(self._drawing.draw(frame.observation, self._names).plain.splitlines()) + _LINES_BELOW
        if self._console.is_terminal and self._console.height > rows:
            # The board is there already.
            self._narrator = Narrator(self._drawing, self._names, BoardFrequency.NEVER)
            self._live = Live(console=self._console, auto_refresh=False, vertical_overflow="crop")
            self._live.start()
        else:
            self._print(self._narrator.beginning(frame.observation))

    def _take(self, frame: SpectatorFrame) -> Iterator[RenderableType]:
        """Yield what this frame completes."""
        for each in self._turns.take(frame):
            if isinstance(each, SeatForfeited):
                name = Text.assemble((self._names[each.seat], seat_style(each.seat)))
                yield Paragraph(name.append(f" forfeits: {each.termination.name}.", style="bold red3"))
            else:
                yield from self._narrator.turn(each)

    def _rest(self) -> Iterator[RenderableType]:
        for steps in self._turns.rest():
            yield from self._narrator.turn(steps)

    def _picture(self, frame: SpectatorFrame) -> RenderableType:
        """Return the board, and the last turns that fit below it, at least one."""
        board = self._drawing.draw(frame.observation, self._names)
        room = self._console.height - len(board.plain.splitlines()) - 1
        shown: list[RenderableType] = []
        for turn in reversed(self._recent):
            if shown and len(self._console.render_lines(Group(*turn, *shown))) > room:
                break
            shown = [*turn, *shown]
        return Group(board, Text(), *shown)

    def _print(self, parts: Iterable[RenderableType]) -> None:
        for part in parts:
            self._console.print(part, highlight=False)


_POLL_SECONDS: Final = 0.1

Follow = Callable[[SpectatorView], Awaitable[None]]
"""Shows a match while it is played; returns at its end."""


def follower(game: str, bots: Sequence[str], *, pace: float) -> Follow:
    """Return what shows every frame of a match, drawn in a thread so that the clocks do not wait."""

    async def follow(spectator_view: SpectatorView) -> None:
        with Viewer(out(), drawing_for(game), seat_names(bots), pace=pace) as viewer:
            shown = 0
            while True:
                notified = spectator_view.change_signal.notified
                frames = spectator_view.frames()
                over = spectator_view.over
                for frame in frames[shown:]:
                    await asyncio.to_thread(viewer.show, frame)
                    shown += 1
                if over:
                    break
                if shown == len(spectator_view.frames()):
                    await spectator_view.change_signal.after(notified)
            viewer.end()

    return follow


async def follow_nothing(_spectator_view: SpectatorView) -> None:
    """Show nothing: the terminal belongs to a program."""


def progress(game: str, bots: Sequence[str]) -> Follow:
    """Return what shows the current state in one line on a terminal."""

    async def follow(spectator_view: SpectatorView) -> None:
        console, drawing, names = err(), drawing_for(game), seat_names(bots)
        if not console.is_terminal:
            return
        with console.status("the match begins") as status:
            while not spectator_view.over:
                notified = spectator_view.change_signal.notified
                for frame in spectator_view.frames()[-1:]:
                    turn = f"turn {drawing.turn(frame.observation)}: "
                    status.update(Text(turn).append_text(drawing.standing(frame.observation, names)))
                await spectator_view.change_signal.after(notified)
                await asyncio.sleep(_POLL_SECONDS)

    return follow
