"""The board of a match: read from a data file, so that no rule knows a coordinate."""

import os
import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from engine.caravan.goods import GOODS
from engine.game import InvalidOptionsError

GOODS_SPACES: Final = 8
"""Every board has so many goods spaces (C4)."""

MAX_SQUARES: Final = 256
"""An action has eight bits for a square."""

BOARDS_VARIABLE: Final = "CARAVAN_BOARDS"
"""The environment variable that names a folder with further boards."""

_PACKAGED: Final = Path(__file__).parent / "boards"
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
_NOTHING: Final = "."


class Board(NamedTuple):
    """A rectangle of squares; square = row * columns + column, from 0 in the north-west corner."""

    name: str
    rows: int
    columns: int
    goods_spaces: tuple[int, ...]
    """The squares of the goods spaces 1 to 8."""
    cities: tuple[int, ...]
    """The square of each good's city, by kind of good."""


@lru_cache(maxsize=32)
def load_board(name: str) -> Board:
    """Return the packaged board of that name, or else NAME.toml of the folder in CARAVAN_BOARDS.

    A file is read once in a process: all matches of a process are played on the same squares.

    Raises InvalidOptionsError: there is no such board, or its file is not a board.
    """
    path = _find(name)
    if path is None:
        raise InvalidOptionsError(
            f'There is no board "{name}": use "classic", or put {name}.toml into the folder that the '
            f"environment variable {BOARDS_VARIABLE} names."
            if _NAME.fullmatch(name)
            else f'"{name}" cannot name a board: use 1 to 32 of the characters a-z, 0-9, "-" and "_".',
            "board",
        )
    return parse_board(name, path.read_bytes())


def _find(name: str) -> Path | None:
    if not _NAME.fullmatch(name):  # also keeps "../secrets" out
        return None
    folders = [_PACKAGED]
    if os.environ.get(BOARDS_VARIABLE):
        folders.append(Path(os.environ[BOARDS_VARIABLE]))
    paths = (folder / f"{name}.toml" for folder in folders)
    return next((path for path in paths if path.is_file()), None)


def parse_board(name: str, content: bytes) -> Board:
    """Parse a TOML file with a `map`, which is checked against C15's rules for boards.

    Raises InvalidOptionsError: it is not a board; the message names the first thing that is wrong.
    """
    try:
        text = tomllib.loads(content.decode()).get("map")
    except ValueError as error:
        raise InvalidOptionsError(f'The file of the board "{name}" is not TOML: {error}.') from error
    if not isinstance(text, str):
        raise InvalidOptionsError(f'The file of the board "{name}" has no text called "map".')
    return _board(name, [line.split() for line in text.splitlines() if line.strip()])


def _board(name: str, rows: list[list[str]]) -> Board:
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise InvalidOptionsError(f'The map of the board "{name}" is not a rectangle of words.')
    words = [word for row in rows for word in row]
    if len(words) > MAX_SQUARES:
        raise InvalidOptionsError(
            f'The board "{name}" has {len(words)} squares: at most {MAX_SQUARES} are possible.'
        )
    spaces = [str(number) for number in range(1, GOODS_SPACES + 1)]
    cities = [good.name.lower() for good in GOODS]
    _check_words(name, words, (*spaces, *cities))
    return Board(
        name,
        rows=len(rows),
        columns=len(rows[0]),
        goods_spaces=tuple(words.index(word) for word in spaces),
        cities=tuple(words.index(word) for word in cities),
    )


def _check_words(name: str, words: list[str], places: tuple[str, ...]) -> None:
    for place in places:
        if words.count(place) != 1:
            raise InvalidOptionsError(
                f'The board "{name}" has {words.count(place)} squares "{place}": exactly one is needed.'
            )
    for word in words:
        if word != _NOTHING and word not in places:
            raise InvalidOptionsError(
                f'The board "{name}" has a square "{word}": use 1 to 8, a kind of good, or a dot.'
            )
