"""The outcome of one check."""

from dataclasses import dataclass
from enum import Enum

from arena.match_log.framing import Flaw


class Status(Enum):
    """The outcome of a check."""

    OK = "ok"
    FAILED = "failed"
    NOT_CHECKED = "not checked"


@dataclass(frozen=True, slots=True)
class Check:
    """One check."""

    name: str
    """One word, for example "clock"."""
    status: Status
    sentence: str
    """The finding, or why it was not checked."""
    record: int | None = None
    """The index of the first record that does not fit; only for FAILED."""


def judged(name: str, flaw: Flaw | None, sentence: str) -> Check:
    """Return a check that failed if there is a flaw; else one that passed, with this sentence."""
    return (
        Check(name, Status.FAILED, flaw.sentence, flaw.record) if flaw else Check(name, Status.OK, sentence)
    )


def not_checked(name: str, why: str) -> Check:
    """Return a check that could not be done."""
    return Check(name, Status.NOT_CHECKED, why)
