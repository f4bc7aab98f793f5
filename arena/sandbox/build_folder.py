"""The folder that a build may write: its size, its owner, and how deep folders are nested in it.

Python walks and removes a tree recursively, with an open file for each level, which fails for some thousand levels.
"""

import contextlib
import os
import stat
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

_BLOCK: Final = 512
_LEAST: Final = 4096
DEEPEST: Final = 100
"""Levels that a build may have in its folder; a version may have fewer."""


class TooDeepError(Exception):
    """A folder has more than `DEEPEST` levels."""


def walk(folder: Path) -> Iterator[tuple[list[str], int]]:
    """Yield for each folder of a tree the names in it and its descriptor. No link is followed.

    Raises:
        TooDeepError: at the end, if there are deeper folders.
        OSError: it cannot be read.
    """
    above = str(folder).count("/")
    deeper = False
    for path, folders, files, descriptor in os.fwalk(folder, follow_symlinks=False):
        yield [*folders, *files], descriptor
        if path.count("/") - above >= DEEPEST:
            deeper = deeper or any(_folders_of(folders, descriptor))
            folders.clear()
    if deeper:
        raise TooDeepError


def make_shallow(folder: Path) -> bool:
    """Move folders that are too deep to the top under new names; return whether there were any. Blocks.

    Only for a folder that no running program can change. Raises OSError: it cannot be read or changed.
    """
    top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        waiting = ["."]
        moved = False
        while waiting:
            start = waiting.pop()
            room = DEEPEST if start == "." else DEEPEST - 1
            for path, folders, _, descriptor in os.fwalk(start, dir_fd=top, follow_symlinks=False):
                if path.count("/") < room:
                    continue
                for name in _folders_of(folders, descriptor):
                    waiting.append(uuid.uuid4().hex)
                    os.rename(name, waiting[-1], src_dir_fd=descriptor, dst_dir_fd=top)
                    moved = True
                folders.clear()
    finally:
        os.close(top)
    return moved


def _folders_of(names: Iterable[str], descriptor: int) -> Iterator[str]:
    """Yield the names of folders, without links to folders."""
    for name in names:
        if stat.S_ISDIR(os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_mode):
            yield name


def disk_bytes(folder: Path) -> int:
    """Return the disk usage of a folder, without files that vanish meanwhile. Blocks. Raises TooDeepError."""
    total = 0
    for names, descriptor in walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += _file_bytes(os.stat(name, dir_fd=descriptor, follow_symlinks=False))
    return total


def unlinked_bytes(pids: Iterable[int], folder: Path) -> int:
    """Return the usage of the folder's disk by removed files that the processes hold open or mapped. Blocks."""
    device = folder.stat().st_dev
    found: dict[int, int] = {}
    for pid in pids:
        for kind in ("fd", "map_files"):
            with contextlib.suppress(OSError):
                for path in Path(f"/proc/{pid}/{kind}").iterdir():
                    with contextlib.suppress(OSError):
                        status = path.stat()
                        if status.st_dev == device and not status.st_nlink:
                            found[status.st_ino] = _file_bytes(status)
    return sum(found.values())


def _file_bytes(status: os.stat_result) -> int:
    """Return the disk usage of one file; an empty one counts for its entry."""
    return max(status.st_blocks * _BLOCK, _LEAST)


def chown_tree(folder: Path, uid: int) -> None:
    """Change the owner of a folder and all in it, following no links. Blocks.

    Only for a folder that no running program can change: it could replace a name meanwhile.

    Raises:
        OSError: it cannot be read or changed.
        TooDeepError: it has too many levels (`make_shallow`).
    """
    for names, descriptor in walk(folder):
        os.fchown(descriptor, uid, uid)
        for name in names:
            os.chown(name, uid, uid, dir_fd=descriptor, follow_symlinks=False)
