"""The policy of docs/bots/greedy.md once more, written from that page alone, word by word and without any haste.

Both must choose the same in every position: so neither the page nor the bot can drift.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from arena.games.caravan.v1 import caravan_pb2 as caravan

PASS = caravan.Action(pass_turn=caravan.Pass())


@dataclass
class Job:
    path: list[int]
    good: caravan.Good.ValueType
    take: caravan.Action | None
    value: int
    protected: bool

    @property
    def last(self) -> int:
        return len(self.path) - 1

    @property
    def steals(self) -> bool:
        return self.take is not None and self.take.HasField("steal")


class Reader:
    """What the page counts first."""

    def __init__(self, view: caravan.Observation) -> None:
        self.view = view
        self.columns = view.board.columns
        self.own = view.seats[view.seat_to_act]
        self.empty = [0] * (view.board.rows * view.board.columns)
        for camels in self.own.empty_camels:
            self.empty[camels.square] += camels.count
        self.laden = {camel.square for camel in self.own.laden_camels}
        self.idle = self.own.supply + sum(self.empty)
        self.occupied: set[int] = set()
        for seat in view.seats:
            self.occupied.update(camels.square for camels in seat.empty_camels)
            self.occupied.update(camel.square for camel in seat.laden_camels)

    def cost_to(self, square: int) -> int:
        return 2 if square in self.occupied else 1

    def distance(self, a: int, b: int) -> int:
        return abs(a // self.columns - b // self.columns) + abs(a % self.columns - b % self.columns)

    # Jobs

    def jobs(self) -> Iterator[Job]:
        for camel in self.own.laden_camels:
            yield from self.two(camel.square, camel.good, None, 0, camel.is_protected)
        if self.idle < 2:
            return
        for square, space in zip(self.view.board.goods_spaces, self.view.goods_spaces, strict=True):
            if space.good != caravan.GOOD_UNSPECIFIED:
                take = caravan.Action(pick_up=caravan.PickUp(at_square=square))
                yield from self.two(square, space.good, take, space.demand_markers, False)
        if self.own.theft_markers:
            for number, seat in enumerate(self.view.seats):
                for camel in seat.laden_camels:
                    if number != self.view.seat_to_act and not camel.is_protected:
                        theft = caravan.Steal(at_square=camel.square, victim=number, good=camel.good)
                        yield from self.two(camel.square, camel.good, caravan.Action(steal=theft), 0, True)

    def two(
        self,
        at: int,
        good: caravan.Good.ValueType,
        take: caravan.Action | None,
        markers: int,
        protected: bool,
    ) -> Iterator[Job]:
        value = (3 if good <= caravan.GOOD_HIDES else 6) + markers
        city = self.view.board.cities[good - 1]
        row_corner = at // self.columns * self.columns + city % self.columns
        column_corner = city // self.columns * self.columns + at % self.columns
        for corner in (row_corner, column_corner):
            path = [at, *self.walk(at, corner), *self.walk(corner, city)]
            yield Job(path, good, take, value, protected)

    def walk(self, start: int, end: int) -> Iterator[int]:
        """Return the squares after `start` up to `end`, in a straight line."""
        step = 1 if start // self.columns == end // self.columns else self.columns
        while start != end:
            start += step if end > start else -step
            yield start

    # The plan of a job

    def reach(self, job: Job) -> int:
        camels = self.idle - (1 if job.take else 0)
        reach = job.last
        while reach > 1:
            between = [job.path[i] for i in range(1, reach)]
            if 1 + len([square for square in between if square not in self.laden]) <= camels:
                break
            reach -= 1
        return reach

    def missing(self, job: Job, up_to: int) -> list[int]:
        places = range(1, up_to + 1) if up_to else [0]
        return [job.path[i] for i in places if not self.held(job, i)]

    def held(self, job: Job, i: int) -> bool:
        n = 2 if i == 0 and job.take else 1
        return self.empty[job.path[i]] >= n or (i < self.reach(job) and job.path[i] in self.laden)

    def cost(self, job: Job) -> int:
        cost = sum(self.cost_to(square) for square in self.missing(job, job.last))
        moves = Fraction(job.last, max(self.reach(job), 1))
        cost += 1 if job.last == 0 else -(-moves.numerator // moves.denominator)
        if job.take:
            cost += 1
            if self.empty[job.path[0]] == 0:
                cost += self.cost_to(job.path[0])
        return cost

    def next_action(self, job: Job) -> caravan.Action | None:
        if job.take:
            return job.take if self.empty[job.path[0]] >= 1 else self.bring_a_camel(job, job.path[0])
        missing = self.missing(job, self.reach(job))
        if not missing:
            end = job.path[self.reach(job)]
            move = caravan.MoveGood(
                from_square=job.path[0], good=job.good, is_protected=job.protected, to_square=end
            )
            return caravan.Action(move_good=move)
        for square in missing:
            action = self.bring_a_camel(job, square)
            if action:
                return action
        return None

    def bring_a_camel(self, job: Job, target: int) -> caravan.Action | None:
        if self.cost_to(target) > self.view.points:
            return None
        if self.own.supply > 0:
            return caravan.Action(place=caravan.Place(to_square=target))
        f = 0 if job.take else min(1, self.reach(job))
        needed = job.path[f : self.reach(job) + 1]
        spare = [
            square
            for square, camels in enumerate(self.empty)
            if square != target and camels - (1 if square in needed else 0) > 0
        ]
        spare.sort(key=lambda square: self.distance(square, job.path[-1]), reverse=True)
        if not spare:
            return None
        return caravan.Action(move=caravan.Move(from_square=spare[0], to_square=target))


def action_by_the_page(view: caravan.Observation) -> caravan.Action:
    """Return the choice."""
    reader = Reader(view)
    best_action, best_value, best_cost = PASS, 0, 1
    for job in reader.jobs():
        cost = reader.cost(job)
        if job.steals and cost > view.points:
            continue
        action = reader.next_action(job)
        if action and job.value * best_cost > best_value * cost:
            best_action, best_value, best_cost = action, job.value, cost
    return best_action
