"""Where the current player might end its Movement, and by how many Wilds: estimates, no rules."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.wasteland.board import CITY, LINKED, NOWHERE, SPACE_KINDS, SPACES, TOWN, WILD
from engine.wasteland.position import Position
from engine.wasteland.quick.ways import MOST_STEPS, WAYS
from engine.wasteland.quick.worth import STEP, Errands, best_purchase, fights_worth, turns_left

_MOST_WILDS: Final = 3
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
    """All ends of the current player's Movement with so many steps left, in no order; at least one."""
    seat = position.current
    here = position.spaces[seat]
    lingers = 1 if position.steps == 0 and SPACE_KINDS[here] == WILD else 0
    before = sum([required for _, required in position.wilds])
    turns = turns_left(position)
    fights = [
        fights_worth(position, seat, float(before + _REQUIRED * wilds), 0.0, turns)
        for wilds in range(_MOST_WILDS + 1)
    ]
    ends = _Ends(position, seat)
    found = [Aim(fights[lingers] + ends.worth(here), here, 0, NOWHERE)]
    if steps <= 0:
        return found
    done = [0] * SPACES
    for near in LINKED[here]:
        enters = 1 if SPACE_KINDS[near] == WILD else 0
        if near in position.road_blocks or (enters and position.sandstorm):
            continue
        row = WAYS[min(steps, MOST_STEPS) - 1][near]
        for end in range(SPACES):
            fresh = row[end] << enters & ~done[end]
            if position.sandstorm:
                fresh &= 1
            if not fresh or end in position.road_blocks:
                continue
            done[end] |= fresh
            found += [
                Aim(fights[wilds] + ends.worth(end), end, wilds, near)
                for wilds in range(_MOST_WILDS + 1)
                if fresh >> wilds & 1
            ]
    return found


def best_aim(position: Position, steps: int) -> Aim:
    """The one worth most; of equals the first, to end the Movement before all."""
    best: Aim | None = None
    for aim in aims(position, steps):
        if best is None or aim.worth > best.worth:
            best = aim
    assert best is not None
    return best


class _Ends:
    """What the ends of a Movement are worth by themselves, each reckoned once."""

    __slots__ = ("_errands", "_purchase", "_worths")

    def __init__(self, position: Position, seat: int) -> None:
        self._errands = Errands(position, seat)
        self._purchase = best_purchase(position, seat, position.cash[seat])[1]
        self._worths: list[float] = [-1.0] * SPACES

    def worth(self, space: int) -> float:
        """To be there in Location."""
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
