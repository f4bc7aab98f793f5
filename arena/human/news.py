"""What happened since a seat's last decision, in the words of the game."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from rich.console import RenderableType
from rich.text import Text

from arena.codecs.codec import codec_for
from arena.drawings.colours import seat_style
from arena.drawings.drawing import Step, drawing_for
from arena.drawings.narration import BoardFrequency, Narrator, Paragraph
from arena.v1 import ending_pb2, happening_pb2
from engine.game import Event, State
from engine.randomness import SEED_BYTES, Stream

_TRIES: Final = 512
"""Positions that are tried for each action, until one leads to what the seat has seen happen."""


class News:
    """Tells what happened from one view of a seat on.

    The arena sends a seat what the others did, and its view of the position only with its next decision. In between
    the actions are played again on positions that fit, and what chance did is corrected where the drawing can; if
    none is found, the rest is told in the notation of the rules. In a game with secret decisions nobody can play them
    again: there the view from before serves for all.
    """

    def __init__(self, game: str, seat: int, before: object, names: Sequence[str]) -> None:
        """`before`: what the seat saw then, the game's own Observation. `names`: the bots by seat."""
        self._codec = codec_for(game)
        self._drawing = drawing_for(game)
        self._narrator = Narrator(self._drawing, names, BoardFrequency.NEVER)
        self._seat, self._before, self._names = seat, before, names
        self._secret = self._codec.game.spec.secret_decisions
        self._fits = True
        self._steps: list[Step] = []
        """Of the turn that is not over."""

    def tell(self, happened: Sequence[happening_pb2.Happening], now: object) -> Iterator[RenderableType]:
        """Yield turns, and what else happened, in order. `now`: what the seat sees after it."""
        for action, events in _grouped(happened):
            if action is None:
                yield from self._rest()
                yield from map(self._apart, events)
                continue
            step = self._step(
                action, [self._codec.decode_event(each.event) for each in events if _is_event(each)]
            )
            if step is None:
                yield from self._rest()
                yield self._in_notation(action)
                yield from map(self._apart, events)
                continue
            if self._steps and not self._drawing.continues(self._steps[-1], step):
                yield from self._rest()
            self._steps.append(step)
            forfeits = [each for each in events if not _is_event(each)]
            if forfeits:
                yield from self._rest()
                yield from map(self._apart, forfeits)
        if self._steps and self._secret:
            self._steps[-1] = replace(self._steps[-1], after=now)
        yield from self._rest()

    def _rest(self) -> Iterator[RenderableType]:
        steps, self._steps = self._steps, []
        if steps:
            yield from self._narrator.turn(steps)

    def _step(self, sent: happening_pb2.SeatAction, events: list[Event]) -> Step | None:
        """Return the action with what the seat saw before and after it; None if no position fits."""
        if self._secret:
            return self._step_unseen(sent, events)
        if not self._fits:
            return None
        for sample in range(_TRIES):
            state = self._position(sample)
            (action,) = self._codec.decode_action(sent.action, state)
            if state.seat_to_act == sent.seat and state.is_legal(action):
                state.apply(action)
                seen = [event.seen_by(self._seat) for event in state.take_events()]
                found = [event for event in seen if event is not None]
                view: object | None = state.observe(self._seat)
                if found != events:
                    view = self._drawing.redrawn(view, found, events)
                if view is not None:
                    step = Step(sent.seat, self._before, action, tuple(events), view)
                    self._before = view
                    return step
        self._fits = False
        return None

    def _step_unseen(self, sent: happening_pb2.SeatAction, events: list[Event]) -> Step:
        """Return the action with an older view, updated by what is known."""
        (action,) = self._codec.decode_action(sent.action, self._position(0))
        step = Step(sent.seat, self._before, action, tuple(events), self._before)
        for event in events:
            self._before = self._drawing.caught_up(self._before, event)
        return step

    def _position(self, sample: int) -> State:
        stream = Stream(sample.to_bytes(SEED_BYTES, "big"))
        state = self._codec.game.from_observation(self._before, stream)
        state.take_events()
        return state

    def _in_notation(self, sent: happening_pb2.SeatAction) -> Text:
        state = self._position(0)
        (action,) = self._codec.decode_action(sent.action, state)
        return self._name(sent.seat).append(f": {state.format_action(action)}")

    def _apart(self, each: happening_pb2.Happening) -> RenderableType:
        """Return what is told by itself: an event, or a forfeit."""
        if _is_event(each):
            return Paragraph(Text(self._codec.describe_event(self._codec.decode_event(each.event))))
        if each.forfeited.termination == ending_pb2.TERMINATION_RESIGNATION:
            return self._name(each.forfeited.seat).append(" resigns.", style="bold red3")
        how = ending_pb2.Termination.Name(each.forfeited.termination).removeprefix("TERMINATION_")
        return self._name(each.forfeited.seat).append(f" forfeits: {how}.", style="bold red3")

    def _name(self, seat: int) -> Text:
        name = self._names[seat] if seat < len(self._names) else f"seat {seat}"
        return Text.assemble((name, seat_style(seat)))


def _is_event(each: happening_pb2.Happening) -> bool:
    return each.WhichOneof("kind") == "event"


def _grouped(
    happened: Sequence[happening_pb2.Happening],
) -> Iterator[tuple[happening_pb2.SeatAction | None, list[happening_pb2.Happening]]]:
    """Yield each action with what followed; None and what came before the first."""
    action: happening_pb2.SeatAction | None = None
    followed: list[happening_pb2.Happening] = []
    for each in happened:
        if each.WhichOneof("kind") == "action":
            if action is not None or followed:
                yield action, followed
            action, followed = each.action, []
        else:
            followed.append(each)
    if action is not None or followed:
        yield action, followed
