"""The outcome of a scenario."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class ScenarioVerdict(StrEnum):
    """The outcome of a scenario."""

    PASSED = "passed"
    FAILED = "failed"
    ADVICE = "advice"
    """The bot follows the rules, but not a recommendation, or its client library cannot; that fails no run."""
    NOT_TRIED = "not tried"


@dataclass(frozen=True, slots=True)
class Requirement:
    """A sentence of docs/protocol.md, and what a bot has to do to follow it."""

    section: str
    """The heading under which the sentence stands."""
    sentence: str
    """As it is written there, but for line ends."""
    to_do: str
    """One sentence for the bot's author."""


AFTER_AN_END: Final = (
    "Find out why your program ended: read its output below. If there is none, start it by hand."
)
"""The advice if a program ends where it has to continue, whatever it had to do there."""


class UnmetError(Exception):
    """The bot does not meet a requirement."""

    def __init__(self, what: str, requirement: Requirement, *, ended: bool = False) -> None:
        """Make the error. `what`: the bot's action, in one sentence; `ended`: its program ended instead."""
        super().__init__(what)
        self.what = what
        self.requirement = requirement
        self.to_do = AFTER_AN_END if ended else requirement.to_do


class NotTriedError(Exception):
    """A scenario cannot be tried with this bot or on this machine; the message says why."""


class ResignedError(NotTriedError):
    """The bot has resigned a seat, which it may do at any time."""


@dataclass(frozen=True, slots=True)
class Row:
    """The outcome of one scenario."""

    scenario: str
    verdict: ScenarioVerdict
    why: str
    """The bot's action, why it was not tried, or, if it passed, what the scenario tries; one sentence."""
    requirement: Requirement | None = None
    """What was not met."""
    to_do: str = ""
    """What the bot's author can do about it, in one sentence."""
    messages: tuple[str, ...] = ()
    """The last messages as text, oldest first: `>` from the bot, `<` from the arena."""
    output: tuple[str, ...] = ()
    """The last lines that the bot's program wrote."""


def verdict_of(rows: Iterable[Row]) -> ScenarioVerdict:
    """Return the verdict on the bot: one failure fails it, advice does not. What was not tried does not count."""
    found = {row.verdict for row in rows}
    worst_first = (ScenarioVerdict.FAILED, ScenarioVerdict.ADVICE)
    return next((verdict for verdict in worst_first if verdict in found), ScenarioVerdict.PASSED)
