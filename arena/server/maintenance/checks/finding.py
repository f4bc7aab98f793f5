"""The result of a check."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    """How bad a result is."""

    OK = "ok"
    WARN = "warn"
    """It works, but something will go wrong, or has cost somebody."""
    FAIL = "fail"
    """Something does not work, or was lost."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One line of the doctor's output."""

    check: str
    """What was checked, in a word or two."""
    level: Level
    says: str
    """The result, one sentence."""
    do: str = ""
    """What to do, one sentence; empty for nothing."""


def ok(check: str, says: str) -> CheckResult:
    """Return a result without a problem."""
    return CheckResult(check, Level.OK, says)


def warn(check: str, says: str, do: str) -> CheckResult:
    """Return a result that needs attention."""
    return CheckResult(check, Level.WARN, says, do)


def fail(check: str, says: str, do: str) -> CheckResult:
    """Return a result of something broken."""
    return CheckResult(check, Level.FAIL, says, do)
