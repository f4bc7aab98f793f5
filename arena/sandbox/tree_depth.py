"""Folders in folders in folders, as a stranger's program may leave them: seen in time, and made shallow.

Python walks a tree, and removes it, by calling itself, with an open file for each level; a few thousand levels are more
than it can do.
"""

from __future__ import annotations

import os
import stat
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

DEEPEST: Final = 100
"""So many levels a build may have in its folder; a version may have fewer."""


class TooDeepError(Exception):
    """There are more than `DEEPEST` levels."""


def walk(folder: Path) -> Iterator[tuple[list[str], int]]:
    """What is in the folder and in each one below it, links not followed: names, and where they are looked up.

    Raises:
        TooDeepError: after those that are not too deep.
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
    """Whether it was too deep; what lay deeper lies at its top now, under other names. Blocks.

    Only for a folder in which nothing runs.

    Raises:
        OSError: it cannot be read or changed.
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
    """Those that are folders, and no links to some."""
    for name in names:
        if stat.S_ISDIR(os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_mode):
            yield name
