"""The frames that a spectator receives, put together to turns."""

from collections.abc import Iterator
from dataclasses import replace

from arena.drawings.drawing import Drawing, Step
from arena.runner.history import SeatActed, SeatForfeited
from arena.runner.spectator_view import SpectatorFrame
from engine.game import Event


class SpectatorTurns:
    """Collects the steps of a turn until it is over."""

    def __init__(self, drawing: Drawing) -> None:
        """Begin before the first frame."""
        self._drawing = drawing
        self._last: SpectatorFrame | None = None
        self.steps: list[Step] = []
        """Of the turn that is not over."""

    def take(self, frame: SpectatorFrame) -> Iterator[list[Step] | SeatForfeited]:
        """Yield what this frame completes: turns and forfeits.

        It may hold several actions, and events of hidden ones.
        """
        seen = frame.observation if self._last is None else self._last.observation
        for each in frame.happened:
            if isinstance(each, Event):
                seen = self._drawing.caught_up(seen, each)
            if isinstance(each, SeatActed) and self._last is not None:
                step = Step(each.seat, seen, each.action, (), seen)
                if self.steps and not self._drawing.continues(self.steps[-1], step):
                    yield from self.rest()
                self.steps.append(step)
            elif isinstance(each, SeatForfeited):
                yield from self.rest()
                yield each
            elif isinstance(each, Event) and self.steps:
                self.steps[-1] = replace(self.steps[-1], events=(*self.steps[-1].events, each))
        if self.steps:
            self.steps[-1] = replace(self.steps[-1], after=frame.observation)
        self._last = frame

    def rest(self) -> Iterator[list[Step]]:
        """Yield the turn that is not over, and begin another."""
        steps, self.steps = self.steps, []
        if steps:
            yield steps
