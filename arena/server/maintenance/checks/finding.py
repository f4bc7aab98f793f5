"""What a check of `arena doctor` has found."""

from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    """How bad it is."""

    OK = "ok"
    WARN = "warn"
    """It works; something will go wrong, or has had a cost."""
    FAIL = "fail"
    """Something does not work, or was lost."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One line of the doctor's."""

    check: str
    """What was looked at, in a word or two."""
    level: Level
    says: str
    """What was found, one sentence."""
    do: str = ""
    """What to do about it, one sentence; empty if nothing."""


def ok(check: str, says: str) -> CheckResult:
    """Return a good result."""
    return CheckResult(check, Level.OK, says)


def warn(check: str, says: str, do: str) -> CheckResult:
    """Return a warning."""
    return CheckResult(check, Level.WARN, says, do)


def fail(check: str, says: str, do: str) -> CheckResult:
    """Return a failure."""
    return CheckResult(check, Level.FAIL, says, do)
