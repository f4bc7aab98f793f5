"""What a tournament format gets and returns: the rounds so far, and the pairings of the next round.

A format is a pure function. It is called when all match groups of the newest round are complete, and gets the
rounds as they were played, the withdrawals and the tournament's secret. So a crash changes no pairing, and anyone
can recompute every round from the results and the revealed secret (`arena log verify --tournament`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Protocol


class Bracket(Enum):
    """The part of a round that a pairing belongs to; the numbers of proto/arena/v1/tournament.proto."""

    NONE = 0
    """The format has no brackets."""
    WINNERS = 1
    """Bots that have not lost a tie; the only bracket of a knockout."""
    LOSERS = 2
    """Bots that have lost one tie of a double elimination."""
    FINAL = 3
    THIRD_PLACE = 4


@dataclass(frozen=True, slots=True)
class RoundPairing:
    """One pairing of a round; it is one match group."""

    bots: tuple[str, ...]
    """In the order of entry; seats are drawn later."""
    stage: int = 1
    """From 1."""
    bracket: Bracket = Bracket.NONE
    table: int = 1
    """Its place in stage, round and bracket, from 1; in a knockout the number of the tie."""
    game: int = 1
    """The number of this group among those that decide a tie, from 1; 1 outside knockouts."""
    pool: int = 0
    """In a stage of several groups of bots the number of the group, from 1; otherwise 0."""


@dataclass(frozen=True, slots=True)
class PlayedPairing:
    """A pairing whose match group is complete."""

    pairing: RoundPairing
    score_milli: tuple[int, ...]
    """By bot: 1000 for each other bot of each match that it was placed before, 500 for the same placing."""
    pairs: tuple[int, ...]
    """By bot: how many pairs were scored; 0 if no match of the group has a result."""
    absent: tuple[bool, ...]
    """By bot: whether it was missing from every match of the group that was decided without it."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round whose pairings are complete."""

    pairings: tuple[PlayedPairing, ...]
    """In the order of the plan."""
    byes: tuple[str, ...] = ()
    """The bots that had a bye in it, in the order of entry."""


@dataclass(frozen=True, slots=True)
class NextRound:
    """The pairings of the next round."""

    pairings: tuple[RoundPairing, ...]
    """Empty: the tournament has ended."""
    byes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A bot that leaves a tournament."""

    bot: str
    after_round: int
    """It is in no round with a higher number; 0: it withdrew before the first."""


@dataclass(frozen=True, slots=True)
class History:
    """Everything that decides the next round."""

    entrants: tuple[str, ...]
    """In the order of entry, which is the seeding: the first is the strongest."""
    rounds: tuple[PlayedRound, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()
    secret: bytes = field(default=b"", repr=False)
    """32 bytes, from which all draws of the format come (arena.core.seeds); only drawn seeding needs it."""

    def entered(self, round_number: int) -> tuple[str, ...]:
        """Return the entrants that have not withdrawn before the round of this number, in the order of entry."""
        gone = {each.bot for each in self.withdrawals if each.after_round < round_number}
        return tuple(bot for bot in self.entrants if bot not in gone)

    def before(self, round_number: int) -> "History":
        """Return what the round of this number was planned from."""
        return replace(
            self,
            rounds=self.rounds[: round_number - 1],
            withdrawals=tuple(each for each in self.withdrawals if each.after_round < round_number),
        )


@dataclass(frozen=True, slots=True)
class PlanSize:
    """How large a tournament becomes without withdrawals: at least and at most."""

    rounds: tuple[int, int]
    groups: tuple[int, int]
    matches: tuple[int, int]
    """A group has as many matches as a match has seats."""


class Format(Protocol):
    """A tournament format with its parameters."""

    def check(self, entrants: Sequence[str]) -> None:
        """Check that a tournament of these bots is possible.

        Raises FailedPreconditionError: TOO_FEW_BOTS, PLAN_TOO_LARGE.
        """

    def expected_size(self, entrants: int) -> PlanSize:
        """Return the size of a tournament of so many bots that `check` accepts."""

    def next_round(self, history: History) -> NextRound:
        """Return the next round. Equal histories give equal rounds."""

    def ranking(self, history: History) -> tuple[tuple[str, ...], ...]:
        """Return all entrants, best first; those of one tuple share a rank."""
