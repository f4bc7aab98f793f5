"""Follows a submission to its end, with progress for whoever watches."""

from __future__ import annotations

import time
from typing import Final

import grpc

from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import call_of
from arena.cli.framework.output import err, plain, progress_bar
from arena.v1 import submission_pb2

PATIENCE_SECONDS: Final = 60.0
"""How long a broken connection is tried again."""

_PAUSE_SECONDS: Final = 1.0

_DOING: Final = {
    submission_pb2.Submission.STATE_UPLOADING: "waiting for its archive",
    submission_pb2.Submission.STATE_WAITING: "waiting for its turn",
    submission_pb2.Submission.STATE_UNPACKING: "unpacking",
    submission_pb2.Submission.STATE_BUILDING: "building",
    submission_pb2.Submission.STATE_TRYING: "trying",
}


def follow(arena: ArenaClient, name: str) -> submission_pb2.Submission:
    """The submission, ended. An arena that is started again in between is waited for.

    Raises:
        grpc.RpcError: the arena refuses, or could not be reached for a minute.
    """
    told = ""
    unreachable_since: float | None = None
    with progress_bar(unit="scenarios") as bar:
        task = bar.add_task("waiting", total=None)
        while True:
            try:
                request = submission_pb2.WatchSubmissionRequest(name=name)
                for response in arena.submissions.WatchSubmission(request):
                    unreachable_since = None
                    now = response.submission
                    if now.HasField("end_time"):
                        return now
                    word = _DOING.get(now.state, "going on")
                    bar.update(task, completed=len(now.trials), total=now.scenarios or None, description=word)
                    if bar.disable and word != told:
                        err().print(plain(f"{word.capitalize()}."), highlight=False)
                    told = word
            except grpc.RpcError as error:
                seen = time.monotonic()
                unreachable_since = seen if unreachable_since is None else unreachable_since
                lost = call_of(error).code() is grpc.StatusCode.UNAVAILABLE
                if not lost or seen - unreachable_since > PATIENCE_SECONDS:
                    raise
            time.sleep(_PAUSE_SECONDS)
