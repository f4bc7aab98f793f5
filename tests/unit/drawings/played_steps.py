"""What a drawing puts into words, its words, and whole drawings as golden files."""

import os
from collections.abc import Mapping, Sequence

from arena.drawings.drawing import Drawing, Step
from engine.game import SPECTATOR, State
from tests.unit.cli.screens import SCREENS


def play_step(state: State, action: int) -> Step:
    """Play an action and return it as spectators see it."""
    before, seat = state.observe(SPECTATOR), state.seat_to_act
    state.apply(action)
    return Step(seat, before, action, tuple(state.take_events()), state.observe(SPECTATOR))


def steps(state: State, *actions: str) -> list[Step]:
    """Play actions, in the notation of the rules, on a copy of the state."""
    state = state.clone()
    return [play_step(state, state.parse_action(action)) for action in actions]


def news(drawing: Drawing, played: Sequence[Step], names: Sequence[str]) -> list[str]:
    """Return the sentences about the consequences of steps."""
    return [text.plain for text in drawing.describe_events(played, names)]


def words(drawing: Drawing, played: Sequence[Step], names: Sequence[str]) -> str:
    """Return the sentence of a turn and, below it, those about its consequences."""
    return "\n".join([drawing.describe(played, names).plain, *news(drawing, played, names)])


def check_drawings(name: str, drawings: Mapping[str, Sequence[str]]) -> None:
    """Compare the lines of drawings with the golden file `name`, to the space: `make golden` rewrites it."""
    text = "\n".join("\n".join([f"$ {title}", *lines, ""]) for title, lines in drawings.items())
    file = SCREENS / "drawings" / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDENS"):
        file.write_text(text)
    assert text == (file.read_text() if file.exists() else ""), "`make golden` rewrites it"
