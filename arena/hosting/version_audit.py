"""The audit entries of submitted versions; they contain nothing that a bot has written."""

from __future__ import annotations

from arena.core.errors import ErrorReason
from arena.store.audit.entries import AuditEntry, AuditKind
from arena.store.bots.submissions import Rejection, SubmissionRow


def suspended_entry(bot: str, version: str, failures: int, benchings: int, now_us: int) -> AuditEntry:
    """Return the entry of a suspended version. `failures`: in a row; `benchings`: so often in a row."""
    return AuditEntry(
        AuditKind.VERSION,
        now_us,
        f"Version {version[:12]} of {bot} is benched; `arena bot show {bot}` says why, and until when.",
        _about(bot, version),
        (("failures", str(failures)), ("benchings", str(benchings))),
    )


def resumed_entry(bot: str, version: str, now_us: int) -> AuditEntry:
    """Return the entry of a suspended version that was tried again and plays."""
    return AuditEntry(
        AuditKind.VERSION,
        now_us,
        f"Version {version[:12]} of {bot} is no longer suspended.",
        _about(bot, version),
    )


def admitted_entry(submission: SubmissionRow, version: str, now_us: int) -> AuditEntry:
    """Return the entry of a submission that has become a version."""
    return AuditEntry(
        AuditKind.VERSION,
        now_us,
        f"Submission {submission.number} of {submission.bot} is admitted as version {version[:12]}.",
        (*_about(submission.bot, version), _submission(submission)),
    )


def rejected_entry(submission: SubmissionRow, rejection: Rejection, now_us: int) -> AuditEntry:
    """Return the entry of a submission that has become none; by the arena's own fault, where that has failed."""
    failed = rejection.reason is ErrorReason.INTERNAL
    number, bot = submission.number, submission.bot
    why = f"`arena bot submissions {bot} {number}` says why"
    if failed:
        why = f"the arena failed, and its service log tells more under submission {number}"
    return AuditEntry(
        AuditKind.INTERNAL_ERROR if failed else AuditKind.VERSION,
        now_us,
        f"Submission {number} of {bot} is rejected ({rejection.reason.value}): {why}.",
        (f"bots/{bot}", _submission(submission)),
        (("reason", rejection.reason.value), ("submission", str(number))),
    )


def _about(bot: str, version: str) -> tuple[str, str]:
    return f"bots/{bot}", f"bots/{bot}/versions/{version}"


def _submission(submission: SubmissionRow) -> str:
    return f"bots/{submission.bot}/submissions/{submission.number}"
