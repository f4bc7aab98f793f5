"""The two sides of a seat: what a match says to a player, and what a player says to its match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from arena.core.clock.processor_use import ProcessorUse
from arena.core.clock.time_control import TimeControl
from arena.core.debug_line import DebugLine
from arena.core.endings.arena_faults import VoidCause
from arena.core.endings.terminations import SeatEnding
from arena.core.match import MatchSetup
from arena.core.match_record import MatchRecord
from arena.core.referee.effects import CloseDecision, IgnoreAnswer
from arena.core.referee.referee import Network, Refused
from arena.runner.history import Happening
from arena.runner.question import Question
from engine.game import State


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The end of a match as it is told to a player."""

    report: MatchRecord
    """What the store shows of the match."""
    observation: object
    """The last position, as a spectator sees it; None where the game itself has failed."""
    happened: list[Happening]
    """Since this seat's last decision."""


class SeatPort(Protocol):
    """What a player may say to its match about its seat; times are nanoseconds of the arena's monotonic clock."""

    @property
    def state(self) -> State:
        """The position, to read actions against; not to be changed."""
        ...

    def ready(self) -> None:
        """The seat is ready."""
        ...

    def released(self, decision: int, at: int) -> None:
        """Say that a question was given to the bot's connection, or would have been if there were one."""
        ...

    def sent(self, decision: int, at: int) -> None:
        """Say that a question was written at that time: its clock runs from then, if it does not run already."""
        ...

    def answer(self, decision: int, answer: tuple[int, ...] | Refused, received: int) -> None:
        """An answer was received."""
        ...

    def resign(self, at: int) -> None:
        """The seat gives up."""
        ...

    def end(self, ending: SeatEnding, at: int) -> None:
        """The player is gone for good."""
        ...

    def lost(self, at: int, why: str) -> None:
        """The player has lost its connection. `why`: by what its bot has done, a sentence part; empty if not known."""
        ...

    def returned(self, at: int) -> None:
        """The player has a connection again."""
        ...

    def failed(self, decision: int) -> None:
        """The arena has failed at a decision of this seat (0: at none), by the exception that is being handled."""
        ...

    def void(self, cause: VoidCause) -> None:
        """The match is void by a fault of the arena."""
        ...

    def debug(self, line: DebugLine) -> None:
        """A private line for the bot's owner."""
        ...

    @property
    def over(self) -> bool:
        """Whether the match has its result: a line that is said now may come too late to be kept."""
        ...

    def time_left_ms(self, decision: int) -> int:
        """Thinking time until an open decision is lost, now."""
        ...


class Player(Protocol):
    """What answers for one seat of one match. No method blocks.

    None calls back into the match at once, but for `port.released`.
    """

    def offer(self, setup: MatchSetup, seat: int, port: SeatPort) -> None:
        """A seat is given to the player; it answers `port.ready`."""
        ...

    def withdraw(self, why: str) -> None:
        """The match does not begin."""
        ...

    def start(self, observation: object) -> None:
        """The match begins with this view."""
        ...

    def ask(self, question: Question) -> None:
        """Ask a decision; the player says `port.released`, at once or later, then `port.sent`, then `port.answer`."""
        ...

    def news(self, happened: list[Happening]) -> None:
        """Something has happened while the seat is not asked; told only to live players."""
        ...

    def close(self, closed: CloseDecision) -> None:
        """The default was played instead of an answer."""
        ...

    def ignore(self, ignored: IgnoreAnswer) -> None:
        """An answer had no effect."""
        ...

    def end_seat(self, ending: SeatEnding) -> None:
        """The seat has forfeited."""
        ...

    def end_match(self, ended: MatchOver) -> None:
        """The match is over and its result is stored."""
        ...

    def network(self, control: TimeControl) -> Network:
        """What is known of the network to the player now."""
        ...

    def processor(self, started: int, now: int) -> ProcessorUse | None:
        """What the program behind the player has had of the processors in this span; None unless the arena runs it."""
        ...

    @property
    def present(self) -> bool:
        """Whether the player has a connection now."""
        ...

    @property
    def live(self) -> bool:
        """Whether the player wants news in between its decisions."""
        ...
