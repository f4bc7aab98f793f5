"""A decision that is on its way to a bot."""

from __future__ import annotations

from typing import Protocol

from arena.core.match import MatchSetup
from arena.runner.question import Question


class AskedSeat(Protocol):
    """The seat that a decision is put to."""

    @property
    def assignment(self) -> int:
        """Its number within its session, which a claim may change."""
        ...

    @property
    def setup(self) -> MatchSetup:
        """Its match."""
        ...

    def written(self, decision: int, at: int) -> None:
        """gRPC has taken the frame that holds the question."""
        ...


class Asked:
    """A decision. Its clock starts when it has been written."""

    def __init__(self, seat: AskedSeat, question: Question, time_left_ms: int) -> None:
        """It is put to the seat, which has so much time left for it."""
        self.seat = seat
        self.question = question
        self.time_left_ms = time_left_ms
