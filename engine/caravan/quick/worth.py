"""What a position is worth to each seat, in points of the score."""

from typing import Final

from engine.caravan.actions import AT_SHIFT, at_of, good_of
from engine.caravan.goods import NO_GOOD, POINTS
from engine.caravan.position import Position, Setup

DECAY: Final = 0.8
"""A delivery that still needs c action points counts with DECAY ** c of its value."""
FREE_BEST: Final = 0.55
FREE_SECOND: Final = 0.275
"""Weights of the best and the second best good that are still free for everybody."""
WIN: Final = 8.0
"""What winning is worth once the match is over, in points."""

_ODDS: Final = tuple(DECAY**cost for cost in range(100))


def leads(position: Position) -> list[float]:
    """By seat: how far it is ahead of the best and of the average other seat, in expected points."""
    seats = range(position.setup.seats)
    over = position.ending is not None
    points = [position.score(seat) + (0.0 if over else prospects(position, seat)) for seat in seats]
    return [_lead(points, seat, WIN if over else 0.0) for seat in seats]


def _lead(points: list[float], seat: int, win: float) -> float:
    own = points[seat]
    others = points[:seat] + points[seat + 1 :]
    best = max(others)
    lead = own - (best + sum(others) / len(others)) / 2
    return lead + win * ((own > best) - (own < best))


def prospects(position: Position, seat: int) -> float:
    """Return the points that the seat may expect beyond its score: from what it carries and the best free goods."""
    setup = position.setup
    board, prices = setup.board, _prices(position, seat)
    empty, occupied = position.empty[seat], position.occupied
    idle = position.supply[seat] + len(empty)
    worth = 0.0
    for camel in position.laden[seat]:
        good = good_of(camel)
        worth += POINTS[good] * _ODDS[_way(setup, prices, empty, at_of(camel), board.cities[good], idle)]
    carried = len(position.laden[seat])
    worth += carried * (carried - 1) / 4  # The penalty of C19 will mostly be worked off.
    if not position.may_carry_more(seat):
        return worth
    best = second = 0.0
    for space, good in enumerate(position.space_goods):
        if good != NO_GOOD:
            square = board.goods_spaces[space]
            cost = _way(setup, prices, empty, square, board.cities[good], idle - 1)
            if square in empty:
                cost += 1
            else:
                cost += 2
                for squares in occupied:
                    if squares & setup.tables.bits[square]:
                        cost += 1
                        break
            value = (POINTS[good] + position.space_markers[space]) * _ODDS[cost]
            if value > best:
                best, second = value, best
            elif value > second:
                second = value
    return worth + FREE_BEST * best + FREE_SECOND * second


def _prices(position: Position, seat: int) -> list[int]:
    """By square: the points to have a camel of the seat there on which a good can pass (C8)."""
    prices = [1] * position.setup.tables.squares
    for other in range(position.setup.seats):
        for square in position.empty[other]:
            prices[square] = 2
        for camel in position.laden[other]:
            prices[camel >> AT_SHIFT] = 2
    for square in position.empty[seat]:
        prices[square] = 0
    for camel in position.laden[seat]:
        prices[camel >> AT_SHIFT] = 0
    return prices


def _way(setup: Setup, prices: list[int], empty: tuple[int, ...], start: int, end: int, hands: int) -> int:
    """Return the points for camels along the cheapest of the shortest paths, and for the moves of the good."""
    goal = prices[end]
    if goal == 0 and end not in empty:
        goal = 2  # Only an empty camel can receive the good.
    if start == end:
        return goal + 1
    columns = setup.board.columns
    row, column = start // columns, start % columns
    rows, across = end // columns - row, end % columns - column
    down, right = columns if rows > 0 else -columns, 1 if across > 0 else -1
    rows, across = abs(rows), abs(across)
    line = [0] * (across + 1)
    square = start
    for place in range(1, across + 1):
        square += right
        line[place] = line[place - 1] + prices[square]
    first = start
    for _ in range(rows):
        first += down
        square = first
        cost = line[0] + prices[square]
        line[0] = cost
        for place in range(1, across + 1):
            square += right
            before = line[place]
            cost = min(cost, before)
            cost += prices[square]
            line[place] = cost
    steps = rows + across
    cost = line[across] - prices[end] + goal
    if 0 < hands < steps:
        return cost + (steps + hands - 1) // hands
    return cost + 1


def odds(cost: int) -> float:
    """Return how much of its value a delivery counts that still needs so many action points."""
    return _ODDS[cost]
