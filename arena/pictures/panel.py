"""What all pictures have above and below the board: whose turn it is, and a row of numbers for each seat."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from arena.pictures.picture import WIDTH, Layer, Part, Picture
from arena.pictures.svg import MINUS, badge, change, element, rectangle, shortened, text

ROW_TITLE: Final = 24
"""Height of the titles above the rows."""

_EDGE: Final = 12
_TITLE: Final = 17
"""Width of a letter of the turn."""
_TASK: Final = 32
"""Characters of a name and a task; of a longer name more is left out."""
_NAME: Final = 56
"""Left edge of a name."""
_CHANGE: Final = 26
"""From the right edge to the middle of a change, which keeps it within its row."""
_LINE: Final = 30
"""From the top of a row to its first baseline."""


def turn_line(turn: int | str, seat: int, names: Sequence[str], task: str, *, over: bool = False) -> Part:
    """Return the line at the top: the turn, the seat that acts, and what it is asked.

    `turn`: its number, or, where a game counts otherwise, for example "Round 3".
    """
    said = turn if isinstance(turn, str) else f"Turn {turn}"
    title, x = text(0, 0, said, 24, style="ink bold"), max(130, _TITLE * len(said) + 4)
    if over:
        return Part("turn", _EDGE, 34, title + text(x, 0, task, 22, style="loud bold", width=WIDTH - x - 20))
    who = shortened(names[seat] if seat < len(names) else f"seat {seat}", max(8, _TASK - len(task)))
    piece = element("g", badge(seat, 14), transform=f"translate({x + 16} -8)")
    line = text(x + 38, 0, f"{who}: {task}", 22, width=WIDTH - x - 60)
    return Part("turn", _EDGE, 34, title + piece + line)


def unsent(
    picture: Picture, before: Picture, seat: int, names: Sequence[str], *, sent: bool = False
) -> Picture:
    """Return the picture after an action that is planned and not played yet: it is still the turn of its seat.

    `before`: the picture before the action, whose row of the seat is emphasised. `sent`: whether the arena has it.
    """
    said = ("Sent", "the arena has it") if sent else ("Planned", "not sent yet")
    line = turn_line(said[0], seat, names, said[1])
    rows = {part.id: part for part in before.parts if part.id.startswith("row-")}
    return replace(
        picture,
        parts=tuple(line if part.id == line.id else rows.get(part.id, part) for part in picture.parts),
    )


def seat_rows(
    columns: Mapping[str, Sequence[int]],
    before: Mapping[str, Sequence[int]],
    names: Sequence[str],
    *,
    top: float,
    height: float,
    acts: int | None,
) -> Iterator[Part]:
    """Yield a row for each seat: its piece, its name, and one number in each column.

    `columns`: by title the numbers by seat, the first one the score. `before`: the same before what is marked; a
    number that has changed gets a mark. `height`: of a row, whose rest below the numbers is free. `acts`: the seat
    whose row is emphasised.
    """
    wide = (WIDTH - 300 - _EDGE) / len(columns)
    ends = {title: 300 + wide * (index + 0.62) for index, title in enumerate(columns)}
    titles = "".join(text(end, 0, title, 16, style="quiet", anchor="end") for title, end in ends.items())
    yield Part("titles", 0, top + 16, titles)
    for seat in range(len(next(iter(columns.values())))):
        y = top + ROW_TITLE + height * seat
        style = "place line" if seat == acts else "field line"
        yield Part(f"row-{seat}", 0, y, rectangle(4, 0, WIDTH - 8, height - 4, style, 8), Layer.TRACES)
        yield Part(f"seat-{seat}", 32, y + _LINE - 8, badge(seat, 16))
        name = names[seat] if seat < len(names) else f"seat {seat}"
        yield Part(f"name-{seat}", _NAME, y + _LINE, text(0, 0, name, 20, style="ink bold", width=225))
        for title, end in ends.items():
            value, old = columns[title][seat], before[title][seat]
            size = 26 if title == next(iter(columns)) else 20
            shown = text(0, 0, str(value).replace("-", MINUS), size, style="ink bold", anchor="end")
            yield Part(f"{title}-{seat}", end, y + _LINE, shown)
            if value != old:
                yield Part(
                    f"{title}-{seat}-change",
                    min(end + 28, WIDTH - _CHANGE),
                    y + _LINE - 8,
                    change(value - old),
                    Layer.MARKS,
                )
