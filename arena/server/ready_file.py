"""The file of `arena serve --ready-file`: it is there exactly while the arena takes calls."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.match_log.durable import UNFINISHED_SUFFIX


def write_addresses(path: Path, tcp: str, unix: str | None) -> None:
    """Write the addresses of the running arena and its process id, as JSON, in one step. Raises OSError."""
    unfinished = path.with_name(f"{path.name}{UNFINISHED_SUFFIX}")
    unfinished.write_text(json.dumps({"tcp": tcp, "unix": unix, "pid": os.getpid()}) + "\n")
    unfinished.replace(path)


def remove_old(path: Path) -> None:
    """Remove the file that a killed arena has left.

    Raises FailedPreconditionError: no file can be written there, or the file is not one of an arena.
    """
    try:
        if not path.parent.is_dir() or not os.access(path.parent, os.W_OK | os.X_OK):
            raise _unusable(path, f"{path.parent} is not a folder that the arena may write")
        if path.exists():
            if not _is_ours(path):
                raise _unusable(path, "it exists, and no arena wrote it")
            path.unlink()
    except OSError as error:
        raise _unusable(path, error.strerror or str(error)) from error


@contextmanager
def present(path: Path | None, tcp: str, unix: str | None) -> Iterator[None]:
    """Keep the file there inside; None: no file. Raises FailedPreconditionError: it cannot be written."""
    if path is None:
        yield
        return
    try:
        write_addresses(path, tcp, unix)
    except OSError as error:
        raise _unusable(path, error.strerror or str(error)) from error
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def _is_ours(path: Path) -> bool:
    try:
        fields = json.loads(path.read_text())
    except ValueError:
        return False
    return isinstance(fields, dict) and {"tcp", "unix", "pid"} <= fields.keys()


def _unusable(path: Path, why: str) -> FailedPreconditionError:
    return FailedPreconditionError(
        ErrorReason.FIELD_INVALID,
        f"--ready-file {path} cannot be used: {why}. Name a new file in a folder that the arena may write.",
        field="ready_file",
    )
