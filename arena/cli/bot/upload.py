"""Upload of an archive; it resumes after a broken connection."""

import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

import grpc

from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import CliError, call_of
from arena.submissions.archive import is_archive
from arena.submissions.packing import SUFFIX, scan_folder, write_archive
from arena.v1 import submission_pb2

CHUNK_BYTES: Final = 64 * 1024

UPLOAD_SECONDS: Final = 1800.0
"""How long one attempt may take: 64 MiB at 40 KB in a second."""

_BLOCK: Final = 512
"""Bytes at the beginning of a file that identify an archive."""
_ATTEMPTS: Final = 6
_PAUSE_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Archive:
    """What is sent."""

    path: Path
    sha256: str
    """64 hex digits."""
    size: int
    """In bytes."""


def archive_of(path: Path, folder: Path) -> Archive:
    """Return the archive of a bot: `path` if it is a file, else the folder packed into `folder`.

    Raises:
        ArenaError: the bot's folder cannot be submitted (ARCHIVE_*, MANIFEST_*).
        CliError: there is no such path, or the file is not an archive.
        OSError: a file cannot be read or written.
    """
    if path.is_dir():
        packed = folder / f"bot{SUFFIX}"
        with packed.open("wb") as file:
            sha256 = write_archive(scan_folder(path), file)
        return Archive(packed, sha256, packed.stat().st_size)
    if not path.is_file():
        raise CliError(f"{path} does not exist. Name the bot's folder, with bot.toml in it, or its archive.")
    with path.open("rb") as file:
        start = file.read(_BLOCK)
        file.seek(0)
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    size = path.stat().st_size
    if not size:
        raise CliError(f"{path} is empty. Name the bot's folder, with bot.toml in it, or its archive.")
    if not is_archive(start):
        raise CliError(
            f"{path} is not an archive. Name the folder with bot.toml, or an archive of it (tar, tar.gz or zip)."
        )
    return Archive(path, sha256, size)


def upload(
    arena: ArenaClient,
    submission: submission_pb2.Submission,
    archive: Archive,
    progress: Callable[[int], None],
) -> submission_pb2.Submission:
    """Upload the archive and return the submission. `progress` gets the number of bytes uploaded.

    Raises RpcError: the arena refuses it, or was unreachable at every attempt.
    """
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            with archive.path.open("rb") as file:
                pieces = _pieces(submission.name, file, submission.received_bytes, progress)
                return arena.submissions.UploadArchive(pieces, timeout=UPLOAD_SECONDS).submission
        except grpc.RpcError as error:
            if call_of(error).code() is not grpc.StatusCode.UNAVAILABLE or attempt == _ATTEMPTS:
                raise
        time.sleep(_PAUSE_SECONDS * attempt)
        with suppress(grpc.RpcError):  # the next attempt raises it again
            request = submission_pb2.GetSubmissionRequest(name=submission.name)
            submission = arena.submissions.GetSubmission(request).submission
        if submission.state != submission_pb2.Submission.STATE_UPLOADING:
            return submission  # all of it had come, and the answer was lost
    raise AssertionError("the last attempt returns or raises")


def _pieces(
    name: str, file: BinaryIO, offset: int, progress: Callable[[int], None]
) -> Iterator[submission_pb2.UploadArchiveRequest]:
    file.seek(offset)
    first = submission_pb2.UploadArchiveRequest(name=name, offset=offset, data=file.read(CHUNK_BYTES))
    request = first
    while request is first or request.data:
        yield request
        offset += len(request.data)
        progress(offset)
        request = submission_pb2.UploadArchiveRequest(offset=offset, data=file.read(CHUNK_BYTES))
