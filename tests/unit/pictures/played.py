"""Positions of all games to draw, and pictures as golden files."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree as ET

from arena.drawings.drawing import Step
from arena.pictures.picture import Moment, Picture, picture_for
from engine.game import SPECTATOR, TERMINAL, Game
from engine.randomness import Stream

NAMES = ("ant", "bee", "cat", "dog", "elk", "fox")
_GOLDEN = Path(__file__).parents[2] / "data" / "pictures"
_TEXT = "{http://www.w3.org/2000/svg}text"


@dataclass(frozen=True)
class Frame:
    """What one viewer sees of a step."""

    viewer: int
    step: Step
    moments: tuple[Moment, ...]
    others: tuple[object, ...]
    """What all seats see after it."""


def play(
    game: Game,
    seats: int,
    *,
    seed: str = "",
    every: int = 1,
    options: Mapping[str, str] | None = None,
    whole: bool = False,
) -> Iterator[list[Frame]]:
    """Yield the frames of all viewers, the spectator first, of every so manieth ply of a match of playouts.

    `whole`: all viewers get the events with what is hidden in them, as in a replay with all hands.
    """
    state = game.new_match(seats, game.options(seats, options or {}), sha256(seed.encode()).digest())
    stream, viewers, number = Stream(sha256(b"choices").digest()), (SPECTATOR, *range(seats)), 0
    state.take_events()
    while state.seat_to_act != TERMINAL:
        seat, action = state.seat_to_act, state.playout_action(stream)
        wanted = number % every == 0
        before = [state.observe(viewer) for viewer in viewers] if wanted else []
        state.apply(action)
        events, number = state.take_events(), number + 1
        if not wanted:
            continue
        after = [state.observe(viewer) for viewer in viewers]
        frames = []
        for viewer, old, new in zip(viewers, before, after, strict=True):
            shown = [each if whole else each.seen_by(viewer) for each in events]
            seen = tuple(event for event in shown if event is not None)
            step = Step(seat, old, action, seen, new)
            frames.append(
                Frame(viewer, step, tuple(picture_for(game.spec.id).moments(step)), tuple(after[1:]))
            )
        yield frames


def ids(picture: Picture) -> set[str]:
    """Return the ids of its parts, each of which it has once."""
    found = [part.id for part in picture.parts]
    assert len(found) == len(set(found))
    return set(found)


def letters(picture: Picture) -> dict[str, str]:
    """Return the text of each part by its id."""
    root = ET.fromstring(picture.svg())
    return {
        group.get("id", ""): " ".join("".join(text.itertext()) for text in group.iter(_TEXT))
        for group in root
        if group.get("id")
    }


def check_picture(name: str, picture: Picture, folder: Path = _GOLDEN) -> None:
    """Compare a picture with the golden file `name`, which a browser shows: `make golden` rewrites it."""
    text = picture.svg().replace("><", ">\n<") + "\n"
    file = folder / f"{name}.svg"
    if os.environ.get("UPDATE_GOLDENS"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    assert text == (file.read_text() if file.exists() else ""), "`make golden` rewrites it"
