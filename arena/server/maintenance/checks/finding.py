"""What a check of the doctor has found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    """How bad it is."""

    OK = "ok"
    WARN = "warn"
    """It works; something will go wrong, or has cost somebody."""
    FAIL = "fail"
    """Something does not work, or was lost."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor's."""

    check: str
    """What was looked at, in a word or two."""
    level: Level
    says: str
    """What was found, one sentence."""
    do: str = ""
    """What to do about it, one sentence; empty if nothing."""


def ok(check: str, says: str) -> Finding:
    """All is well."""
    return Finding(check, Level.OK, says)


def warn(check: str, says: str, do: str) -> Finding:
    """Something to look after."""
    return Finding(check, Level.WARN, says, do)


def fail(check: str, says: str, do: str) -> Finding:
    """Something is broken."""
    return Finding(check, Level.FAIL, says, do)
