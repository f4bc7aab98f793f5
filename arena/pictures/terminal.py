"""The picture of a game that has none of its own: its terminal drawing."""

from collections.abc import Sequence
from typing import Final

from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import DEFAULT_TERMINAL_THEME

from arena.drawings.drawing import Drawing
from arena.drawings.wording import SCREEN
from arena.pictures.picture import WIDTH, GamePicture, Moment, Part, Picture
from arena.pictures.svg import clean, element, rectangle

_MARGIN: Final = 10
_LETTER: Final = (WIDTH - 2 * _MARGIN) / SCREEN
"""Width of a letter."""
_SIZE: Final = 12.8
_LINE: Final = 17


class TerminalPicture(GamePicture):
    """The lines of a drawing, in letters of equal width."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing

    def draw(
        self,
        observation: object,
        names: Sequence[str] = (),
        moment: Moment | None = None,
        others: Sequence[object] = (),
    ) -> Picture:
        """Return the drawing of the observation, a part for each line."""
        text = self._drawing.draw(observation, names)
        console = Console(width=SCREEN, color_system="truecolor", force_terminal=True)
        lines = console.render_lines(text, pad=False)
        parts = tuple(
            Part(f"line-{number:02}", _MARGIN, _MARGIN + _LINE * (number + 1), _line(segments))
            for number, segments in enumerate(lines)
        )
        return Picture(2 * _MARGIN + _LINE * (len(lines) + 1), "", parts, text.plain)


def _line(segments: Sequence[Segment]) -> str:
    boxes, letters, column = "", "", 0
    for segment in segments:
        style = segment.style or Style()
        x, width = column * _LETTER, segment.cell_length * _LETTER
        if style.bgcolor is not None:
            boxes += element(
                "rect", x=x, y=4 - _LINE, width=width, height=_LINE, fill=_colour(style, "bgcolor")
            )
        if segment.text.strip():
            letters += element(
                "text",
                clean(segment.text),
                x=x,
                y=0,
                textLength=width,
                font_size=_SIZE,
                class_="terminal quiet" if style.dim else "terminal ink",
                style=_css(style),
            )
        column += segment.cell_length
    return boxes + letters or rectangle(0, 0, 0, 0, "paper")


def _css(style: Style) -> str | None:
    rules = ["font-weight: 700"] if style.bold else []
    if style.color is not None and not style.color.is_default:
        rules.append(f"fill: {_colour(style, 'color')}")
    return "; ".join(rules) or None


def _colour(style: Style, which: str) -> str:
    colour = style.bgcolor if which == "bgcolor" else style.color
    assert colour is not None
    return colour.downgrade(ColorSystem.TRUECOLOR).get_truecolor(DEFAULT_TERMINAL_THEME).hex
