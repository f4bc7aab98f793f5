"""The board of Wasteland on a terminal: a fixed picture, with the seats behind the ids of their spaces."""

from collections.abc import Iterator
from typing import Final

from rich.text import Text

from arena.drawings.colours import badge_style
from arena.drawings.wording import QUIET
from engine.wasteland.board import CITY, SPACE_IDS, SPACE_KINDS, WILD
from engine.wasteland.observation import Observation

_PICTURE: Final = """\
            d2---------- N ----------a1
           /    .        |        .    \\
         d1 . . X4 . .   i1  . . X1 . . a2
        /      .  .      |     .  .       \\
       W ------- i4 ---- X0 --- i2 ------- E
        \\      .  .      |     .  .       /
         c2 . . X3 . .   i3  . . X2 . . b1
           \\    .        |        .    /
            c1---------- S ----------b2"""
"""Roads are lines; a dot leads into a Wild."""

_MARGIN: Final = 48
"""Columns before the seats."""

_STYLES: Final = {CITY: "bold", WILD: "red3"}


def board(seen: Observation) -> Iterator[Text]:
    """Yield a legend, and the lines of the picture, each followed by the seats on its spaces."""
    yield Text(f"{'':{_MARGIN}}who stands where: space, seat", QUIET)
    for line in _PICTURE.splitlines():
        yield _line(seen, line)


def _line(seen: Observation, line: str) -> Text:
    text = Text(line, QUIET)
    here: list[int] = []
    for space, name in enumerate(SPACE_IDS):
        place = line.find(name)  # as a word of its own
        if place < 0 or line[place + len(name) : place + len(name) + 1].isalnum():
            continue
        there = [seat for seat, view in enumerate(seen.seats) if view.space == space]
        style = badge_style(there[0]) if there else _STYLES.get(SPACE_KINDS[space], "")
        text.stylize(f"not dim {style}".rstrip(), place, place + len(name))
        here += there
    if here:
        text.append(" " * (_MARGIN - len(line)))
        parts = [
            Text.assemble(f"{SPACE_IDS[seen.seats[seat].space]} ", (f" {seat} ", badge_style(seat)))
            for seat in here
        ]
        text.append_text(Text("  ").join(parts))
    return text
