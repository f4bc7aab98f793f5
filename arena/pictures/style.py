"""The colours and letters of all pictures: one style sheet for light and dark.

Colours tell nothing alone: a seat has its number, a kind its label, a change its sign. Rules have plain values and no
CSS variables, since many programs that show SVG files do not know these.
"""

from functools import cache
from typing import Final, Literal

Theme = Literal["auto", "light", "dark"]
"""`auto`: as the reader's system prefers."""

_INK: Final = ("#2a2333", "#f2ead9")
_DARK_LETTERS: Final = ("#2a2333", "#1b1a22")
_WHITE: Final = ("#ffffff", "#ffffff")

_FILLS: Final[dict[str, tuple[str, str]]] = {
    "paper": ("#faf4e6", "#1b1a22"),
    "field": ("#f3e6cb", "#292733"),
    "place": ("#e5cf9f", "#3b3648"),
    "ink": _INK,
    "quiet": ("#675c70", "#aba3b8"),
    "loud": ("#a3211a", "#ff9a90"),
    "plus": ("#1b6e3c", "#7fd8a0"),
    "on-plus": ("#ffffff", "#1b1a22"),
    "minus": ("#a3211a", "#ff9a90"),
    "on-minus": ("#ffffff", "#1b1a22"),
    "mark": ("#3d3aa8", "#a7a4ff"),
    "on-mark": ("#ffffff", "#1b1a22"),
}
"""Fills by class, light and dark."""

_SEATS: Final = (
    ("#2458c5", _WHITE),
    ("#c03f17", _WHITE),
    ("#0b7560", _WHITE),
    ("#9c3787", _WHITE),
    ("#e0a100", _DARK_LETTERS),
    ("#5bbbe0", _DARK_LETTERS),
)
"""Fill of each seat's pieces, and of the letters on them."""

SEATS: Final = len(_SEATS)
"""How many seats have a colour."""

_KINDS: Final = (
    ("#b0443a", _WHITE),
    ("#4f7099", _WHITE),
    ("#efeae0", _DARK_LETTERS),
    ("#85572a", _WHITE),
    ("#f5d77f", _DARK_LETTERS),
    ("#8a489b", _WHITE),
    ("#147a6a", _WHITE),
    ("#4a4552", _WHITE),
)
"""Fill of each kind of counter, and of the letters on it."""

KINDS: Final = len(_KINDS)
"""How many kinds of counters have a colour."""

_SHAPES: Final = """\
text { font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; unicode-bidi: isolate; white-space: pre }
.terminal { font-family: ui-monospace, "DejaVu Sans Mono", monospace }
.bold { font-weight: 700 }
.edge { stroke-width: 1.5 }
.line { stroke-width: 1.5; fill: none }
.arrow { stroke-width: 5; stroke-linecap: round; opacity: .85 }
.arrow.open, .ring { fill: none; stroke-width: 4 }
.arrow.head { stroke-width: 0 }
.ghost { opacity: .35 }
.sea { stroke-dasharray: 3 5 }
.guarded { stroke-width: 4; stroke-dasharray: 5 3 }
"""


@cache
def style_sheet(theme: Theme = "auto") -> str:
    """Return the style sheet of pictures, whose root has the class "picture".

    With `auto` a page may choose for its reader: `data-theme="light"` or `"dark"` on its root element.
    """
    shapes = "".join(f".picture {_scoped(line)}\n" for line in _SHAPES.splitlines())
    light, dark = _colours(0), _colours(1)
    if theme != "auto":
        return shapes + _written(".picture", dark if theme == "dark" else light)
    return (
        shapes
        + _written(".picture", light)
        + "@media (prefers-color-scheme: dark) {\n"
        + _written(':root:not([data-theme="light"]) .picture, .picture:root', dark)
        + "}\n"
        + _written('[data-theme="dark"] .picture', dark)
    )


def _scoped(rule: str) -> str:
    return rule.replace(", .", ", .picture .")


def _colours(theme: int) -> dict[str, str]:
    rules = {f".{name}": f"fill: {colours[theme]}" for name, colours in _FILLS.items()}
    for what, table in (("seat", _SEATS), ("kind", _KINDS)):
        for index, (fill, letters) in enumerate(table):
            rules[f".{what}-{index}"] = f"fill: {fill}"
            rules[f".on-{what}-{index}"] = f"fill: {letters[theme]}"
            if what == "seat":
                rules[f".curve.seat-{index}"] = f"fill: none; stroke: {fill}"
    mark, line = _FILLS["mark"][theme], ("#c9b083", "#575166")[theme]
    rules[".edge"] = f"stroke: {_INK[theme]}"
    rules[".line"] = f"stroke: {line}"
    rules[".arrow"] = f"stroke: {mark}; fill: {mark}"
    rules[".arrow.open, .ring"] = f"stroke: {mark}; fill: none"
    rules[".guarded"] = f"stroke: {_FILLS['loud'][theme]}"
    return rules


def _written(scope: str, rules: dict[str, str]) -> str:
    return "".join(
        ", ".join(f"{each} {selector}" for each in scope.split(", ") for selector in names.split(", "))
        + f" {{ {body} }}\n"
        for names, body in rules.items()
    )
