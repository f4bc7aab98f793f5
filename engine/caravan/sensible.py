"""A quick policy that finishes matches: one job at a time, a chain of camels from a good to its city.

It is no strong player. It exists because random play hardly ever delivers anything.
"""

from typing import Final

from engine.caravan.actions import (
    KIND_SHIFT,
    MOVE_GOOD,
    PASS_ACTION,
    PROTECTED,
    at_of,
    good_of,
    move,
    pick_up,
    place,
    steal,
)
from engine.caravan.goods import NO_GOOD, POINTS
from engine.caravan.legal import squares_of
from engine.caravan.objections import cost_of_target
from engine.caravan.position import Position
from engine.game import TERMINAL, IllegalActionError
from engine.randomness import Stream

_ONE_RANDOM_ACTION_IN: Final = 40
_MOST_CARRIED: Final = 2
_STEALS_ONE_TIME_IN: Final = 3
_NOISE: Final = 4
_NOWHERE: Final = -1


def sensible_action(position: Position, stream: Stream) -> int:
    """Return a legal action, mostly a step of the job nearest to a delivery."""
    seat = position.seat_to_act
    if seat == TERMINAL:
        raise IllegalActionError("No action may be chosen: the match is over.")
    if stream.uniform(_ONE_RANDOM_ACTION_IN) == 0:
        listed = position.legal_actions()
        return listed[stream.uniform(len(listed))]
    taken = _taking(position, seat, stream)
    if taken:
        return taken
    if position.laden[seat]:
        return _step_of_best_job(position, seat, stream)
    return _approach(position, seat, stream)


def distance(position: Position, here: int, there: int) -> int:
    """Return the number of orthogonal steps between two squares."""
    return position.setup.tables.steps[here][there]


def _taking(position: Position, seat: int, stream: Stream) -> int:
    """Return a pick-up or a steal that can be made at once, or 0."""
    if len(position.laden[seat]) >= _MOST_CARRIED:
        return 0
    for square in position.empty[seat]:
        if position.goods_on_spaces & position.setup.tables.bits[square]:
            return pick_up(square)
    if position.theft_markers[seat] and stream.uniform(_STEALS_ONE_TIME_IN) == 0:
        for victim in range(position.setup.seats):
            if victim != seat:
                for camel in position.laden[victim]:
                    if not camel & PROTECTED and at_of(camel) in position.empty[seat]:
                        return steal(at_of(camel), victim, good_of(camel))
    return 0


def _step_of_best_job(position: Position, seat: int, stream: Stream) -> int:
    """Return the next step for the carried good whose chain of camels ends nearest to its city."""
    best, best_left, best_group = _NOWHERE, 0, 0
    for camel in position.laden[seat]:
        group = position.setup.tables.group(position.occupied[seat], at_of(camel))
        left = distance(position, _front(position, group, _city(position, camel)), _city(position, camel))
        if best == _NOWHERE or left < best_left:
            best, best_left, best_group = camel, left, group
    return _step(position, best, best_group, stream)


def _city(position: Position, camel: int) -> int:
    return position.setup.board.cities[good_of(camel)]


def _front(position: Position, squares: int, city: int) -> int:
    """Return the square of the set that is nearest to the city."""
    front, front_left = _NOWHERE, 0
    for square in squares_of(squares):
        left = distance(position, square, city)
        if front == _NOWHERE or left < front_left:
            front, front_left = square, left
    return front


def _step(position: Position, camel: int, group: int, stream: Stream) -> int:
    """Deliver the good, lengthen its chain by a spare camel, or move it along when no camel is spare.

    At least one camel carries nothing (C12): if none is spare, an empty one is ahead of the good.
    """
    seat, city = position.seat_to_act, _city(position, camel)
    empties = 0
    for square in position.empty[seat]:
        empties |= position.setup.tables.bits[square]
    target = _front(position, group & empties, city)
    move_good = MOVE_GOOD << KIND_SHIFT | camel | target
    if target == city:
        return move_good
    chain = _chain(position, group, at_of(camel), city)
    spare = _spare(position, chain, city)
    if spare != _NOWHERE or position.supply[seat]:
        return _lengthen(position, spare, _front(position, group, city), city, stream)
    return move_good


def _chain(position: Position, group: int, start: int, city: int) -> int:
    """Return the squares of the group that are nearer to the city than the good's own."""
    left = distance(position, start, city)
    chain = 0
    for square in squares_of(group):
        if distance(position, square, city) < left:
            chain |= position.setup.tables.bits[square]
    return chain


def _spare(position: Position, chain: int, city: int) -> int:
    """Return the square of the empty camel farthest from the city that the chain does not need, or _NOWHERE."""
    seat = position.seat_to_act
    spare, spare_left, previous = _NOWHERE, -1, _NOWHERE
    for square in position.empty[seat]:
        left = distance(position, square, city)
        needed = chain & position.setup.tables.bits[square] and square != previous
        if not needed and left > spare_left:
            spare, spare_left = square, left
        previous = square
    return spare


def _lengthen(position: Position, spare: int, front: int, city: int, stream: Stream) -> int:
    """Put a camel beside the front, one step nearer to the city, on a free square if there is one."""
    left = distance(position, front, city)
    beside = position.setup.tables.beside[front]
    nearer = [square for square in beside if distance(position, square, city) < left]
    if not nearer:  # a laden camel stands on the city: an empty one joins it
        nearer = [city]
    free = [square for square in nearer if cost_of_target(position, square) == 1]
    if not free and position.points < 2:
        return PASS_ACTION
    choices = free or nearer
    return _bring(position, spare, choices[stream.uniform(len(choices))])


def _bring(position: Position, spare: int, to: int) -> int:
    """Bring a camel there, from the supply if there is one, else the spare one."""
    if position.supply[position.seat_to_act]:
        return place(to)
    return move(spare, to) if spare not in (_NOWHERE, to) else PASS_ACTION


def _approach(position: Position, seat: int, stream: Stream) -> int:
    """Bring a camel to the most promising good, on a goods space or on another seat's camel."""
    best, best_worth = _NOWHERE, 0
    for space, good in enumerate(position.space_goods):
        square = position.setup.board.goods_spaces[space]
        if good != NO_GOOD and cost_of_target(position, square) <= position.points:
            way = distance(position, square, position.setup.board.cities[good])
            worth = 2 * (POINTS[good] + position.space_markers[space]) - 2 * way + stream.uniform(_NOISE)
            if best == _NOWHERE or worth > best_worth:
                best, best_worth = square, worth
    if best == _NOWHERE:
        best = _robbable(position, seat)
    if best == _NOWHERE:
        return PASS_ACTION
    camels = position.empty[seat]
    return _bring(position, camels[stream.uniform(len(camels))] if camels else _NOWHERE, best)


def _robbable(position: Position, seat: int) -> int:
    """Return the square of a good that the seat could steal with a camel there, or _NOWHERE."""
    if position.theft_markers[seat] and position.points >= 2:
        for victim in range(position.setup.seats):
            for camel in position.laden[victim]:
                if victim != seat and not camel & PROTECTED:
                    return at_of(camel)
    return _NOWHERE
