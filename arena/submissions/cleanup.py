"""Removes folders with untrusted content."""

from __future__ import annotations

import os
import stat
from itertools import count
from pathlib import Path
from typing import Final

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


def _remove(path: Path, top: Path, names: count[int]) -> None:
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
