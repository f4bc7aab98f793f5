"""`.arenaignore`: what of an author's folder is not packed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from arena.core.errors import ErrorReason, InvalidArgumentError
from arena.submissions.errors import shown

NAME: Final = ".arenaignore"
"""The file with the patterns, at the top of the folder."""

ALWAYS: Final = (".git/", ".hg/", ".svn/", "__pycache__/", ".venv/", ".DS_Store", f"/{NAME}")
"""What is never packed: it is no part of any bot."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    path: re.Pattern[str]
    folders_only: bool

    def matches(self, path: str, *, is_folder: bool) -> bool:
        return (is_folder or not self.folders_only) and self.path.fullmatch(path) is not None


class IgnoreFile:
    """The patterns of an .arenaignore, and those that always hold."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        """A line is a pattern; empty lines and those with # at the start are none.

        `*` and `?` stand for what is within one name, `**/` for any folders. A pattern with a slash at its end is of
        folders alone. One with a slash elsewhere is of the path from the top, any other of a name wherever it is.

        Raises:
            InvalidArgumentError: a line begins with !, which is no pattern here (FIELD_INVALID).
        """
        self._patterns = [_pattern(line) for line in ALWAYS]
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if text.startswith("!"):
                raise InvalidArgumentError(
                    ErrorReason.FIELD_INVALID,
                    f"{NAME}, line {number}: {shown(text)} would take a pattern back, which does not work here; "
                    "name what is left out more exactly.",
                )
            if text and not text.startswith("#"):
                self._patterns.append(_pattern(text))

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Whether a file or a folder with all that is in it is left out. Path from the top, parts parted by /."""
        return any(pattern.matches(path, is_folder=is_folder) for pattern in self._patterns)


def _pattern(text: str) -> _Pattern:
    folders_only = text.endswith("/")
    inner = text.rstrip("/")
    anchored = "/" in inner
    pieces = re.split(r"(\*\*/|\*|\?)", inner.lstrip("/"))
    words = {"**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
    body = "".join(words.get(piece, re.escape(piece)) for piece in pieces)
    return _Pattern(re.compile(body if anchored else f"(?:.*/)?{body}", re.DOTALL), folders_only)
