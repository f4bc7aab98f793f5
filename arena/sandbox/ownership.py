"""Who a program runs as, and whose a folder is that it may write."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from arena.sandbox.proc_fs import uids_in_use
from arena.sandbox.process_spec import SandboxError
from arena.sandbox.tree_depth import walk

_BLOCK: Final = 512
_LEAST: Final = 4096
UIDS: Final = range(58_000, 59_000)
"""Uids for running bots: below those of systemd's, above those that people are given."""


class UidPool:
    """Hands out uids, each to one program at a time."""

    def __init__(self, uids: range, first: int) -> None:
        """`first`: where to begin; arenas of one machine should begin at different places."""
        self._uids = uids
        self._next = first
        self._taken: set[int] = set()

    def acquire(self) -> int:
        """A uid that nobody on this machine uses.

        Raises:
            SandboxError: all are in use.
        """
        elsewhere = uids_in_use()
        for _ in self._uids:
            uid = self._uids[self._next % len(self._uids)]
            self._next += 1
            if uid not in self._taken and uid not in elsewhere:
                self._taken.add(uid)
                return uid
        raise SandboxError(
            f"All uids from {self._uids[0]} to {self._uids[-1]} are in use: fewer bots can run at once than that."
        )

    def release(self, uid: int) -> None:
        """Nothing of it runs any more."""
        self._taken.discard(uid)


def disk_bytes(folder: Path) -> int:
    """What a folder takes of the disk, files that come and go meanwhile passed over. Blocks. Raises TooDeepError."""
    taken = 0
    for names, descriptor in walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                taken += _taken(os.stat(name, dir_fd=descriptor, follow_symlinks=False))
    return taken


def unlinked_bytes(pids: Iterable[int], folder: Path) -> int:
    """What files take of the folder's disk that have no name any more, but are held open or mapped. Blocks."""
    device = folder.stat().st_dev
    found: dict[int, int] = {}
    for pid in pids:
        for kind in ("fd", "map_files"):
            with contextlib.suppress(OSError):
                for path in Path(f"/proc/{pid}/{kind}").iterdir():
                    with contextlib.suppress(OSError):
                        status = path.stat()
                        if status.st_dev == device and not status.st_nlink:
                            found[status.st_ino] = _taken(status)
    return sum(found.values())


def _taken(status: os.stat_result) -> int:
    """What one file takes; an empty one as much as its entry."""
    return max(status.st_blocks * _BLOCK, _LEAST)


def chown_tree(folder: Path, uid: int) -> None:
    """The folder and all in it belong to a uid. Blocks.

    No link is followed. Only for a folder in which nothing runs: what a program can change meanwhile must never be
    given away by a name.

    Raises:
        OSError: it cannot be read or given.
        TooDeepError: it has too many levels (`make_shallow`).
    """
    for names, descriptor in walk(folder):
        os.fchown(descriptor, uid, uid)
        for name in names:
            os.chown(name, uid, uid, dir_fd=descriptor, follow_symlinks=False)
