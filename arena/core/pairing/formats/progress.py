"""How far a bot has come: its points in a format that counts them, its place in one that eliminates bots."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, runtime_checkable

from arena.core.pairing.formats.plan import Bracket, Format, History


class ProgressStatus(Enum):
    """Whether a bot can still win; the numbers of proto/arena/v1/tournament.proto."""

    IN = 1
    OUT = 2
    """It was eliminated, or has withdrawn."""


@dataclass(frozen=True, slots=True)
class BotProgress:
    """How far one bot has come."""

    points_milli: int | None = None
    """Its points in the Swiss that it plays or has played last, in thousandths; None in other formats."""
    status: ProgressStatus | None = None
    """None in a format that eliminates nobody."""
    stage: int = 1
    """The last stage that it has reached."""
    pool: int = 0
    bracket: Bracket = Bracket.NONE
    """Where its newest tie is: the one that it plays, waits for, or was eliminated in; NONE: it has none."""
    level: int = 0
    """The round of that tie within the bracket, from 1; 0: it has none."""


@runtime_checkable
class Progressive(Protocol):
    """A format in which bots have points or are eliminated."""

    def progress(self, history: History) -> dict[str, BotProgress]:
        """Return how far each entrant has come."""


def progress_of(form: Format, history: History) -> dict[str, BotProgress]:
    """Return how far each entrant has come; nothing if the format neither counts points nor eliminates bots."""
    return form.progress(history) if isinstance(form, Progressive) else {}


def bracket_progress(
    history: History, reached: Mapping[str, tuple[Bracket, int]], out: Collection[str]
) -> dict[str, BotProgress]:
    """Return the progress of all entrants of a bracket.

    `reached`: bracket and level of the newest tie of each that has one. `out`: those that were eliminated.
    """
    gone = {each.bot for each in history.withdrawals}
    found: dict[str, BotProgress] = {}
    for bot in history.entrants:
        bracket, level = reached.get(bot, (Bracket.NONE, 0))
        status = ProgressStatus.OUT if bot in out or bot in gone else ProgressStatus.IN
        found[bot] = BotProgress(status=status, bracket=bracket, level=level)
    return found
