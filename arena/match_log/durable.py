"""Atomic, durable writing of files."""

import os
import threading
from pathlib import Path
from typing import Final

UNFINISHED_SUFFIX: Final = ".unfinished"
"""The suffix of a file that is being written; files with it are left-overs."""

OWNER_ONLY: Final = 0o600

_MAKING_FOLDERS: Final = threading.Lock()
"""Who finds a folder there must be able to rely on it, though another thread has just made it."""


def write_durably(path: Path, data: bytes) -> None:
    """Write a file, readable by its owner alone, that survives a power cut. Blocks.

    Writes beside its place, syncs, renames, syncs the folder. Raises OSError: then nothing has changed.
    """
    unfinished = path.with_name(path.name + UNFINISHED_SUFFIX)
    try:
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)
        unfinished.replace(path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def make_folder(folder: Path) -> None:
    """Create a folder with all above it, surviving a power cut. Raises OSError."""
    with _MAKING_FOLDERS:
        for each in reversed([folder, *folder.parents]):
            if not each.is_dir():
                each.mkdir(exist_ok=True)
                sync_folder(each.parent)


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that files created or renamed in it survive a power cut. Raises OSError."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
