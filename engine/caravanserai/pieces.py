"""The colours of goods, and the pieces of which caravans are made."""

from enum import IntEnum
from typing import Final


class Colour(IntEnum):
    """A colour of goods and inns, numbered in the order of S2."""

    WHITE = 0
    BLACK = 1
    PURPLE = 2
    RED = 3
    YELLOW = 4

    __hash__ = int.__hash__  # that of Enum is written in Python, and views are keys of caches


class Piece(IntEnum):
    """A piece of a caravan: a good, whose number is that of its colour, or a camel."""

    WHITE = 0
    BLACK = 1
    PURPLE = 2
    RED = 3
    YELLOW = 4
    LYING = 5
    """A lying camel (S24)."""
    CAMEL = 6
    """A standing camel."""

    __hash__ = int.__hash__


COLOURS: Final = tuple(Colour)
"""All colours by number."""

COLOUR_COUNT: Final = 5
"""Written out, as are LYING and CAMEL: compiled code takes a literal as it is, and looks anything else up each time."""

COLOUR_NUMBERS: Final = tuple(range(COLOUR_COUNT))
"""Plain ints: what runs often is quicker with them."""

PIECES: Final = tuple(Piece)
"""All pieces by number."""

PIECE_LETTERS: Final = "WKPRYlc"
"""By number of the piece; the first five are those of the colours (S2, S48)."""

COLOUR_LETTERS: Final = PIECE_LETTERS[:COLOUR_COUNT]

LYING: Final = 5
CAMEL: Final = 6

NO_COLOUR: Final = -1
"""In the engine's lists of colours: none."""

CAMELS: Final = 8
"""Of each seat (S13)."""

OWN_GOODS: Final = 3
"""Of each colour and seat at the start (S13)."""

SHARED_GOODS: Final = 6
"""Of each colour (S13)."""

SHARED_GOODS_EXPERT: Final = 7
"""Of each colour, with the option `expert` (S13)."""
