"""Removes folders that strangers have filled."""

from __future__ import annotations

import os
import stat
from itertools import count
from pathlib import Path
from typing import Final

_OURS: Final = 0o700


def clear_away(folder: Path) -> None:
    """The folder and all in it are gone, however deep folders lie in each other and whatever their modes are. Blocks.

    Each folder is taken to the top before it is looked into: so no path becomes too long, and nothing is nested. No
    link is followed.

    Raises:
        OSError: something cannot be removed.
    """
    names = count()
    folder.chmod(_OURS)
    while waiting := [entry.name for entry in os.scandir(folder)]:
        for name in waiting:
            _empty(folder / name, folder, names)
    folder.rmdir()


def _empty(path: Path, top: Path, names: count[int]) -> None:
    """It is gone, and the folders that were in it lie in the top folder."""
    if not stat.S_ISDIR(path.lstat().st_mode):
        path.unlink()
        return
    path.chmod(_OURS)
    with os.scandir(path) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                Path(entry.path).chmod(_OURS)  # a folder that moves is written to
                _move(Path(entry.path), top, names)
            else:
                Path(entry.path).unlink()
    path.rmdir()


def _move(path: Path, top: Path, names: count[int]) -> None:
    """The folder is in the top folder, under a name that nothing there has."""
    place = next(place for name in names if not os.path.lexists(place := top / str(name)))
    path.rename(place)
