"""What organisers and owners ask of an arena while matches are played: each kind of call again and again.

They ask about a ladder on which a great deal has been played, so that each answer is long.
"""

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

import grpc

from arena.cli.framework.connection import fetch_all
from arena.v1 import fair_play_pb2, ladder_pb2, match_pb2, submission_pb2
from benchmarks.growth.history import LADDER, Size, bot_names, build
from benchmarks.processes.arena import RunningArena
from benchmarks.processes.worker import WorkerFailedError
from benchmarks.rows.long_history import refit, whole

HISTORY: Final = Size(200, 50_000)
"""Of the ladder that is asked about."""

_ARCHIVE_BYTES: Final = 8 << 20
_CHUNK_BYTES: Final = 64 << 10
_LISTED: Final = 2_000
_LOOK_S: Final = 0.2
_NAME: Final = f"ladders/{LADDER}"


def with_history(data: Path) -> None:
    """Make the data folder of an arena that has the ladder; it must not be there."""
    data.mkdir()
    build(data / "arena.db", HISTORY)


@contextmanager
def calls_beside(arena: RunningArena, logs_of: str) -> Iterator[Counter[str]]:
    """Ask while the context lasts; yield how many calls of each kind were answered.

    `logs_of`: the ladder whose logs are downloaded. Raises WorkerFailedError: a call was refused.
    """
    over = threading.Event()
    answered: Counter[str] = Counter()
    refused: list[str] = []

    def repeat(kind: str, call: Callable[[], object], after: int) -> None:
        """Repeat a call once so many matches have finished; make it once at least."""
        try:
            while _finished(arena, logs_of) < after:
                if over.wait(_LOOK_S):
                    return
            while not (answered[kind] and over.is_set()):
                call()
                answered[kind] += 1
        except grpc.RpcError as error:
            refused.append(f"{kind}: {error}")

    kinds: Sequence[tuple[str, Callable[[], object], int]] = (
        ("listings", lambda: _listing(arena), 0),
        ("standings", lambda: whole(arena), 0),
        ("recomputed ratings", lambda: _recompute(arena), 0),
        ("refits", lambda: refit(arena), 0),
        ("reports", lambda: _report(arena, logs_of), 1),
        ("exports", lambda: _export(arena, logs_of), 1),
        ("uploads", lambda: _upload(arena), 0),
    )
    threads = [threading.Thread(target=repeat, args=each) for each in kinds]
    for thread in threads:
        thread.start()
    try:
        yield answered
    finally:
        over.set()
        for thread in threads:
            thread.join()
    if refused:
        raise WorkerFailedError(refused[0])


def _finished(arena: RunningArena, ladder: str) -> int:
    request = ladder_pb2.GetLadderRequest(name=f"ladders/{ladder}")
    return arena.calls.ladders.GetLadder(request).ladder.finished_matches


def _listing(arena: RunningArena) -> None:
    request = match_pb2.ListMatchesRequest(ladder=_NAME)
    fetch_all(arena.calls.matches.ListMatches, request, limit=_LISTED)


def _recompute(arena: RunningArena) -> None:
    arena.calls.ladders.RecomputeLadder(ladder_pb2.RecomputeLadderRequest(name=_NAME))


def _report(arena: RunningArena, ladder: str) -> None:
    request = fair_play_pb2.GetFairPlayReportRequest(name=f"ladders/{ladder}")
    arena.calls.fair_play.GetFairPlayReport(request)


def _export(arena: RunningArena, ladder: str) -> None:
    """Download the logs of all finished matches."""
    wanted = match_pb2.ListMatchesRequest(ladder=f"ladders/{ladder}", state=match_pb2.MATCH_STATE_FINISHED)
    for match in fetch_all(arena.calls.matches.ListMatches, wanted).matches:
        for _ in arena.calls.matches.DownloadMatchLog(match_pb2.DownloadMatchLogRequest(name=match.name)):
            pass


def _upload(arena: RunningArena) -> None:
    """Upload an archive that is none, and wait until it is rejected."""
    archive = os.urandom(_ARCHIVE_BYTES)
    bot = f"bots/{bot_names(HISTORY.bots)[0]}"
    about = submission_pb2.CreateSubmissionRequest(
        bot=bot, archive_sha256=sha256(archive).hexdigest(), archive_bytes=len(archive)
    )
    name = arena.calls.submissions.CreateSubmission(about).submission.name

    def chunks() -> Iterator[submission_pb2.UploadArchiveRequest]:
        for offset in range(0, len(archive), _CHUNK_BYTES):
            data = archive[offset : offset + _CHUNK_BYTES]
            yield submission_pb2.UploadArchiveRequest(name=name, offset=offset, data=data)

    arena.calls.submissions.UploadArchive(chunks())
    for _ in arena.calls.submissions.WatchSubmission(submission_pb2.WatchSubmissionRequest(name=name)):
        pass
