"""Folders that an untrusted program has nested too deep: detects them and makes them shallow.

Python walks and removes a tree recursively, with an open file for each level, which fails for some thousand levels.
"""

import os
import stat
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

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
