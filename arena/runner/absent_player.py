"""The player of a seat that no bot takes: its match is decided, or continues, without it."""

from __future__ import annotations

from arena.core.clock.time_control import TimeControl
from arena.core.match import MatchSetup
from arena.core.referee.referee import Network
from arena.runner.match_runner import MatchRunner
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
