"""Scans an author's folder for the files to pack."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from pathspec import GitIgnoreSpec

from arena.core.errors import ErrorReason, InvalidArgumentError
from arena.submissions.content import FolderScan, FolderWalk
from arena.submissions.limits import DEFAULT_BOUNDS, SubmissionLimits

IGNORE_FILE: Final = ".arenaignore"
"""The file with the patterns, at the top of the folder."""
ALWAYS_IGNORED: Final = (".git/", ".hg/", ".svn/", "__pycache__/", ".venv/", ".DS_Store", f"/{IGNORE_FILE}")
"""What is never packed."""


def scan_folder(folder: Path, bounds: SubmissionLimits = DEFAULT_BOUNDS) -> FolderScan:
    """Find the files to pack: all but those that .arenaignore names. Blocks.

    A link to a file of the same folder is packed as that file.

    Raises:
        InvalidArgumentError: something in it cannot be submitted (ARCHIVE_PATH, ARCHIVE_LINK, ARCHIVE_SPECIAL_FILE,
            ARCHIVE_COLLISION), bot.toml is missing (MANIFEST_MISSING) or breaks a rule (MANIFEST_INVALID), or
            .arenaignore cannot be read (FIELD_INVALID).
        ResourceExhaustedError: it is too much (ARCHIVE_TOO_LARGE, ARCHIVE_TOO_MANY_FILES).
        OSError: something cannot be read.
    """
    ignore_file = folder / IGNORE_FILE
    has_file = ignore_file.is_file()
    text = ignore_file.read_text(encoding="utf-8", errors="replace") if has_file else ""
    return FolderWalk(folder, bounds, ignore_patterns(text.splitlines()).match_file).scan()


def ignore_patterns(lines: Iterable[str]) -> GitIgnoreSpec:
    """Return the patterns of an .arenaignore, which are those of .gitignore, and ALWAYS_IGNORED.

    Raises InvalidArgumentError: a line is no pattern (FIELD_INVALID).
    """
    try:
        return GitIgnoreSpec.from_lines([*lines, *ALWAYS_IGNORED])
    except ValueError as error:
        raise InvalidArgumentError(
            ErrorReason.FIELD_INVALID, f"{IGNORE_FILE} cannot be read: {str(error).rstrip('.')}."
        ) from error
