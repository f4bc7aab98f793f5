"""The player of a seat that no bot takes: its match is decided, or continues, without it."""

from __future__ import annotations

from arena.core.clock.time_control import TimeControl
from arena.core.endings.terminations import SeatEnding
from arena.core.match import MatchSetup
from arena.core.referee.effects import CloseDecision, IgnoreAnswer
from arena.core.referee.referee import Network
from arena.runner.history import Happening
from arena.runner.match_runner import MatchRunner
from arena.runner.player import MatchOver
from arena.runner.question import Question


class AbsentPlayer:
    """The stand-in for a bot that has forfeited before the match began, or that wins without being asked.

    It is never asked: either its seat has forfeited, or the match ends when it begins.
    """

    present = True
    live = False

    def offer(self, setup: MatchSetup, seat: int, match: MatchRunner) -> None:
        """Keep the seat for `take_seat`: a player does not call back into the match at once."""
        self._match, self._seat = match, seat

    def take_seat(self) -> None:
        """Say that it is ready."""
        self._match.ready(self._seat)

    def withdraw(self, why: str) -> None:
        """Do nothing."""

    def start(self, observation: object) -> None:
        """Do nothing."""

    def ask(self, question: Question) -> None:
        """Fail: the match should have ended."""
        raise AssertionError("a seat that no bot takes was asked")

    def news(self, happened: list[Happening]) -> None:
        """Do nothing."""

    def close(self, closed: CloseDecision) -> None:
        """Do nothing."""

    def ignore(self, ignored: IgnoreAnswer) -> None:
        """Do nothing."""

    def end_seat(self, ending: SeatEnding) -> None:
        """Do nothing."""

    def end_match(self, ended: MatchOver) -> None:
        """Do nothing."""

    def network(self, control: TimeControl) -> Network:
        """Return no network."""
        return Network(0, None)

    def processor(self, started: int, now: int) -> None:
        """Return None: it has no process."""
