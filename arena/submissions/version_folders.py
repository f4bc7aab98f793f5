"""Folders of submitted versions, one per content hash: complete or absent, and never changed."""

import os
import posixpath
import re
import shutil
import stat
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import BinaryIO, Final

from arena.core.errors import ArenaError
from arena.submissions.content import CHUNK, Content, content_of, is_executable, open_file
from arena.submissions.errors import bad_path, is_special, link_leads_out, too_large, too_many_files
from arena.submissions.limits import DEFAULT_BOUNDS, SubmissionLimits
from arena.submissions.unpacking import FOLDER_MODE, write_new

_HASH: Final = re.compile(r"[0-9a-f]{64}")
_WORK: Final = ".work"
_SOURCE: Final = "source"
_BUILT: Final = "built"


_OURS: Final = 0o700


def remove_tree(folder: Path) -> None:
    """Remove a folder and all in it, whatever the depth and the modes. No link is followed. Blocks.

    Each folder is moved to the top before it is read, so no path becomes too long and nothing recurses. Raises OSError:
    something cannot be removed.
    """
    names = count()
    folder.chmod(_OURS)
    while waiting := [entry.name for entry in os.scandir(folder)]:
        for name in waiting:
            _remove(folder / name, folder, names)
    folder.rmdir()


def _remove(path: Path, top: Path, names: Iterator[int]) -> None:
    """Remove a file, or a folder after its folders have been moved to `top` under new names."""
    if not stat.S_ISDIR(path.lstat().st_mode):
        path.unlink()
        return
    path.chmod(_OURS)
    with os.scandir(path) as entries:
        for entry in entries:
            inner = Path(entry.path)
            if entry.is_dir(follow_symlinks=False):
                inner.chmod(_OURS)  # to move a folder is to write to it
                inner.rename(next(new for name in names if not os.path.lexists(new := top / str(name))))
            else:
                inner.unlink()
    path.rmdir()


class _Copy:
    """A copy of the files, folders and links of what a build has left, readable by all."""

    def __init__(self, built: Path, into: Path, bounds: SubmissionLimits) -> None:
        self._built = built
        self._into = into
        self._bounds = bounds
        self._files = 0
        self._bytes = 0
        self._links: list[str] = []

    def copy_folder(self, inner: str) -> None:
        """Copy the folder at this path and all below it."""
        if len(Path(inner).parts) > self._bounds.depth:
            raise bad_path(inner, f"a path of more than {self._bounds.depth} parts")
        (self._into / inner).mkdir(mode=0o700)
        with os.scandir(self._built / inner) as entries:
            for entry in entries:
                self._files += 1
                if self._files > self._bounds.files:
                    raise too_many_files(self._bounds.files)
                path = posixpath.join(inner, entry.name)
                if entry.is_symlink():
                    self._copy_link(path)
                elif entry.is_dir(follow_symlinks=False):
                    self.copy_folder(path)
                elif entry.is_file(follow_symlinks=False):
                    self._copy_file(path)
                else:
                    raise is_special(path)
        (self._into / inner).chmod(FOLDER_MODE)

    def check_links(self) -> None:
        """Check that no link leads out, not even through another: possible only when everything is copied."""
        top = self._into.resolve()
        for path in self._links:
            try:
                target = (self._into / path).resolve()
            except (OSError, RuntimeError) as error:  # a cycle of links, depending on the version of Python
                raise link_leads_out(path) from error
            if not target.is_relative_to(top):
                raise link_leads_out(path)

    def _copy_link(self, path: str) -> None:
        target = str((self._built / path).readlink())
        resolved = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        if target.startswith("/") or resolved.split("/")[0] == "..":
            raise link_leads_out(path)
        (self._into / path).symlink_to(target)
        self._links.append(path)

    def _copy_file(self, path: str) -> None:
        with open_file(self._built / path) as file:
            executable = is_executable(os.fstat(file.fileno()))
            write_new(self._into / path, self._chunks(file), executable=executable)

    def _chunks(self, file: BinaryIO) -> Iterator[bytes]:
        while chunk := file.read(CHUNK):
            self._bytes += len(chunk)
            if self._bytes > self._bounds.unpacked_bytes:
                raise too_large("The build leaves", self._bounds.unpacked_bytes)
            yield chunk


class VersionFolders:
    """The versions of all bots: `<hash>/source` is the submission, `<hash>/built` the output of its build.

    All users may read them, since a bot runs as a user of its own. All methods but `folder` and `source` block.
    """

    def __init__(self, root: Path) -> None:
        """Create `root` if it is missing. Raises OSError."""
        self._root = root
        self._work = root / _WORK
        for folder in (root, self._work):
            if not folder.is_dir():
                folder.mkdir(parents=True)
                folder.chmod(0o755)

    @contextmanager
    def workspace(self) -> Iterator[Path]:
        """Yield an empty folder on the same file system; remove it afterwards. Raises OSError."""
        folder = Path(tempfile.mkdtemp(dir=self._work))
        folder.chmod(0o755)
        try:
            yield folder
        finally:
            with suppress(OSError):  # the next start removes what is left
                remove_tree(folder)

    def add(self, unpacked: Path, content: Content) -> Path:
        """Add a version, durably, and return its source folder.

        `unpacked`: a folder made by `unpack` in a `workspace`. It is moved, or removed if the version exists. Raises
        OSError: it cannot be kept; then it is where it was.
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
            _sync(whole)
            try:
                whole.rename(place)
            except OSError:
                if not place.is_dir():
                    (whole / _SOURCE).rename(unpacked)
                    raise
            _sync(self._root)
        return place / _SOURCE

    def add_built(self, version: str, built: Path, bounds: SubmissionLimits = DEFAULT_BOUNDS) -> None:
        """Copy the output of a build, which is run from now on. An earlier output of this version stays instead.

        `built`: untrusted, but nothing writes to it any more.

        Raises:
            InvalidArgumentError: a link leads out of it (ARCHIVE_LINK), or it holds a device, a pipe or a socket
                (ARCHIVE_SPECIAL_FILE), or folders are nested too deep (ARCHIVE_PATH).
            ResourceExhaustedError: it is too much (ARCHIVE_TOO_LARGE, ARCHIVE_TOO_MANY_FILES).
            FileNotFoundError: there is no such version.
            OSError: it cannot be read or kept.
        """
        place = self._place(version)
        if not (place / _SOURCE).is_dir():
            raise FileNotFoundError(2, "there is no such version", str(place))
        if (place / _BUILT).is_dir():
            return
        with self.workspace() as workspace:
            copy = workspace / _BUILT
            copying = _Copy(built, copy, bounds)
            copying.copy_folder("")
            copying.check_links()
            _sync_tree(copy)
            copy.rename(place / _BUILT)
            _sync(place)

    def source(self, version: str) -> Path:
        """Return the folder of the submission, which exists if the version does."""
        return self._place(version) / _SOURCE

    def folder(self, version: str) -> Path:
        """Return the folder that is run: the output of the build, or the submission without one."""
        built = self._place(version) / _BUILT
        return built if built.is_dir() else self.source(version)

    def size(self, version: str) -> int:
        """Return the bytes of all files of a version, submitted and built. Raises OSError."""
        files = (Path(inner, name) for inner, _, names in os.walk(self._place(version)) for name in names)
        return sum(path.lstat().st_size for path in files)

    def hashes(self) -> list[str]:
        """Return all versions, sorted."""
        return sorted(path.name for path in self._root.iterdir() if _HASH.fullmatch(path.name))

    def is_whole(self, version: str) -> bool:
        """Return whether the submission exists unchanged; reads every file."""
        try:
            return content_of(self.source(version)).hash == version
        except (ArenaError, OSError):
            return False

    def collect(self, named: Collection[str]) -> int:
        """Remove all versions but those named; return how many. Raises OSError."""
        unnamed = [version for version in self.hashes() if version not in named]
        for version in unnamed:
            self.remove(version)
        return len(unnamed)

    def remove(self, version: str) -> None:
        """Remove a version atomically. Raises OSError."""
        with self.workspace() as workspace:
            try:
                self._place(version).rename(workspace / version)
            except FileNotFoundError:
                return
            _sync(self._root)

    def sweep(self) -> int:
        """Remove unfinished work of a crashed process; return how many folders. Call before anything else.

        Raises OSError: it cannot be removed.
        """
        left = list(self._work.iterdir())
        for path in left:
            remove_tree(path)
        return len(left)

    def _place(self, version: str) -> Path:
        if not _HASH.fullmatch(version):
            raise ValueError(f"{version!r} is no content hash")
        return self._root / version


def _sync_tree(folder: Path) -> None:
    """Sync all files and folders below, so that they survive a power cut. Raises OSError."""
    for inner, _, files in os.walk(folder):
        for name in files:
            path = Path(inner, name)
            if not path.is_symlink():
                _sync(path)
        _sync(Path(inner))


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
