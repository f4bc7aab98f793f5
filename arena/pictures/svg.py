"""SVG markup: elements, escaped text, and the shapes that all games draw with."""

import math
import re
from typing import Final
from xml.sax.saxutils import escape, quoteattr

SMALLEST: Final = 16
"""Size of the smallest text, in user units: 8 pixels where a picture is 320 pixels wide."""

_LETTER_WIDTH: Final = 0.6
"""Mean width of a letter, as a share of its size."""
_SLACK: Final = 1.03
"""By how much a line may be longer than its room before it is made narrower."""
_NARROW: Final = frozenset(" .,:;'!|()[]/Iijlfrt")
_WIDE: Final = frozenset("mwMW%@")

_UNPRINTABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What XML does not allow, escaped or not."""

_ARROW_HEAD: Final = 14

MINUS: Final = "\N{MINUS SIGN}"
"""What negative numbers begin with: as wide as a plus."""


def clean(content: str) -> str:
    """Return text as markup: characters with a meaning are escaped, those that XML does not allow become U+FFFD."""
    return escape(_UNPRINTABLE.sub("\ufffd", content))


def number(value: float) -> str:
    """Return a coordinate with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")


def element(name: str, *content: str, **attributes: str | float | None) -> str:
    """Return an element around markup. `class_` is the attribute class, and `stroke_width` is stroke-width.

    An attribute that is None is left out.
    """
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}={_value(value)}"
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{''.join(content)}</{name}>" if content else f"<{name}{written}/>"


def _value(value: str | float) -> str:
    return quoteattr(_UNPRINTABLE.sub("\ufffd", value)) if isinstance(value, str) else f'"{number(value)}"'


def tooltip(content: str) -> str:
    """Return what a mouse over the element around it shows, and a screen reader reads."""
    return element("title", clean(content))


def text(  # noqa: PLR0913 - what it says where, and how
    x: float,
    y: float,
    content: str,
    size: int = 20,
    *,
    style: str = "ink",
    anchor: str | None = None,
    width: float | None = None,
    within: float | None = None,
) -> str:
    """Return one line of text; `y` is its baseline.

    `style`: classes of `arena.pictures.style`. `anchor`: "middle" or "end" of the line at `x`. `width`: longer text is
    cut off and ends with "…". `within`: the letters of longer text are made narrower.
    """
    if width is not None:
        content = shortened(content, int(width / (size * _LETTER_WIDTH)))
    tight = within is not None and _estimated_width(content, size, bold="bold" in style) > _SLACK * within
    return element(
        "text",
        clean(content),
        x=x,
        y=y,
        font_size=size,
        class_=style,
        text_anchor=anchor,
        textLength=within if tight else None,
        lengthAdjust="spacingAndGlyphs" if tight else None,
    )


def _estimated_width(content: str, size: float, *, bold: bool) -> float:
    """Return how wide a line is about in DejaVu Sans, which is wider than the other fonts of `arena.pictures.style`."""
    widths = (
        0.35 if each in _NARROW else 0.95 if each in _WIDE else 0.7 if each.isupper() else _LETTER_WIDTH
        for each in content
    )
    return size * sum(widths) * (1.15 if bold else 1)


def shortened(content: str, length: int) -> str:
    """Return the text with at most so many characters; a longer one ends with "…"."""
    return content if len(content) <= length else content[: max(0, length - 1)] + "…"


def rectangle(x: float, y: float, width: float, height: float, style: str, radius: float = 0) -> str:
    """Return a rectangle with its corners rounded by `radius`."""
    return element("rect", x=x, y=y, width=width, height=height, rx=radius or None, class_=style)


def circle(x: float, y: float, radius: float, style: str) -> str:
    """Return a circle."""
    return element("circle", cx=x, cy=y, r=radius, class_=style)


def badge(seat: int, radius: float = 15) -> str:
    """Return the piece of a seat around the origin: a disc in its colour with its number."""
    size = max(SMALLEST, round(radius * 1.25))
    return circle(0, 0, radius, f"seat-{seat} edge") + text(
        0, size * 0.36, str(seat), size, style=f"on-seat-{seat} bold", anchor="middle"
    )


def token(kind: int, label: str, width: float, height: float = 26, style: str = "edge") -> str:
    """Return a counter of one kind around the origin: a rounded box in the colour of the kind, with its label."""
    letters = f"on-kind-{kind} bold" if len(label) < 3 else f"on-kind-{kind}"
    return rectangle(-width / 2, -height / 2, width, height, f"kind-{kind} {style}", 6) + text(
        0, 6, label, 17, style=letters, anchor="middle", within=width - 8
    )


def arrow(start: tuple[float, float], end: tuple[float, float], style: str = "arrow") -> str:
    """Return an arrow between two points that leaves both free for what lies there."""
    length = math.dist(start, end)
    if length < 2 * _ARROW_HEAD:
        return circle(*end, 2 * _ARROW_HEAD, f"{style} open")
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    tip = (end[0] - along[0] * _ARROW_HEAD, end[1] - along[1] * _ARROW_HEAD)
    neck = (tip[0] - along[0] * _ARROW_HEAD, tip[1] - along[1] * _ARROW_HEAD)
    half = _ARROW_HEAD / 2
    left = (neck[0] - along[1] * half, neck[1] + along[0] * half)
    right = (neck[0] + along[1] * half, neck[1] - along[0] * half)
    line = element("line", x1=start[0], y1=start[1], x2=neck[0], y2=neck[1], class_=style)
    points = " ".join(f"{number(x)},{number(y)}" for x, y in (tip, left, right))
    return line + element("polygon", points=points, class_=f"{style} head")


def change(amount: int) -> str:
    """Return the mark of a number that has changed, around the origin, for example "+3"."""
    style, label = ("plus", f"+{amount}") if amount > 0 else ("minus", f"{MINUS}{-amount}")
    width = 14 + 11 * len(label)
    return rectangle(-width / 2, -13, width, 26, style, 13) + text(
        0, 6, label, 18, style=f"on-{style} bold", anchor="middle"
    )
