"""What a bot chose in a situation, and the three ways in which two situations count as the same.

No game is named here: the caller gives what was shown and what was chosen, as plain bytes and ints.
"""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum
from typing import Final

_EIGHTHS: Final = 8


class Likeness(Enum):
    """When two situations count as the same, the strictest first."""

    POSITION = "position"
    """Both seats were shown the same: position and legal actions, byte by byte."""
    ACTIONS = "actions"
    """The same legal actions, whatever else was shown."""
    HABIT = "habit"
    """The same kinds of legal actions, about as many of each, after the same kind of own action."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One action that a bot chose itself, where it had more than one."""

    bot: str
    match: int
    group: int
    """Its match group: matches of one group may share their luck, so they count as one observation."""
    situation: Hashable
    answer: Hashable
    share: float
    """How much of the legal actions would have counted as the same answer, 0 to 1."""


@dataclass(frozen=True, slots=True)
class ChosenAction:
    """An action that a bot chose, as it is read from a match."""

    shown: bytes
    """What the seat was shown, in one canonical form."""
    listed: bytes
    """The legal actions, in one canonical form."""
    kinds: tuple[str, ...]
    """By legal action, in the order of the list: its kind."""
    legal: tuple[int, ...]
    """The legal actions, ascending."""
    action: int
    kind: str
    """Of the action; it need not be in the list (an offer)."""
    before: str
    """The kind of the seat's own action before; empty for its first."""


def situation_of(decision: ChosenAction, likeness: Likeness) -> Hashable:
    """Return what two decisions have in common if they count as made in the same situation."""
    match likeness:
        case Likeness.POSITION:
            return decision.shown + decision.listed
        case Likeness.ACTIONS:
            return decision.listed
        case Likeness.HABIT:
            counts = Counter(decision.kinds)
            return decision.before, tuple((kind, counts[kind].bit_length()) for kind in sorted(counts))


def answer_of(decision: ChosenAction, likeness: Likeness) -> tuple[Hashable, float]:
    """Return what counts as the same answer, and the share of the legal actions that would.

    For a habit: the kind of the action, and in which eighth of the legal actions of its kind it is.
    """
    if likeness is not Likeness.HABIT:
        return decision.action, 1 / len(decision.legal)
    own = [
        action for action, kind in zip(decision.legal, decision.kinds, strict=True) if kind == decision.kind
    ]
    if decision.action not in own:
        return (decision.kind, -1), 1 / len(decision.legal)
    eighth = own.index(decision.action) * _EIGHTHS // len(own)
    alike = -(-(eighth + 1) * len(own) // _EIGHTHS) - -(-eighth * len(own) // _EIGHTHS)
    return (decision.kind, eighth), alike / len(decision.legal)
