"""Scans an author's folder for the files to pack."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pathspec import GitIgnoreSpec

from arena.core.errors import ErrorReason, InvalidArgumentError
from arena.submissions.content import is_executable, open_file
from arena.submissions.errors import is_link, is_special, manifest_missing, too_large
from arena.submissions.limits import DEFAULT_BOUNDS, SubmissionLimits
from arena.submissions.manifest import LARGEST_BYTES, NAME, Manifest, check_command, read_manifest
from arena.submissions.paths import Paths, checked

IGNORE_FILE: Final = ".arenaignore"
"""The file with the patterns, at the top of the folder."""
ALWAYS_IGNORED: Final = (".git/", ".hg/", ".svn/", "__pycache__/", ".venv/", ".DS_Store", f"/{IGNORE_FILE}")
"""What is never packed."""


@dataclass(frozen=True, slots=True)
class ScannedFile:
    """A file to be packed."""

    path: str
    """From the top of the folder, separated by /."""
    size: int
    executable: bool


@dataclass(frozen=True, slots=True)
class FolderScan:
    """The files of a folder to be packed."""

    folder: Path
    files: tuple[ScannedFile, ...]
    """In the order of their paths."""
    bytes: int
    """Of all of them together."""
    ignored: int
    """Number of files and folders left out."""
    manifest: Manifest


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
    walk = _Walk(folder, bounds)
    files = tuple(sorted(walk.files(""), key=lambda file: file.path.encode()))
    total = sum(file.size for file in files)
    if total > bounds.unpacked_bytes:
        raise too_large("The submission has", bounds.unpacked_bytes)
    executable = {file.path: file.executable for file in files}
    if NAME not in executable:
        raise manifest_missing()
    with open_file((folder / NAME).resolve()) as file:
        manifest = read_manifest(file.read(LARGEST_BYTES + 1))
    check_command(manifest, executable)
    return FolderScan(folder, files, total, walk.ignored, manifest)


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


class _Walk:
    """The state of one scan."""

    def __init__(self, folder: Path, bounds: SubmissionLimits) -> None:
        self._folder = folder
        self._real = folder.resolve()
        self._bounds = bounds
        self._paths = Paths(bounds)
        ignore_file = folder / IGNORE_FILE
        has_file = ignore_file.is_file()
        text = ignore_file.read_text(encoding="utf-8", errors="replace") if has_file else ""
        self._ignored = ignore_patterns(text.splitlines())
        self.ignored = 0

    def files(self, inner: str) -> Iterator[ScannedFile]:
        """Yield the files in and below a folder, given by its path from the top."""
        with os.scandir(self._folder / inner) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
        for entry in found:
            path = f"{inner}/{entry.name}" if inner else entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            if self._ignored.match_file(f"{path}/" if is_folder else path):
                self.ignored += 1
            elif is_folder:
                self._paths.add_folder(checked(path, self._bounds))
                yield from self.files(path)
            else:
                yield self._file(path, entry)

    def _file(self, path: str, entry: os.DirEntry[str]) -> ScannedFile:
        if entry.is_symlink():
            target = Path(os.path.realpath(self._folder / path))  # allows a cycle of links
            if not (target.is_relative_to(self._real) and target.is_file()):
                raise is_link(path)
        if not entry.is_file():
            raise is_special(path)
        self._paths.add_file(checked(path, self._bounds))
        status = entry.stat()
        return ScannedFile(path, status.st_size, is_executable(status))
