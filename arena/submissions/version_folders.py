"""Where submitted versions lie: a folder per content hash, whole or not there, and never changed."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from arena.core.errors import ArenaError
from arena.submissions.built_tree import copy_built
from arena.submissions.cleanup import clear_away
from arena.submissions.content import Content, content_of
from arena.submissions.limits import DEFAULT_BOUNDS, SubmissionLimits

_HASH: Final = re.compile(r"[0-9a-f]{64}")
_WORK: Final = ".work"
_SOURCE: Final = "source"
_BUILT: Final = "built"


class VersionFolders:
    """The versions of all bots: `<hash>/source` is what was handed in, `<hash>/built` what a build made of it.

    Everything in them may be read by all, since a bot runs as a user of its own; the folder that holds them all need
    only let that user pass. All methods but `folder` and `source` block.
    """

    def __init__(self, root: Path) -> None:
        """`root` is made if it is not there, passable by all whatever the umask. Raises OSError."""
        self._root = root
        self._work = root / _WORK
        for folder in (root, self._work):
            if not folder.is_dir():
                folder.mkdir(parents=True)
                folder.chmod(0o755)

    @contextmanager
    def workspace(self) -> Iterator[Path]:
        """An empty folder on the same file system, for unpacking and building; gone afterwards. Raises OSError."""
        folder = Path(tempfile.mkdtemp(dir=self._work))
        folder.chmod(0o755)
        try:
            yield folder
        finally:
            with suppress(OSError):  # what is left then is removed at the next start
                clear_away(folder)

    def add(self, unpacked: Path, content: Content) -> Path:
        """What was unpacked is a version, and survives a power cut; returns its source folder.

        `unpacked`: a folder that `unpack` has made, in a `workspace`; it is moved. If the same content is there already
        that stays, and `unpacked` is removed.

        Raises:
            OSError: it could not be kept; then it is where it was.
        """
        place = self._place(content.hash)
        if place.is_dir():
            shutil.rmtree(unpacked)
            return place / _SOURCE
        _sync_tree(unpacked)
        with self.workspace() as workspace:
            whole = workspace / content.hash
            whole.mkdir()
            whole.chmod(0o755)
            unpacked.rename(whole / _SOURCE)
            _sync_folder(whole)
            try:
                whole.rename(place)
            except OSError:
                if not place.is_dir():
                    (whole / _SOURCE).rename(unpacked)
                    raise
            _sync_folder(self._root)
        return place / _SOURCE

    def add_built(self, version: str, built: Path, bounds: SubmissionLimits = DEFAULT_BOUNDS) -> None:
        """What a build has left in `built` is copied, and is from now on what is run of this version.

        If something was built of it before, that stays. `built` may have been written by anybody, but not still be.

        Raises:
            InvalidArgumentError: a link leads out of it (ARCHIVE_LINK), or it holds a device, a pipe or a socket
                (ARCHIVE_SPECIAL_FILE).
            ResourceExhaustedError: it is too much.
            FileNotFoundError: there is no such version.
            OSError: it could not be read or kept.
        """
        place = self._place(version)
        if not (place / _SOURCE).is_dir():
            raise FileNotFoundError(2, "there is no such version", str(place))
        if (place / _BUILT).is_dir():
            return
        with self.workspace() as workspace:
            copy = workspace / _BUILT
            copy_built(built, copy, bounds)
            _sync_tree(copy)
            copy.rename(place / _BUILT)
            _sync_folder(place)

    def source(self, version: str) -> Path:
        """What was handed in as a version: its folder, which is there if the version is."""
        return self._place(version) / _SOURCE

    def folder(self, version: str) -> Path:
        """What is run of a version: what was built, or what was handed in if nothing was."""
        built = self._place(version) / _BUILT
        return built if built.is_dir() else self.source(version)

    def size(self, version: str) -> int:
        """The bytes of all files of a version, submitted and built. Raises OSError."""
        files = (Path(inner, name) for inner, _, names in os.walk(self._place(version)) for name in names)
        return sum(path.lstat().st_size for path in files)

    def hashes(self) -> list[str]:
        """All versions, sorted."""
        return sorted(path.name for path in self._root.iterdir() if _HASH.fullmatch(path.name))

    def is_whole(self, version: str) -> bool:
        """Whether what was handed in is there, unchanged; every file is read."""
        try:
            return content_of(self.source(version)).hash == version
        except (ArenaError, OSError):
            return False

    def collect(self, named: Collection[str]) -> int:
        """Only the versions that are named are left; returns how many were removed. Raises OSError."""
        unnamed = [version for version in self.hashes() if version not in named]
        for version in unnamed:
            self.remove(version)
        return len(unnamed)

    def remove(self, version: str) -> None:
        """The version is not there, from one moment to the next. Raises OSError."""
        with self.workspace() as workspace:
            try:
                self._place(version).rename(workspace / version)
            except FileNotFoundError:
                return
            _sync_folder(self._root)

    def sweep(self) -> int:
        """What a crash has left half done is removed; returns how much that was. Only before anything else is begun.

        Raises:
            OSError: it could not be removed.
        """
        left = list(self._work.iterdir())
        for path in left:
            clear_away(path)
        return len(left)

    def _place(self, version: str) -> Path:
        if not _HASH.fullmatch(version):
            raise ValueError(f"{version!r} is no content hash")
        return self._root / version


def _sync_tree(folder: Path) -> None:
    """All files below and their names survive a power cut. Raises OSError."""
    for inner, _, files in os.walk(folder):
        for name in files:
            path = Path(inner, name)
            if not path.is_symlink():
                _sync(path, os.O_RDONLY)
        _sync_folder(Path(inner))


def _sync_folder(folder: Path) -> None:
    _sync(folder, os.O_RDONLY | os.O_DIRECTORY)


def _sync(path: Path, flags: int) -> None:
    handle = os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
