"""`arena play --pause`: each decision waits until somebody presses Enter."""

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from rich.console import Console, Group, RenderableType
from rich.text import Text

from arena.drawings.colours import seat_style
from arena.drawings.drawing import Drawing
from arena.drawings.narration import BoardFrequency, Narrator
from arena.drawings.wording import counted
from arena.runner.history import SeatForfeited
from arena.runner.question import Question
from arena.runner.spectator_turns import SpectatorTurns
from arena.runner.spectator_view import SpectatorView

HELP = "Enter: ask it; c, then Enter: play on without a pause; Ctrl-C: stop the match."


class Pause:
    """Shows what has happened and who is to be asked, and asks when a line is typed. On one event loop."""

    def __init__(self, console: Console, drawing: Drawing, names: Sequence[str]) -> None:
        """`names`: the bots by seat."""
        self._console, self._drawing, self._names = console, drawing, names
        self._narrator = Narrator(drawing, names, BoardFrequency.NEVER)
        self._turns = SpectatorTurns(drawing)
        self._shown = 0
        self._view: SpectatorView | None = None
        self._waiting: Callable[[], None] | None = None
        self._pauses = True
        self._listens = False
        self._typed_so_far = b""
        self._input_ended = False

    async def follow(self, view: SpectatorView) -> None:
        """Keep what spectators see; show the rest of it when the match is over."""
        self._view = view
        while not view.over:
            notified = view.change_signal.notified
            await view.change_signal.after(notified)
        self._stop_listening()
        self._tell()
        if self._shown:
            self._print([Text(), Group(self._drawing.draw(view.frames()[-1].observation, self._names))])

    def hold(self, seat: int, question: Question, ask: Callable[[], None]) -> None:
        """Show the position as the seat sees it, and wait for a line."""
        if not self._pauses:
            ask()
            return
        self._tell()
        board = Group(self._drawing.draw(question.observation, self._names))
        who = Text.assemble((self._names[seat], seat_style(seat)), f" (seat {seat})")
        actions = counted(len(question.legal_actions), "legal action")
        asked = who.append(f", decision {question.decision}: {actions}.")
        self._print([Text(), board, Text(), asked, Text(HELP, style="dim")])
        self._waiting = ask
        self._listen()
        asyncio.get_running_loop().call_soon(self._go_on)  # a line may have been typed before

    def _tell(self) -> None:
        """Print the turns since the last time."""
        frames = () if self._view is None else self._view.frames()
        for frame in frames[self._shown :]:
            for each in self._turns.take(frame):
                if isinstance(each, SeatForfeited):
                    self._print([Text(f"{self._names[each.seat]} forfeits: {each.termination.name}.")])
                else:
                    self._print(self._narrator.turn(each))
        self._shown = len(frames)
        for steps in self._turns.rest():
            self._print(self._narrator.turn(steps))

    def _print(self, parts: Iterable[RenderableType]) -> None:
        for part in parts:
            self._console.print(part, highlight=False)

    def _listen(self) -> None:
        if self._listens or self._input_ended:
            return
        try:
            asyncio.get_running_loop().add_reader(sys.stdin, self._typed)
            self._listens = True
        except (OSError, ValueError, AttributeError):  # a file, which nobody has to wait for; closed; none
            with suppress(OSError, ValueError, AttributeError):
                self._typed_so_far += sys.stdin.buffer.read()
            self._input_ended = True

    def _stop_listening(self) -> None:
        if self._listens:
            self._listens = False
            asyncio.get_running_loop().remove_reader(sys.stdin)

    def _typed(self) -> None:
        """Take what was typed."""
        read = os.read(sys.stdin.fileno(), 4096)
        self._typed_so_far += read
        if not read:
            self._input_ended = True
            self._stop_listening()
        self._go_on()

    def _go_on(self) -> None:
        """Ask the seat that waits if a line was typed. The end of the input plays on without a pause."""
        line, newline, rest = self._typed_so_far.partition(b"\n")
        if self._waiting is None or not (newline or self._input_ended):
            return
        self._typed_so_far = rest
        if not newline or line.strip().lower() == b"c":
            self._pauses = False
            self._stop_listening()
        waiting, self._waiting = self._waiting, None
        waiting()
