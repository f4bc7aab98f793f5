"""The player of a seat that nobody takes: its match is decided, or goes on, without it."""

from __future__ import annotations

from arena.core.clock.time_control import TimeControl
from arena.core.endings.terminations import SeatEnding
from arena.core.match import MatchSetup
from arena.core.referee.effects import CloseDecision, IgnoreAnswer
from arena.core.referee.referee import Network
from arena.runner.history import Happening
from arena.runner.player import MatchOver, SeatPort
from arena.runner.question import Question


class AbsentPlayer:
    """Takes the seat of a bot that has forfeited before the match began, or that wins without being asked.

    It is ready at once and is never asked: either its seat has forfeited, or the match ends when it begins.
    """

    def offer(self, setup: MatchSetup, seat: int, port: SeatPort) -> None:
        """It waits for `take_seat`: a player does not call back into the match at once."""
        self._port = port

    def take_seat(self) -> None:
        """It is ready."""
        self._port.ready()

    def withdraw(self, why: str) -> None:
        """Nobody is to be told."""

    def start(self, observation: object) -> None:
        """Nobody is to be told."""

    def ask(self, question: Question) -> None:
        """The match has failed to end: an error of the arena."""
        raise AssertionError("a seat that nobody takes was asked")

    def news(self, happened: list[Happening]) -> None:
        """Nobody is to be told."""

    def close(self, closed: CloseDecision) -> None:
        """Nobody is to be told."""

    def ignore(self, ignored: IgnoreAnswer) -> None:
        """Nobody is to be told."""

    def end_seat(self, ending: SeatEnding) -> None:
        """Nobody is to be told."""

    def end_match(self, ended: MatchOver) -> None:
        """Nobody is to be told."""

    def network(self, control: TimeControl) -> Network:
        """It has none."""
        return Network(0, None)

    def processor(self, started: int, now: int) -> None:
        """It is no program."""

    @property
    def present(self) -> bool:
        """It has no connection that could be lost."""
        return True

    @property
    def live(self) -> bool:
        """It wants no news."""
        return False
