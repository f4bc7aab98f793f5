"""The map of Wasteland: Cities, Towns, Wilds and the roads between them, with the seats on their spaces."""

import math
from collections.abc import Iterator
from functools import cache
from typing import Final

from arena.pictures.picture import WIDTH, Layer, Part
from arena.pictures.svg import badge, element, rectangle, text, tooltip
from engine.wasteland.board import CITY, LINKED, NOWHERE, OFFERS, SPACE_IDS, SPACE_KINDS, SPACE_NAMES, WILD
from engine.wasteland.observation import Observation
from engine.wasteland.resources import NAMES

TOP: Final = 84
BOTTOM: Final = 480
"""Lower edge of the map."""

BOX_WIDTH: Final = 104
BOX_HEIGHT: Final = 42

SHORT: Final = ("fuel", "mun", "rat", "med")
"""By resource: its name where there is little room."""

_MIDDLE: Final = (WIDTH / 2, 270.0)
_RADIUS: Final = (262.0, 158.0)
_PIECE: Final = 12
"""Radius of a seat's piece."""
_RING: Final = ("N", "a1", "a2", "E", "b1", "b2", "S", "c1", "c2", "W", "d1", "d2")
"""The outer road, clockwise; 30 degrees from one to the next."""
_WITHIN: Final[dict[str, tuple[float, float]]] = {
    "i1": (0, -0.5),
    "i2": (0.5, 0),
    "i3": (0, 0.5),
    "i4": (-0.5, 0),
    "X0": (0, 0),
    "X1": (0.46, -0.46),
    "X2": (0.46, 0.46),
    "X3": (-0.46, 0.46),
    "X4": (-0.46, -0.46),
}
"""The spaces within it: places as shares of the radius."""
_STYLES: Final = {CITY: "place edge", WILD: "paper guarded"}


@cache
def space_at(space: int) -> tuple[float, float]:
    """Return the centre of a space."""
    name = SPACE_IDS[space]
    if name in _RING:
        turn = math.radians(30 * _RING.index(name))
        x, y = math.sin(turn), -math.cos(turn)
    else:
        x, y = _WITHIN[name]
    return _MIDDLE[0] + _RADIUS[0] * x, _MIDDLE[1] + _RADIUS[1] * y


@cache
def board() -> str:
    """Return roads and spaces, which are the same in every match."""
    roads = []
    for space, others in enumerate(LINKED):
        for other in others:
            if space < other:
                (x1, y1), (x2, y2) = space_at(space), space_at(other)
                wild = WILD in (SPACE_KINDS[space], SPACE_KINDS[other])
                style = "line sea" if wild else "line"
                roads.append(element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=style))
    return "".join(roads) + "".join(map(_space, range(len(SPACE_IDS))))


def _space(space: int) -> str:
    name, kind = SPACE_NAMES[space], SPACE_KINDS[space]
    offered = " and ".join(NAMES[each] for each in OFFERS[space])
    what = f"{SPACE_IDS[space]}: {name}" + (f", offers {offered}" if offered else "")
    lines = [name] if kind == CITY else name.split(" ", 1)
    style = "ink bold" if kind == CITY else "loud bold" if kind == WILD else "ink"
    drawn = [
        rectangle(-BOX_WIDTH / 2, -BOX_HEIGHT / 2, BOX_WIDTH, BOX_HEIGHT, _STYLES.get(kind, "field edge"), 8)
    ]
    if kind == CITY:
        lines.append(" ".join(SHORT[each] for each in OFFERS[space]))
    for number, line in enumerate(lines):
        baseline = 6 if len(lines) == 1 else -3 + 18 * number
        shade = "quiet" if kind == CITY and number else style
        drawn.append(text(0, baseline, line, 16, style=shade, anchor="middle", within=BOX_WIDTH - 18))
    x, y = space_at(space)
    return element("g", tooltip(what), *drawn, transform=f"translate({x:.1f} {y:.1f})")


def piece_at(seen: Observation, seat: int) -> tuple[float, float]:
    """Return where a seat's piece lies: on the lower edge of its space, in the order of seats."""
    space = seen.seats[seat].space
    here = [each for each, view in enumerate(seen.seats) if view.space == space]
    shift = (2 * _PIECE + 1) * (here.index(seat) - (len(here) - 1) / 2)
    x, y = space_at(space)
    return x + shift, y + BOX_HEIGHT / 2 + 8


def pieces(seen: Observation) -> Iterator[Part]:
    """Yield the seats on the map, closed roads, and the Wilds that require cards in this turn."""
    for seat, view in enumerate(seen.seats):
        if view.space != NOWHERE:
            yield Part(f"piece-{seat}", *piece_at(seen, seat), badge(seat, _PIECE))
    if seen.turn is None:
        return
    signs = dict.fromkeys(seen.turn.road_blocks, ("closed", "closed by a Road Block"))
    for space in {space for space, _ in seen.turn.wilds}:
        cards = sum(number for each, number in seen.turn.wilds if each == space)
        signs[space] = (f"+{cards}", f"requires {cards} Attack cards")
    for space, (label, title) in signs.items():
        x, y = space_at(space)
        sign = element("g", tooltip(title), _sign(label))
        yield Part(f"sign-{SPACE_IDS[space]}", x + BOX_WIDTH / 2 - 14, y - BOX_HEIGHT / 2, sign, Layer.MARKS)


def _sign(label: str) -> str:
    width = 14 + 9 * len(label)
    return rectangle(-width / 2, -11, width, 22, "minus", 11) + text(
        0, 6, label, 16, style="on-minus bold", anchor="middle"
    )
