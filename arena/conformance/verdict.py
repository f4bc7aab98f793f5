"""What a scenario can come out as."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """How a scenario came out."""

    PASSED = "passed"
    FAILED = "failed"
    ADVICE = "advice"
    """The bot does otherwise than the page recommends; that fails no run."""
    NOT_TRIED = "not tried"


@dataclass(frozen=True, slots=True)
class Demand:
    """A sentence of docs/protocol.md, and what a bot has to do to follow it."""

    section: str
    """The heading under which the sentence stands."""
    sentence: str
    """As it is written there, but for line ends."""
    to_do: str
    """One sentence for the bot's author."""


class UnmetError(Exception):
    """The bot does not do what the page asks for."""

    def __init__(self, what: str, demand: Demand) -> None:
        """`what` the bot did, in one sentence."""
        super().__init__(what)
        self.what = what
        self.demand = demand


class NotTriedError(Exception):
    """A scenario cannot be tried with this bot or on this machine; the message says why."""


@dataclass(frozen=True, slots=True)
class Row:
    """One scenario as it came out."""

    scenario: str
    verdict: Verdict
    why: str
    """What the bot did, why it was not tried, or, if it passed, what the scenario tries; one sentence."""
    demand: Demand | None = None
    """What was not met."""
    messages: tuple[str, ...] = ()
    """The last messages as text, oldest first: `>` said by the bot, `<` by the arena."""
    output: tuple[str, ...] = ()
    """The last lines that the bot's program wrote."""
