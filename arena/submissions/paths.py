"""Checks of the paths of a submission: each one, and all together."""

import re
import unicodedata
from typing import Final

from arena.submissions.errors import bad_path, collision, too_many_files
from arena.submissions.limits import SubmissionLimits

_DRIVE: Final = re.compile(r"[A-Za-z]:")
_UNPRINTABLE: Final = frozenset({"Cc", "Cf", "Zl", "Zp"})
"""Unicode's categories of characters that are invisible, or change the text around them."""


def checked(path: str, bounds: SubmissionLimits) -> str:
    """Return a checked path without a leading "./"; empty for the top itself, "." or "./".

    Raises InvalidArgumentError: it leaves the folder, or is not valid on all file systems (ARCHIVE_PATH).
    """
    if path in {".", "./"}:
        return ""
    inner = path.removeprefix("./")
    parts = inner.split("/")
    if not inner:
        raise bad_path(path, "a path that is empty")
    if any(unicodedata.category(character) == "Cs" for character in inner):
        raise bad_path(path, "a path that is not UTF-8")
    if any(unicodedata.category(character) in _UNPRINTABLE for character in inner):
        raise bad_path(path, "a path with characters that cannot be seen")
    if "\\" in inner:
        raise bad_path(path, "a path with a backslash")
    if inner.startswith("/") or _DRIVE.match(inner):
        raise bad_path(path, "an absolute path, or one with a drive")
    if ".." in parts:
        raise bad_path(path, "a path that leads out of its folder")
    if "" in parts or "." in parts:
        raise bad_path(path, "a path with a part that is empty or '.'")
    if (
        len(inner.encode()) > bounds.path_bytes
        or max(len(part.encode()) for part in parts) > bounds.name_bytes
    ):
        limits = f"{bounds.path_bytes} bytes, or than {bounds.name_bytes} in one of its parts"
        raise bad_path(path, f"a path longer than {limits}")
    if len(parts) > bounds.depth:
        raise bad_path(path, f"a path of more than {bounds.depth} parts")
    return inner


class Paths:
    """The paths of a submission so far, no two of which are the same file on any file system."""

    def __init__(self, bounds: SubmissionLimits) -> None:
        self._bounds = bounds
        self._known: dict[str, tuple[str, bool]] = {}
        """By folded path: the path, and whether it is a file."""

    def add_file(self, path: str) -> list[str]:
        """Add a file and the folders above it; return the new folders, outermost first.

        Raises:
            InvalidArgumentError: its path is in use (ARCHIVE_COLLISION).
            ResourceExhaustedError: there are too many (ARCHIVE_TOO_MANY_FILES).
        """
        new = self._add_folders(path.split("/")[:-1])
        known = self._known.get(_folded(path))
        if known is not None:
            raise collision(path, known[0], _why(path, known[0]))
        self._remember(path, is_file=True)
        return new

    def add_folder(self, path: str) -> list[str]:
        """Add a folder, which may be known, and those above it. Returns and raises as `add_file`."""
        return self._add_folders(path.split("/"))

    def _add_folders(self, parts: list[str]) -> list[str]:
        new = []
        for length in range(1, len(parts) + 1):
            folder = "/".join(parts[:length])
            known = self._known.get(_folded(folder))
            if known is None:
                self._remember(folder, is_file=False)
                new.append(folder)
            elif known != (folder, False):
                raise collision(folder, known[0], _why(folder, known[0]))
        return new

    def _remember(self, path: str, *, is_file: bool) -> None:
        if len(self._known) >= self._bounds.files:
            raise too_many_files(self._bounds.files)
        self._known[_folded(path)] = (path, is_file)


def _why(path: str, other: str) -> str:
    return "the same path" if path == other else "which some file systems take for the same"


def _folded(path: str) -> str:
    """Return the path in a form without case and composition of letters."""
    caseless = unicodedata.normalize("NFD", path).casefold()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", caseless))
