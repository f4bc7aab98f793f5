"""Submissions as messages."""

from arena.hosting.host.process import HELLO_WITHIN_S
from arena.sandbox.runtime_versions import RuntimeVersion
from arena.sandbox.runtimes import BUILT_IN
from arena.store.bots.submissions import Rejection, SubmissionRow, SubmissionState
from arena.v1 import errors_pb2, submission_pb2
from arena.wire.fields import same, timestamp
from arena.wire.resource_names import submission_name, version_name


def submission_message(
    row: SubmissionRow, *, received: int, show_output: bool = False
) -> submission_pb2.Submission:
    """Return the submission as a message. `received`: bytes of its archive so far."""
    return submission_pb2.Submission(
        name=submission_name(row.bot, row.number),
        state=submission_pb2.Submission.State.ValueType(row.state.value),
        **same(row, "archive_sha256", "archive_bytes", "known", "scenarios", "plays"),
        received_bytes=_received(row, received),
        version="" if row.version is None else version_name(row.bot, row.version),
        trials=[
            submission_pb2.Submission.Trial(
                verdict=submission_pb2.Submission.Trial.Verdict.ValueType(trial.verdict.value),
                **same(trial, "scenario", "sentence"),
            )
            for trial in row.trials
        ],
        rejection=None if row.rejection is None else _rejection(row.rejection, show_output=show_output),
        create_time=timestamp(row.created_us),
        end_time=timestamp(row.ended_us),
    )


def _received(row: SubmissionRow, received: int) -> int:
    match row.state:
        case SubmissionState.UPLOADING:
            return min(received, row.archive_bytes)
        case SubmissionState.REJECTED:
            return 0
        case _:
            return row.archive_bytes


def _rejection(rejection: Rejection, *, show_output: bool) -> submission_pb2.Submission.Rejection:
    return submission_pb2.Submission.Rejection(
        reason=errors_pb2.ErrorReason.Value(f"ERROR_REASON_{rejection.reason.value}"),
        sentence=rejection.sentence,
        output=rejection.output if show_output else "",
    )


def runtime_message(found: RuntimeVersion) -> submission_pb2.Runtime:
    """Return a runtime as a message."""
    return submission_pb2.Runtime(
        name=found.runtime.name,
        version=found.version,
        added=found.runtime.name not in BUILT_IN,
        unavailable=found.why_not,
        no_builds=found.why_no_builds,
        start_seconds=found.runtime.start_s or HELLO_WITHIN_S,
    )
