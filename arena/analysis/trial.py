"""The moves of one decision, what they have come to so far, and what the played one has cost."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import NormalDist, fmean, stdev
from typing import Final

from arena.analysis.decisions import SeatDecision
from arena.analysis.judging import Move, Reply, Request

_QUANTILE: Final = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Loss:
    """What a decision has cost, in expected score (0 to 1) or, with one seat, in points of the score."""

    mean: float
    low: float
    high: float
    """Ends of the 95 % interval."""
    error: float
    """The standard error of the mean; 0 if there is one deal only."""
    deals: int


NO_LOSS: Final = Loss(0.0, 0.0, 0.0, 0.0, 0)
"""Of a decision without an alternative."""


def loss_of(differences: Sequence[float]) -> Loss:
    """Return the mean of differences of single deals with its interval, by Student's distribution."""
    count = len(differences)
    mean = fmean(differences)
    if count == 1:
        return Loss(mean, -math.inf, math.inf, 0.0, 1)
    error = stdev(differences) / math.sqrt(count)
    half = _student(count - 1) * error
    return Loss(mean, mean - half, mean + half, error, count)


def _student(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t; exact for 1 and 2, else by its expansion, within 1 %."""
    if freedom == 1:
        return math.tan(math.pi * 0.475)
    if freedom == 2:
        return 0.95 * math.sqrt(2 / (1 - 0.95**2))
    z = _QUANTILE
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, 1))


@dataclass(slots=True)
class Trial:
    """One decision on trial. All its moves have been tried on the same deals."""

    game: str
    decision: SeatDecision
    seed: bytes
    moves: list[Move] = field(default_factory=list)
    is_played: list[bool] = field(default_factory=list)
    scores: list[list[float]] = field(default_factory=list)
    """By move, of the deals that count."""
    next_deal: int = 0
    playouts: int = 0
    advice: Move = ()
    """A further move, to be tried from the next deal on."""
    starts_anew: bool = False
    """Whether only deals to come count."""

    def request(self, deals: int) -> Request:
        """Return the request to try the moves on so many further deals, or to find them first."""
        moves = (*self.moves, self.advice) if self.advice else tuple(self.moves)
        return self._request(moves, self.next_deal, deals)

    def advice_request(self) -> Request:
        """Return the request for the sample bot's advice: all moves, none of them tried."""
        return self._request((), 0, 0, advised=True)

    def _request(self, moves: tuple[Move, ...], first: int, deals: int, *, advised: bool = False) -> Request:
        seen, played = self.decision.observation, self.decision.played
        return Request(self.game, seen, played, self.seed, moves, first, deals, advised)

    def take(self, reply: Reply) -> None:
        """Add what the moves have come to."""
        if not self.moves or self.starts_anew:
            self.moves, self.is_played = list(reply.moves), list(reply.is_played)
            self.scores = [[] for _ in self.moves]
            self.advice, self.starts_anew = (), False
        for scores in reply.scores:
            for known, score in zip(self.scores, scores, strict=True):
                known.append(score)
        self.next_deal += len(reply.scores)
        self.playouts += len(reply.scores) * len(self.moves)

    def take_advice(self, reply: Reply) -> None:
        """Try the advice, which is the last of the moves in the reply, from now on, if it is not among them yet."""
        if reply.moves[-1] not in self.moves:
            self.advice, self.starts_anew = reply.moves[-1], True

    def start_anew(self) -> None:
        """Count only deals to come, so that a choice by earlier ones does not flatter what was chosen."""
        self.starts_anew = True

    @property
    def has_alternative(self) -> bool:
        """Whether there is a move to compare with."""
        return not all(self.is_played) and any(self.is_played)

    def keep(self, *, played: int, others: int) -> None:
        """Keep so many of the ways to complete what was played, and of the alternatives: the best ones so far."""
        kept = [*self._ranked(is_played=True)[:played], *self._ranked(is_played=False)[:others]]
        self.moves = [self.moves[place] for place in kept]
        self.is_played = [self.is_played[place] for place in kept]
        self.scores = [self.scores[place] for place in kept]

    def better(self) -> Move:
        """Return the best alternative."""
        return self.moves[self._ranked(is_played=False)[0]]

    def loss(self) -> Loss:
        """Return what was lost against the best alternative."""
        if not self.has_alternative or not self.scores[0]:
            return NO_LOSS
        played, other = self._ranked(is_played=True)[0], self._ranked(is_played=False)[0]
        pairs = zip(self.scores[other], self.scores[played], strict=True)
        return loss_of([best - own for best, own in pairs])

    def _ranked(self, *, is_played: bool) -> list[int]:
        """Return places of the moves, the best first."""
        places = [place for place, own in enumerate(self.is_played) if own is is_played]
        return sorted(places, key=lambda place: -sum(self.scores[place]))
