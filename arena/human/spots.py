"""Where a person clicks on a picture to choose an action: what the action marks, in the order of its way."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from arena.drawings.drawing import Step
from arena.pictures.picture import Layer, Moment, Part, picture_for

Spot = tuple[float, float]
"""A point of a picture, in its user units."""

_RING: Final = re.compile(r"<(rect|circle)([^>]*) class=\"ring\"")
_NUMBER: Final = re.compile(r"(\w+)=\"(-?[\d.]+)\"")
_OF_A_SEAT: Final = ("actor",)
"""Marks that say who acts, not where."""


def spots_of(game: str, step: Step, names: Sequence[str]) -> list[Spot]:
    """Return where an action begins and where it leads, as far as its picture marks it; empty if it marks no place."""
    moment = Moment(step, step.after, events=step.events)
    parts = picture_for(game).draw(step.after, names, moment).parts
    found = [*_ghosts(parts), *_rings(parts)]
    return list(dict.fromkeys(found))


def _ghosts(parts: Sequence[Part]) -> Iterator[Spot]:
    """Yield where pieces were before."""
    for part in parts:
        if part.layer is Layer.TRACES and part.id.startswith("ghost"):
            yield round(part.x), round(part.y)


def _rings(parts: Sequence[Part]) -> Iterator[Spot]:
    """Yield the centres of what is ringed."""
    for part in parts:
        ring = _RING.search(part.body) if part.layer is Layer.MARKS else None
        if ring is None or part.id.startswith(_OF_A_SEAT):
            continue
        of = {key: float(value) for key, value in _NUMBER.findall(ring[2])}
        if ring[1] == "circle":
            yield round(part.x + of["cx"]), round(part.y + of["cy"])
        else:
            yield round(part.x + of["x"] + of["width"] / 2), round(part.y + of["y"] + of["height"] / 2)
