"""Offers and gifts between seats in a logged match, and their balance, which shows collusion.

Amounts are by the words of the game's notation, as in `engine.game.Exchange`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from arena.core.fair_play.trade_totals import summed
from arena.core.match import Cause
from arena.match_log.reader import MatchLog
from arena.match_report.plies import positions
from engine.game import Exchange, Game


@dataclass(frozen=True, slots=True)
class Trade:
    """An offer that was answered."""

    ply: int
    """Of the answer, counted from 0 in the match."""
    cause: Cause
    """How the answer came: CHOSEN by the target, or the default that the arena played for it."""
    exchange: Exchange

    @property
    def gift(self) -> tuple[int, int] | None:
        """Who gives whom for nothing, if it is accepted and one side is empty."""
        each = self.exchange
        if not each.accepted or (each.gave and each.got):
            return None
        return (each.proposer, each.target) if each.gave else (each.target, each.proposer)


@dataclass(frozen=True, slots=True)
class PairTrades:
    """All trades between two seats."""

    seats: tuple[int, int]
    """Ascending."""
    offers: int
    """Offers of either side that were answered."""
    accepted: int
    gave: tuple[Mapping[str, int], Mapping[str, int]]
    """What each of the two gave the other in accepted ones, in sum."""
    gifts: tuple[int, int]
    """How often each of the two gave and got nothing for it."""


@dataclass(frozen=True, slots=True)
class SeatTrades:
    """All trades of one seat."""

    seat: int
    gave: Mapping[str, int]
    got: Mapping[str, int]
    gifts_given: int
    gifts_got: int


def trades(log: MatchLog, game: Game) -> tuple[Trade, ...] | None:
    """Return the answered offers in order; None if the log does not fit the rules of this software.

    A game without trades has none, and is not played again.
    """
    if type(game).exchange is Game.exchange:
        return ()
    exchanges = [(game.exchange(state, ply.action), ply.cause) for state, ply in positions(log, game)]
    if len(exchanges) != len(log.plies):
        return None
    return tuple(Trade(number, cause, each) for number, (each, cause) in enumerate(exchanges) if each)


def between(found: Sequence[Trade]) -> tuple[PairTrades, ...]:
    """Return the balance of each two seats of which one has made the other an offer, by their numbers."""
    seats = sorted({seat for each in found for seat in (each.exchange.proposer, each.exchange.target)})
    balances = []
    for a, b in combinations(seats, 2):
        both = [each for each in found if {each.exchange.proposer, each.exchange.target} == {a, b}]
        if both:
            accepted = sum(each.exchange.accepted for each in both)
            gave = (_given(both, a), _given(both, b))
            gifts = (_gifts(both, a), _gifts(both, b))
            balances.append(PairTrades((a, b), len(both), accepted, gave, gifts))
    return tuple(balances)


def in_all(found: Sequence[Trade], seat: int) -> SeatTrades:
    """Return the balance of one seat."""
    got = summed(amounts for _, taker, amounts in _flows(found) if taker == seat)
    gifts_got = sum(each.gift is not None and each.gift[1] == seat for each in found)
    return SeatTrades(seat, _given(found, seat), got, _gifts(found, seat), gifts_got)


def _flows(found: Iterable[Trade]) -> Iterator[tuple[int, int, Mapping[str, int]]]:
    """Yield giver, receiver and what was given."""
    for each in found:
        exchange = each.exchange
        if exchange.accepted:
            yield exchange.proposer, exchange.target, exchange.gave
            yield exchange.target, exchange.proposer, exchange.got


def _given(found: Iterable[Trade], seat: int) -> Mapping[str, int]:
    return summed(amounts for giver, _, amounts in _flows(found) if giver == seat)


def _gifts(found: Iterable[Trade], seat: int) -> int:
    """Return how often a seat gave and got nothing for it."""
    return sum(each.gift is not None and each.gift[0] == seat for each in found)
