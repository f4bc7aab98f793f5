"""What a match says to the player of a seat. What players say to the match are methods of `MatchRunner`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from arena.core.clock.processor_use import ProcessorUse
from arena.core.clock.time_control import TimeControl
from arena.core.endings.terminations import SeatEnding
from arena.core.match import MatchSetup
from arena.core.match_record import MatchRecord
from arena.core.referee.effects import CloseDecision, IgnoreAnswer
from arena.core.referee.referee import Network
from arena.runner.history import Happening
from arena.runner.question import Question

if TYPE_CHECKING:
    from arena.runner.match_runner import MatchRunner


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The end of a match as a player sees it."""

    report: MatchRecord
    """What the store shows of the match."""
    observation: object
    """The last position, as a spectator sees it; None where the game itself has failed."""
    happened: list[Happening]
    """Since this seat's last decision."""


class Player(Protocol):
    """The player of one seat of one match. No method blocks.

    None calls back into the match at once, but for `MatchRunner.released`.
    """

    def offer(self, setup: MatchSetup, seat: int, match: MatchRunner) -> None:
        """Offer a seat to the player; it answers `match.ready`."""

    def withdraw(self, why: str) -> None:
        """Cancel the offer: the match does not begin."""

    def start(self, observation: object) -> None:
        """Begin the match with this view."""

    def ask(self, question: Question) -> None:
        """Ask a decision; the player calls `match.released`, at once or later, then `sent`, then `answered`."""

    def news(self, happened: list[Happening]) -> None:
        """Take what has happened while the seat is not asked; called only for live players."""

    def close(self, closed: CloseDecision) -> None:
        """Close a decision: the default was played instead of an answer."""

    def ignore(self, ignored: IgnoreAnswer) -> None:
        """Note that an answer had no effect."""

    def end_seat(self, ending: SeatEnding) -> None:
        """Note that the seat has forfeited."""

    def end_match(self, ended: MatchOver) -> None:
        """Take the end of the match, whose result is stored."""

    def network(self, control: TimeControl) -> Network:
        """Return what is known of the network to the player."""

    def processor(self, started: int, now: int) -> ProcessorUse | None:
        """Return the processor use of the player's process in this span; None unless the arena hosts it."""

    @property
    def present(self) -> bool:
        """Whether the player has a connection now."""

    @property
    def live(self) -> bool:
        """Whether the player wants news between its decisions."""

    @property
    def sees_view(self) -> bool:
        """Whether the player is sent what it sees of the position with each decision."""

    @property
    def sees_list(self) -> bool:
        """Whether the player is sent the legal actions with each decision."""


class AbsentPlayer:
    """The stand-in for a bot that has forfeited before the match began, or that wins without being asked.

    It is never asked: either its seat has forfeited, or the match ends when it begins.
    """

    present = True
    live = False
    sees_view = False
    sees_list = False

    def offer(self, setup: MatchSetup, seat: int, match: MatchRunner) -> None:
        """Keep the seat for `take_seat`: a player does not call back into the match at once."""
        self._match, self._seat = match, seat

    def take_seat(self) -> None:
        """Say that it is ready."""
        self._match.ready(self._seat)

    def _do_nothing(self, *_: object, **__: object) -> None:
        """Take what needs no answer."""

    withdraw = start = news = close = ignore = end_seat = end_match = _do_nothing

    def ask(self, question: Question) -> None:
        """Fail: the match should have ended."""
        raise AssertionError("a seat that no bot takes was asked")

    def network(self, control: TimeControl) -> Network:
        """Return no network."""
        return Network(0, None)

    def processor(self, started: int, now: int) -> None:
        """Return None: it has no process."""
