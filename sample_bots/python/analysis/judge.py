"""What the judge of a game has to know, and how it is found."""

import math
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Protocol, TypeVar

from engine.game import Outcome, State
from engine.randomness import Stream
from sample_bots.python.search.tree import Move

S = TypeVar("S", bound=State)
S_contra = TypeVar("S_contra", bound=State, contravariant=True)


class Judge(Protocol[S_contra]):
    """One game as its strongest sample bot sees it: which moves are worth a look, and what a position is worth."""

    bot: str
    """The sample bot whose search this is."""

    def moves(self, state: S_contra) -> Sequence[Move]:
        """Return moves of the seat to act that are worth a look, the best first; at least one."""
        ...

    def continues(self, before: S_contra, after: S_contra) -> bool:
        """Return whether a move from `before` is still incomplete in `after`, with the same seat to act."""
        ...

    def play_on(self, state: S_contra, root: S_contra, stream: Stream) -> None:
        """Play on by the quick policy until the position is valued. `root`: the position before the move."""
        ...

    def points(self, state: S_contra) -> Sequence[float]:
        """By seat: the score that the position promises, in points; the match is not over."""
        ...

    def spread(self, state: S_contra) -> float:
        """Return the lead in points over another seat that wins with a chance of 73 % (a logistic scale)."""
        ...

    def advice(self, deal: Callable[[], S_contra], seed: bytes) -> Move | None:
        """Return the move of the sample bot's whole search; None if `moves` has it first. `deal`: gives positions."""
        ...


class NoJudgeError(Exception):
    """There is no judge of the game. The message is one sentence for people."""


def judge_of(game: str) -> Judge[Any]:
    """Return the judge of a game: the JUDGE of `sample_bots.python.<game>.search.judge`. Raises NoJudgeError."""
    path = f"sample_bots.python.{game}.search.judge"
    try:
        judge: Judge[Any] = import_module(path).JUDGE
    except ModuleNotFoundError as error:
        if error.name is None or not path.startswith(error.name):
            raise
        raise NoJudgeError(f"No sample bot of {game} can judge decisions.") from None
    return judge


def expected_scores(judge: Judge[S], state: S) -> list[float]:
    """By seat: the expected score, 0 to 1, the mean over the other seats; with one seat the points."""
    outcome = state.outcome()
    if outcome is not None:
        return _scores(outcome)
    points = judge.points(state)
    if len(points) == 1:
        return list(points)
    spread = judge.spread(state)
    return [
        sum(_chance((own - other) / spread) for place, other in enumerate(points) if place != seat)
        / (len(points) - 1)
        for seat, own in enumerate(points)
    ]


def _scores(outcome: Outcome) -> list[float]:
    """As ratings count the placings: 1 for each seat behind, a half for each with the same placing."""
    placings = outcome.placings
    if len(placings) == 1:
        return [float(outcome.scores[0])]
    return [
        (sum((its > own) + (its == own) / 2 for its in placings) - 0.5) / (len(placings) - 1)
        for own in placings
    ]


def _chance(lead: float) -> float:
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, lead))))
