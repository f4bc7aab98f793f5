"""Where the sockets of running programs lie: a folder for each program, gone when the program is."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Final

SOCKET_PATH_BYTES: Final = 107
"""A longer path cannot be the address of a Unix socket."""

SOCKET_NAME: Final = "play.sock"
_LONGEST_NUMBER: Final = "9" * 9


class WorkFolder:
    """Emptied when the arena starts, since one that was killed has left its own."""

    def __init__(self, wanted: Path) -> None:
        """An empty folder, for nobody but the arena's user to enter.

        It is `wanted`, or one in the system's temporary place if sockets in that would have too long a path. Blocks.

        Raises:
            OSError: there cannot be one.
        """
        self.path = _short_enough(wanted)
        _check_own(self.path)
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir(parents=True, mode=0o700)

    def add(self, number: int) -> Path:
        """The folder of a program, for its own user to enter. Raises OSError."""
        folder = self.path / str(number)
        folder.mkdir()
        folder.chmod(0o755)
        return folder

    def remove(self, number: int) -> None:
        """The folder of a program is gone."""
        shutil.rmtree(self.path / str(number), ignore_errors=True)

    def close(self) -> None:
        """All of it is gone."""
        shutil.rmtree(self.path, ignore_errors=True)


def _short_enough(wanted: Path) -> Path:
    wanted = wanted.resolve()
    if _is_short(wanted):
        return wanted
    # The same one after a crash, so that what is left there is found.
    name = f"arena-{os.getuid()}-{sha256(os.fsencode(wanted)).hexdigest()[:16]}"
    elsewhere = Path(tempfile.gettempdir()) / name
    return elsewhere if _is_short(elsewhere) else Path("/tmp") / name


def _is_short(folder: Path) -> bool:
    """Whether sockets in the folders of programs in it have an address."""
    return len(os.fsencode(folder / _LONGEST_NUMBER / SOCKET_NAME)) <= SOCKET_PATH_BYTES


def _check_own(path: Path) -> None:
    """Raises OSError if somebody else has made it, which is possible where everybody may write."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise OSError(f"{path} belongs to somebody else: remove it, or set TMPDIR to a folder of your own")
