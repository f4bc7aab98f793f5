"""The outcome of one check."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from arena.match_log.framing import Flaw


class Status(Enum):
    """How a check came out."""

    OK = "ok"
    FAILED = "failed"
    NOT_CHECKED = "not checked"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    """One word, for example "clock"."""
    status: Status
    sentence: str
    """What was found, or why it was not looked at."""
    record: int | None = None
    """The index of the first record that does not fit; only for FAILED."""


def passed(name: str, sentence: str) -> Check:
    """It is as it should be."""
    return Check(name, Status.OK, sentence)


def failed(name: str, flaw: Flaw) -> Check:
    """It is not as it should be."""
    return Check(name, Status.FAILED, flaw.sentence, flaw.record)


def not_checked(name: str, why: str) -> Check:
    """It could not be looked at."""
    return Check(name, Status.NOT_CHECKED, why)
