"""Where the current player might end its Movement, and by how many Wilds: estimates, no rules."""

from typing import Final, NamedTuple

from engine.wasteland.board import CITY, LINKED, NOWHERE, SPACE_KINDS, SPACES, TOWN, WILD
from engine.wasteland.position import Position
from engine.wasteland.quick.ways import MOST_STEPS, WAYS
from engine.wasteland.quick.worth import STEP, Buyer, Errands, Fighter

MOST_WILDS: Final = 3
"""More in one Movement are not looked at."""

_REQUIRED: Final = 2
"""Attack cards of a Wild (W34)."""


class Aim(NamedTuple):
    """An end of a Movement."""

    worth: float
    end: int
    wilds: int
    """Still to be entered on the way."""
    first: int
    """Where the first step leads; NOWHERE: the Movement ends here."""


def aims(position: Position, steps: int) -> list[Aim]:
    """Return all ends of the current player's Movement with so many steps left, in no order; at least one."""
    return _aims(position, steps, MOST_WILDS, every=True)


def best_aim(position: Position, steps: int, most_wilds: int = MOST_WILDS) -> Aim:
    """Return the aim worth most with at most so many Wilds in this Movement; of equals the first, a stop before all."""
    best: Aim | None = None
    for aim in _aims(position, steps, most_wilds, every=False):
        if best is None or aim.worth > best.worth:
            best = aim
    assert best is not None
    return best


def _aims(position: Position, steps: int, most_wilds: int, *, every: bool) -> list[Aim]:
    """By first step and end, every number of Wilds or only the best one."""
    seat = position.current
    here = position.spaces[seat]
    fights = _fights(position, seat)
    lingers = 1 if position.steps == 0 and SPACE_KINDS[here] == WILD else 0
    ends = _Ends(position, seat)
    found = [Aim(fights[lingers] + ends.worth(here), here, 0, NOWHERE)]
    if steps <= 0:
        return found
    choices = [_choices(mask, fights, every=every) for mask in range(1 << MOST_WILDS + 1)]
    more = 0 if position.sandstorm else max(0, most_wilds - len(position.wilds))
    allowed = (2 << more) - 1
    done = [0] * SPACES
    for near in LINKED[here]:
        enters = 1 if SPACE_KINDS[near] == WILD else 0
        if near in position.road_blocks or (enters and position.sandstorm):
            continue
        row = WAYS[min(steps, MOST_STEPS) - 1][near]
        for end in range(SPACES):
            fresh = row[end] << enters & allowed & ~done[end]
            if fresh and end not in position.road_blocks:
                done[end] |= fresh
                for wilds in choices[fresh]:
                    found.append(Aim(fights[wilds] + ends.worth(end), end, wilds, near))  # noqa: PERF401
    return found


def _fights(position: Position, seat: int) -> list[float]:
    """By Wilds still to be entered: what all fights of the turn will be worth."""
    fighter = Fighter(position, seat)
    before = sum([required for _, required in position.wilds])
    return [fighter.worth(float(before + _REQUIRED * wilds), 0.0) for wilds in range(MOST_WILDS + 1)]


def _choices(mask: int, fights: list[float], *, every: bool) -> list[int]:
    """Return the numbers of Wilds in a set of them, or the best one."""
    numbers = [wilds for wilds in range(MOST_WILDS + 1) if mask >> wilds & 1]
    if every or len(numbers) < 2:
        return numbers
    best = numbers[0]
    for wilds in numbers:
        if fights[wilds] > fights[best]:
            best = wilds
    return [best]


def path_of(position: Position, aim: Aim, steps: int) -> list[int]:
    """Return the spaces to step on, one after the other, to reach the aim with at most so many steps."""
    path: list[int] = []
    at, wilds = aim.first, aim.wilds
    while at != NOWHERE:
        path.append(at)
        steps -= 1
        wilds -= 1 if SPACE_KINDS[at] == WILD else 0
        at = NOWHERE if at == aim.end and not wilds else _next(position, at, aim.end, wilds, steps)
    return path


def _next(position: Position, at: int, end: int, wilds: int, steps: int) -> int:
    if steps <= 0:
        return NOWHERE
    for near in LINKED[at]:
        left = wilds - 1 if SPACE_KINDS[near] == WILD else wilds
        if left >= 0 and near not in position.road_blocks and WAYS[steps - 1][near][end] >> left & 1:
            return near
    return NOWHERE


class _Ends:
    """What the ends of a Movement are worth by themselves, each reckoned once."""

    __slots__ = ("_errands", "_purchase", "_worths")

    def __init__(self, position: Position, seat: int) -> None:
        self._errands = Errands(position, seat)
        self._purchase = Buyer(position, seat).best()[1]
        self._worths: list[float] = [-1.0] * SPACES

    def worth(self, space: int) -> float:
        """Return the worth of being there in Location."""
        known = self._worths[space]
        if known < 0:
            known = self._reckon(space)
            self._worths[space] = known
        return known

    def _reckon(self, space: int) -> float:
        kind = SPACE_KINDS[space]
        paid = self._errands.paid_at(space) if kind == TOWN else 0
        if paid:
            return paid + STEP
        worth = self._errands.best(space)[1]
        return worth + self._purchase if kind == CITY else worth
