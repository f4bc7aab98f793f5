"""The audit entries of submitted versions; they contain nothing that a bot has written."""

from arena.core.endings.arena_faults import facts_of
from arena.core.errors import ErrorReason
from arena.store.audit.entries import AuditEntry, AuditKind
from arena.store.bots.submissions import Rejection, SubmissionRow


def suspended_entry(bot: str, version: str, failures: int, suspensions: int, now_us: int) -> AuditEntry:
    """Return the entry of a suspended version. `failures`: in a row; `suspensions`: so often in a row."""
    sentence = (
        f"Version {version[:12]} of {bot} is suspended; `arena bot show {bot}` says why, and until when."
    )
    facts = facts_of(failures=failures, suspensions=suspensions)
    return AuditEntry(AuditKind.VERSION, now_us, sentence, _about(bot, version), facts)


def resumed_entry(bot: str, version: str, now_us: int) -> AuditEntry:
    """Return the entry of a suspended version that was tried again and plays."""
    sentence = f"Version {version[:12]} of {bot} is no longer suspended."
    return AuditEntry(AuditKind.VERSION, now_us, sentence, _about(bot, version))


def admitted_entry(submission: SubmissionRow, version: str, now_us: int) -> AuditEntry:
    """Return the entry of a submission that has become a version."""
    sentence = f"Submission {submission.number} of {submission.bot} is admitted as version {version[:12]}."
    about = (*_about(submission.bot, version), _submission(submission))
    return AuditEntry(AuditKind.VERSION, now_us, sentence, about)


def rejected_entry(submission: SubmissionRow, rejection: Rejection, now_us: int) -> AuditEntry:
    """Return the entry of a submission that has become none; by the arena's own fault, where that has failed."""
    number, bot, reason = submission.number, submission.bot, rejection.reason
    kind, why = AuditKind.VERSION, f"`arena bot submissions {bot} {number}` says why"
    if reason is ErrorReason.INTERNAL:
        kind = AuditKind.INTERNAL_ERROR
        why = f"the arena failed, and its service log tells more under submission {number}"
    sentence = f"Submission {number} of {bot} is rejected ({reason.value}): {why}."
    facts = facts_of(reason=reason.value, submission=number)
    return AuditEntry(kind, now_us, sentence, (f"bots/{bot}", _submission(submission)), facts)


def _about(bot: str, version: str) -> tuple[str, str]:
    return f"bots/{bot}", f"bots/{bot}/versions/{version}"


def _submission(submission: SubmissionRow) -> str:
    return f"bots/{submission.bot}/submissions/{submission.number}"
