"""The uids that programs run as, and the ownership and size of folders that they may write."""

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
"""Uids for running bots: below those of systemd, above those of people."""


class UidPool:
    """Uids, each for one program at a time."""

    def __init__(self, uids: range, first: int) -> None:
        """`first`: index of the first one to use; it should differ between the arenas of a machine."""
        self._uids = uids
        self._next = first
        self._taken: set[int] = set()

    def acquire(self) -> int:
        """Return a uid that no process of this machine uses. Raises SandboxError if all are in use."""
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
        """Make a uid available again, once nothing runs as it."""
        self._taken.discard(uid)


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
