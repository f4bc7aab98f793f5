"""Lines of the keys of a TOML file, for messages: the standard library's reader does not keep them."""

import re
from collections.abc import Iterator
from typing import Final

Path = tuple[str, ...]
"""The keys from the root of the file to a value; of an array the place, from "0"."""

_HEADER: Final = re.compile(r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
_WORD: Final = r"""(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')"""
_KEY: Final = re.compile(rf"\s*({_WORD}(?:\s*\.\s*{_WORD})*)\s*=")
_PART: Final = re.compile(_WORD)


class Positions:
    """Where keys are in the text of a TOML file that could be read."""

    def __init__(self, text: str) -> None:
        self._lines: dict[Path, int] = {}
        for path, number in _lines(text):
            for length in range(1, len(path) + 1):
                self._lines.setdefault(path[:length], number)

    def line(self, path: Path) -> int | None:
        """Return the number of the line, from 1, that has the key or, if it is within a line, what it is in."""
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path)


def _lines(text: str) -> Iterator[tuple[Path, int]]:
    """Yield each table and key with its line."""
    table: Path = ()
    counts: dict[Path, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.fullmatch(line):
            table = _newest(_parts(header[2]), counts)
            if header[1] == "[[":
                counts[table] = counts.get(table, 0) + 1
                table = (*table, str(counts[table] - 1))
            yield table, number
        elif key := _KEY.match(line):
            yield (*table, *_parts(key[1])), number


def _newest(names: Path, counts: dict[Path, int]) -> Path:
    """Return the path of a table: a part of it that is an array of tables means the newest of them."""
    path: Path = ()
    for place, name in enumerate(names, 1):
        path = (*path, name)
        if path in counts and place < len(names):
            path = (*path, str(counts[path] - 1))
    return path


def _parts(text: str) -> Path:
    return tuple(part.strip("\"'") for part in _PART.findall(text))
