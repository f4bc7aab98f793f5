"""Copies the output of a build, which is untrusted: no link is followed."""

from __future__ import annotations

import os
import posixpath
import stat
from pathlib import Path
from typing import Final

from arena.submissions.content import CHUNK, is_executable, open_file
from arena.submissions.errors import bad_path, is_special, link_leads_out, too_large, too_many_files
from arena.submissions.limits import SubmissionLimits
from arena.submissions.unpacking import EXECUTABLE_MODE, FILE_MODE, FOLDER_MODE, write_whole

_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def copy_built(built: Path, into: Path, bounds: SubmissionLimits) -> None:
    """Copy the files, folders and links of `built` to the new folder `into`, readable by all. Blocks.

    Raises:
        InvalidArgumentError: a link leads out of the folder (ARCHIVE_LINK), there is a device, a pipe or a socket
            (ARCHIVE_SPECIAL_FILE), or folders are nested too deep (ARCHIVE_PATH).
        ResourceExhaustedError: it is too much (ARCHIVE_TOO_LARGE, ARCHIVE_TOO_MANY_FILES).
        OSError: it cannot be read or written.
    """
    copy = _Copy(built, into, bounds)
    copy.copy_folder("")
    copy.check_links()


class _Copy:
    """The state of one copy."""

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
            status = os.fstat(file.fileno())
            mode = EXECUTABLE_MODE if is_executable(status) else FILE_MODE
            handle = os.open(self._into / path, _NEW, stat.S_IRUSR | stat.S_IWUSR)
            try:
                while chunk := file.read(CHUNK):
                    self._bytes += len(chunk)
                    if self._bytes > self._bounds.unpacked_bytes:
                        raise too_large("The build leaves", self._bounds.unpacked_bytes)
                    write_whole(handle, chunk)
                os.fchmod(handle, mode)
            finally:
                os.close(handle)
