"""Where a person clicks on a picture to choose an action: what the action marks, in the order of its way."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from arena.drawings.drawing import Step
from arena.pictures.picture import Layer, Part, picture_for

_GHOST: Final = 36.0
"""Width of the frame around a piece."""
_RING: Final = re.compile(r"<(rect|circle)([^>]*) class=\"ring\"")
_NUMBER: Final = re.compile(r"(\w+)=\"(-?[\d.]+)\"")
_OF_A_SEAT: Final = ("actor",)
"""Marks that say who acts, not where."""


class Spot(NamedTuple):
    """A place of a picture with its frame, in user units. Its centre tells it from others."""

    x: float
    """Of the centre."""
    y: float
    width: float
    height: float
    corner: float
    """Radius of the corners of the frame."""


def spots_of(game: str, step: Step, names: Sequence[str]) -> list[Spot]:
    """Return where an action begins and where it leads, as far as its picture marks it; empty if it marks no place.

    What chance brings after it, such as cards that are turned up, is no part of it.
    """
    picture = picture_for(game)
    moment = picture.moments(step)[0]
    parts = picture.draw(moment.after, names, moment).parts
    found: dict[tuple[float, float], Spot] = {}
    for spot in (*_ghosts(parts), *_rings(parts)):
        found.setdefault((spot.x, spot.y), spot)
    return list(found.values())


def _ghosts(parts: Sequence[Part]) -> Iterator[Spot]:
    """Yield where pieces were before."""
    for part in parts:
        if part.layer is Layer.TRACES and part.id.startswith("ghost"):
            yield Spot(round(part.x), round(part.y), _GHOST, _GHOST, _GHOST / 2)


def _rings(parts: Sequence[Part]) -> Iterator[Spot]:
    """Yield what is ringed."""
    for part in parts:
        ring = _RING.search(part.body) if part.layer is Layer.MARKS else None
        if ring is None or part.id.startswith(_OF_A_SEAT):
            continue
        of = {key: float(value) for key, value in _NUMBER.findall(ring[2])}
        if ring[1] == "circle":
            x, y, width, height = of["cx"], of["cy"], 2 * of["r"], 2 * of["r"]
        else:
            x, y = of["x"] + of["width"] / 2, of["y"] + of["height"] / 2
            width, height = of["width"], of["height"]
        yield Spot(round(part.x + x), round(part.y + y), width, height, of.get("rx", width / 2))
