"""Brings one good after the other to its city, the one that pays best first.

docs/bots/greedy.md states its policy exactly. It needs nothing but the messages of the wire, and all of its
arithmetic is on integers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import arena.sdk
from arena.sdk import caravan

RARE_VALUE = 6
COMMON_VALUE = 3


@dataclass(frozen=True, slots=True)
class Job:
    """A good to be brought to its city along one path."""

    good: caravan.Good.ValueType
    path: tuple[int, ...]
    """The squares from the good to its city, both included."""
    value: int
    take: caravan.Action | None
    """How the good comes onto a camel of ours on the first square; None if it is on one."""
    protected: bool
    """Whether the good is protected once it is on our camel."""


class Table:
    """The position of one decision as the policy needs it."""

    def __init__(self, observation: caravan.Observation) -> None:
        """Count the camels."""
        self.view = observation
        self.seat = observation.seat_to_act
        self.own = observation.seats[self.seat]
        self.empty = {camels.square: camels.count for camels in self.own.empty_camels}
        self.laden = {camel.square for camel in self.own.laden_camels}
        self.idle = self.own.supply + sum(self.empty.values())
        self.occupied = {camels.square for seat in observation.seats for camels in seat.empty_camels}
        self.occupied |= {camel.square for seat in observation.seats for camel in seat.laden_camels}

    def cost_to(self, square: int) -> int:
        """Return the action points that it takes to put a camel onto a square (C8)."""
        return 2 if square in self.occupied else 1

    def distance(self, one: int, other: int) -> int:
        """Return the number of orthogonal steps between two squares."""
        columns = self.view.board.columns
        return abs(one // columns - other // columns) + abs(one % columns - other % columns)

    def paths(self, start: int, end: int) -> Iterator[tuple[int, ...]]:
        """Return the two paths with at most one corner: first the one that begins along the row of `start`."""
        columns = self.view.board.columns
        along_row = _between(start, start - start % columns + end % columns, 1)
        yield along_row + _between(along_row[-1], end, columns)[1:]
        along_column = _between(start, end - end % columns + start % columns, columns)
        yield along_column + _between(along_column[-1], end, 1)[1:]


def _between(start: int, end: int, step: int) -> tuple[int, ...]:
    """Return the squares from `start` to `end` in steps of `step` squares, both included."""
    return tuple(range(start, end + 1, step)) if start <= end else tuple(range(start, end - 1, -step))


def jobs(table: Table) -> Iterator[Job]:
    """Return all jobs, in the order that decides between equally good ones."""
    for camel in table.own.laden_camels:
        yield from _jobs_at(table, camel.square, camel.good, protected=camel.is_protected)
    if table.idle < 2:  # C12: one camel must stay without a good.
        return
    for square, space in zip(table.view.board.goods_spaces, table.view.goods_spaces, strict=True):
        if space.good:
            take = caravan.Action(pick_up=caravan.PickUp(at_square=square))
            yield from _jobs_at(table, square, space.good, markers=space.demand_markers, take=take)
    if table.own.theft_markers:
        for victim, seat in enumerate(table.view.seats):
            if victim != table.seat:
                yield from _thefts(table, victim, seat)


def _thefts(table: Table, victim: int, seat: caravan.Seat) -> Iterator[Job]:
    for camel in seat.laden_camels:
        if not camel.is_protected:
            theft = caravan.Steal(at_square=camel.square, victim=victim, good=camel.good)
            take = caravan.Action(steal=theft)
            yield from _jobs_at(table, camel.square, camel.good, take=take, protected=True)


def _jobs_at(
    table: Table,
    square: int,
    good: caravan.Good.ValueType,
    *,
    markers: int = 0,
    take: caravan.Action | None = None,
    protected: bool = False,
) -> Iterator[Job]:
    worth = RARE_VALUE if good >= caravan.GOOD_IVORY else COMMON_VALUE
    for path in table.paths(square, table.view.board.cities[good - 1]):
        yield Job(good, path, worth + markers, take, protected)


class Plan:
    """What a job still needs: its cost in action points, and the next action towards it."""

    def __init__(self, table: Table, job: Job) -> None:
        """Works out how far the good can be brought with the camels there are."""
        self.table = table
        self.job = job
        self.reach = self._reach()
        self.cost = self._cost()

    def _reach(self) -> int:
        """Return the place in the path to which a complete chain of camels can bring the good in one go."""
        path = self.job.path
        camels = self.table.idle - (self.job.take is not None)
        reach = len(path) - 1
        while reach > 1 and 1 + sum(square not in self.table.laden for square in path[1:reach]) > camels:
            reach -= 1
        return reach

    def _held(self, place: int) -> bool:
        """Return whether a square of the path has the camel that it needs; where the good arrives, an empty one."""
        square = self.job.path[place]
        needed = 1
        if place == 0 and self.job.take is not None:
            needed = 2  # One takes the good, the other one receives it.
        if self.table.empty.get(square, 0) >= needed:
            return True
        return place < self.reach and square in self.table.laden

    def _missing(self, until: int) -> Iterator[int]:
        """Return the squares that still need a camel, in order; the good's own one only if it is the city too."""
        for place in range(min(1, until), until + 1):
            if not self._held(place):
                yield self.job.path[place]

    def _cost(self) -> int:
        last = len(self.job.path) - 1
        cost = sum(self.table.cost_to(square) for square in self._missing(last))
        cost += max(1, -(-last // max(1, self.reach)))
        if self.job.take is not None:
            cost += 1 + (0 if self._taker_is_there() else self.table.cost_to(self.job.path[0]))
        return cost

    def _taker_is_there(self) -> bool:
        return self.table.empty.get(self.job.path[0], 0) > 0

    def next_action(self) -> caravan.Action | None:
        """Return the first action of the plan that the points left can pay; None if there is none."""
        path = self.job.path
        if self.job.take is not None:
            if self._taker_is_there():
                return self.job.take
            return self._bring_camel(path[0])
        missing = list(self._missing(self.reach))
        if not missing:
            return self._move_good(path[0], path[self.reach])
        steps = (self._bring_camel(square) for square in missing)
        return next((step for step in steps if step is not None), None)

    def _move_good(self, start: int, end: int) -> caravan.Action:
        move = caravan.MoveGood(
            from_square=start, good=self.job.good, is_protected=self.job.protected, to_square=end
        )
        return caravan.Action(move_good=move)

    def _bring_camel(self, target: int) -> caravan.Action | None:
        if self.table.cost_to(target) > self.table.view.points:
            return None
        if self.table.own.supply:
            return caravan.Action(place=caravan.Place(to_square=target))
        free = [square for square in self.table.empty if square != target and self._spare(square)]
        if not free:
            return None
        city = self.job.path[-1]
        start = min(free, key=lambda square: (-self.table.distance(square, city), square))
        return caravan.Action(move=caravan.Move(from_square=start, to_square=target))

    def _spare(self, square: int) -> bool:
        """Return whether an empty camel on the square is not needed there by this plan."""
        first = 0 if self.job.take is not None else min(1, self.reach)
        needed = 1 if square in self.job.path[first : self.reach + 1] else 0
        return self.table.empty[square] > needed


def best_action(observation: caravan.Observation) -> caravan.Action:
    """Return the next action for the job with the most points per action point; PASS if there is nothing to do."""
    table = Table(observation)
    best: Plan | None = None
    best_step = caravan.Action(pass_turn=caravan.Pass())
    for job in jobs(table):
        plan = Plan(table, job)
        if job.take is not None and job.take.HasField("steal") and plan.cost > observation.points:
            continue
        if best is not None and job.value * best.cost <= best.job.value * plan.cost:
            continue
        step = plan.next_action()
        if step is not None:
            best, best_step = plan, step
    return best_step


class Greedy(caravan.Bot):
    """Always takes the next step of the job that pays best."""

    name = "greedy"
    matches = 4

    def choose(
        self,
        observation: caravan.Observation,
        legal_actions: Sequence[caravan.Action],
        clock: arena.sdk.Clock,
    ) -> caravan.Action:
        """Return the same action whenever the position is the same."""
        return best_action(observation)


if __name__ == "__main__":
    arena.sdk.run(Greedy)
