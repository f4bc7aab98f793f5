"""Cash and resources that come and go."""

from engine.wasteland.events import GoalReached, lost_resource
from engine.wasteland.position import Position
from engine.wasteland.resources import ANY, excess


def gain_cash(position: Position, seat: int, cash: int) -> None:
    """Add to the seat's Cash; it may be the first to reach the goal (W65)."""
    position.cash[seat] += cash
    if not position.goal_reached and position.cash[seat] >= position.setup.goal:
        position.goal_reached = True
        position.events.append(GoalReached(seat))


def lose_resource(position: Position, seat: int, resource: int, number: int) -> None:
    """Take units away, for all to see (W75)."""
    position.add_units(seat, resource, -number)
    position.events.append(lost_resource(seat, resource, number))


def has_room(position: Position, seat: int, resource: int) -> bool:
    """Return whether one more unit of it fits (W20)."""
    stored, slots = position.stores[seat], position.slots(seat)
    over = excess(stored, slots)
    if stored[resource] >= slots[resource]:
        over += 1
    return over <= slots[ANY]
