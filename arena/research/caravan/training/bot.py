"""A Caravan bot that plays the action after which a small network values the position most.

The network values a position for a seat from the few dozen numbers of `features`. The training (docs/training.md)
exports this file with the weights as a submission, so it imports only what the runtime `python` has: the sdk, the
codecs and the rules, and no numpy.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from math import tanh
from operator import mul
from pathlib import Path
from typing import Final, NamedTuple

import arena.sdk
from arena.codecs.caravan.codec import CODEC
from arena.sdk import caravan
from engine.caravan import CARAVAN
from engine.caravan.actions import MOVE, PLACE, PROTECTED, at_of, good_of, kind_of, to_of
from engine.caravan.goods import NO_GOOD, POINTS
from engine.caravan.position import Position
from engine.caravan.state import MOST_POINTS, CaravanState
from engine.game import Outcome
from engine.randomness import Stream

SCALE: Final = 10.0
"""Points of the score that are 1 in a value."""
WIN: Final = 0.5
"""What a win is worth beside the margin, in the same unit."""
WEIGHTS: Final = "weights.json"

_DECAYS: Final = (0.9, 0.75, 0.5)
"""A delivery that needs c more action points counts with d ** c of its points, for each of these d."""
_SORTED_BY: Final = 1
"""The decay that decides which of several goods is the best one."""
_MOST_COST: Final = 63
_POWERS: Final = [[decay**cost / 6 for decay in _DECAYS] for cost in range(_MOST_COST + 1)]
_BEST: Final = 2
"""So many goods on goods spaces have features of their own."""
_MOST_KNOWN: Final = 512
"""So many results of a route are kept: more would fill the memory of a bot that plays for days."""
_LOOKED_AT: Final = 3
"""Camels move towards the goods they carry, so many on goods spaces, and one to steal."""


class Route:
    """The shortest paths of a good to its city. Sets of squares are ints with a bit for each square."""

    def __init__(self, start: int, end: int, columns: int) -> None:
        """`columns`: of the board."""
        self._start, self._end, self._columns = start, end, columns
        rows, across = self._rows(), self._across()
        area = sum(1 << row * columns + column for row in rows for column in across)
        self.goal = 1 << end
        self.on_the_way = area & ~self.goal
        """The squares of all the paths but the last."""
        self.steps = len(rows) + len(across) - 2
        self._known: dict[int, tuple[int, int]] = {}

    def _rows(self) -> range:
        return _between(self._start // self._columns, self._end // self._columns)

    def _across(self) -> range:
        return _between(self._start % self._columns, self._end % self._columns)

    def missing(self, ready: int) -> tuple[int, int]:
        """Return how many squares lack a camel on the path where fewest do, and which.

        `ready`: the squares of the paths that have one.
        """
        found = self._known.get(ready)
        if found is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            found = self._known[ready] = self._missing(ready)
        return found

    def _missing(self, ready: int) -> tuple[int, int]:
        best: list[tuple[int, int]] = []  # by column: the squares that lack a camel up to there
        for row in self._rows():
            for place, column in enumerate(self._across()):
                square = row * self._columns + column
                bit = 0 if square == self._start != self._end else 1 << square & ~ready
                before = best[place - 1 : place + 1] if place < len(best) else best[-1:]
                if place == 0:
                    before = best[:1]
                count, squares = min(before, default=(0, 0))
                best[place : place + 1] = [(count + (bit > 0), squares | bit)]
        return best[-1]


def _between(first: int, last: int) -> range:
    return range(first, last + 1) if first <= last else range(first, last - 1, -1)


@lru_cache(maxsize=1 << 14)
def route(start: int, end: int, columns: int) -> Route:
    """Return the route between two squares."""
    return Route(start, end, columns)


class Job(NamedTuple):
    """A good that a seat could deliver."""

    value: int
    """Points, with the demand markers that come with it."""
    cost: int
    """Action points up to the delivery, about."""
    missing: int
    """Squares that need a camel for it."""


class Side(NamedTuple):
    """All of a position that the jobs of one seat depend on."""

    board: tuple[int, tuple[int, ...]]
    """The columns, and the cities by kind of good."""
    own: int
    """The squares with camels of the seat."""
    empty: tuple[int, ...]
    """The squares of its empty camels."""
    laden: tuple[int, ...]
    supply: int
    points: int
    """The action points that it has left, or those of its next turn."""
    occupied: int
    """The squares with camels of anybody. Only the seat to act minds them."""
    free: tuple[tuple[int, int, int], ...]
    """Square, good and demand markers of the goods that it may pick up."""
    stealable: tuple[int, ...]
    """Laden camels that it may steal from."""

    @property
    def hands(self) -> int:
        """Return how many camels carry nothing."""
        return self.supply + len(self.empty)


def side_of(position: Position, seat: int) -> Side:
    """Return the side of a seat."""
    setup = position.setup
    acts = position.seat_to_act == seat
    free: tuple[tuple[int, int, int], ...] = ()
    stealable: tuple[int, ...] = ()
    if position.may_carry_more(seat):
        spaces = zip(setup.board.goods_spaces, position.space_goods, position.space_markers, strict=True)
        free = tuple([space for space in spaces if space[1] != NO_GOOD])
        if position.theft_markers[seat]:
            others = [laden for other, laden in enumerate(position.laden) if other != seat]
            stealable = tuple([camel for laden in others for camel in laden if not camel & PROTECTED])
    return Side(
        (setup.board.columns, setup.board.cities),
        position.occupied[seat],
        position.empty[seat],
        position.laden[seat],
        position.supply[seat],
        position.points if acts else MOST_POINTS,
        position.camels_anywhere() if acts else 0,
        free,
        stealable,
    )


class Jobs(NamedTuple):
    """What a seat could deliver."""

    carried: list[Job]
    free: list[Job]
    """Of the goods on goods spaces."""
    stealable: list[Job]


@lru_cache(maxsize=1 << 14)
def jobs_of(side: Side) -> Jobs:
    """Return the jobs of a side."""
    columns, cities = side.board
    own, occupied, hands = side.own, side.occupied, side.hands
    empty = 0
    for square in side.empty:
        empty |= 1 << square

    def job(square: int, good: int, markers: int, fetched: int) -> Job:
        """Return the job of a good. `fetched`: 1 if a camel of the seat has yet to take it."""
        path = route(square, cities[good], columns)
        # An empty camel receives the good.
        cost, missing = path.missing(own & path.on_the_way | empty & path.goal)
        free, steps = hands - fetched, path.steps
        cost += 1 + fetched if steps <= free or free < 1 else -(-steps // free) + fetched
        if fetched and not empty >> square & 1:
            cost += 1
            missing |= 1 << square
        cost += (missing & occupied).bit_count()
        return Job(POINTS[good] + markers, min(cost, _MOST_COST), missing)

    return Jobs(
        [job(at_of(camel), good_of(camel), 0, 0) for camel in side.laden],
        [job(square, good, markers, 1) for square, good, markers in side.free],
        [job(at_of(camel), good_of(camel), 0, 1) for camel in side.stealable],
    )


def features(position: Position) -> list[list[float]]:
    """Return by seat what the network sees of a position: the margin first; the others are about 0 to 2."""
    setup = position.setup
    seats = range(setup.seats)
    scores = [position.score(seat) for seat in seats]
    blocks = [_seat_features(position, seat) for seat in seats]
    shared = [
        float(position.drawn == len(position.bag)),
        (len(position.bag) - position.drawn) / 32,
        position.idle_turns / setup.idle_turns,
        position.goods_on_spaces.bit_count() / 8,
    ]
    rows = []
    others = setup.seats - 1
    for seat in seats:
        margin = (scores[seat] - (sum(scores) - scores[seat]) / others) / SCALE
        if others == 1:
            rest = blocks[1 - seat]
        else:
            theirs = [block for other, block in enumerate(blocks) if other != seat]
            rest = [sum(values) / others for values in zip(*theirs, strict=True)]
        rows.append([margin, *shared, *blocks[seat], *rest])
    return rows


def _seat_features(position: Position, seat: int) -> list[float]:
    return [
        position.points / 4 if position.seat_to_act == seat else 0.0,
        position.supply[seat] / 5,
        min(position.theft_markers[seat], 2) / 2,
        *side_features(side_of(position, seat)),
    ]


@lru_cache(maxsize=1 << 14)
def side_features(side: Side) -> list[float]:
    """Return the features of what a seat could deliver."""
    jobs = jobs_of(side)
    count = len(jobs.carried)
    return [
        side.hands / 5,
        count / 4,
        count * (count - 1) / 20,
        sum(job.value for job in jobs.carried if job.cost <= side.points) / 6,
        *_sum(jobs.carried),
        *_sum(jobs.free),
        *_best(jobs.free, _BEST),
        *_best(jobs.stealable, 1),
    ]


def _sum(jobs: Sequence[Job]) -> list[float]:
    """Return the values of the jobs together, for each decay."""
    total = [0.0] * len(_DECAYS)
    for value, cost, _ in jobs:
        powers = _POWERS[cost]
        for place, power in enumerate(powers):
            total[place] += value * power
    return total


def _best(jobs: Sequence[Job], count: int) -> list[float]:
    """Return the values of the best jobs, for each decay; zeros for those that there are not."""
    best = _first(jobs, count)
    values = [job.value * power for job in best for power in _POWERS[job.cost]]
    return values + [0.0] * (len(_DECAYS) * (count - len(best)))


def _rating(job: Job) -> float:
    return job.value * _POWERS[job.cost][_SORTED_BY]


def candidates(position: CaravanState) -> list[int]:
    """Return the legal actions worth a look: of the camels' moves only those that one of the best jobs needs."""
    jobs = jobs_of(side_of(position, position.seat_to_act))
    needed = 0
    for job in (*jobs.carried, *_first(jobs.free, _LOOKED_AT), *_first(jobs.stealable, 1)):
        needed |= job.missing
    return [
        action
        for action in position.legal_actions()
        if not is_camel_move(action) or needed >> to_of(action) & 1
    ]


def is_camel_move(action: int) -> bool:
    """Return whether the action puts a camel somewhere."""
    return kind_of(action) in (PLACE, MOVE)


def _first(jobs: Sequence[Job], count: int) -> list[Job]:
    return sorted(jobs, key=_rating, reverse=True)[:count]


def played(position: CaravanState, action: int) -> CaravanState:
    """Return the position after an action."""
    after = position.clone()
    after.apply(action)
    return after


def final_value(outcome: Outcome, seat: int) -> float:
    """Return what a match that is over is worth to a seat: margin over the mean of the others, and winning."""
    others = len(outcome.scores) - 1
    margin = (outcome.scores[seat] - (sum(outcome.scores) - outcome.scores[seat]) / others) / SCALE
    own = outcome.placings[seat]
    beaten = sum((placing > own) - (placing < own) for placing in outcome.placings)
    return margin + WIN * beaten / others


class Network(NamedTuple):
    """A network with one hidden layer, which adds to the margin what it will gain.

    value(x) = x[0] + output_bias + output . tanh(hidden x + hidden_bias)
    """

    hidden: Sequence[Sequence[float]]
    """By unit and feature."""
    hidden_bias: Sequence[float]
    output: Sequence[float]
    output_bias: float

    def value(self, row: Sequence[float]) -> float:
        """Return the value of a position, from its features for a seat."""
        total = row[0] + self.output_bias
        for weights, bias, out in zip(self.hidden, self.hidden_bias, self.output, strict=True):
            total += out * tanh(sum(map(mul, weights, row), bias))
        return total


def read_network(path: Path) -> Network:
    """Return the network of a file of weights.

    Raises:
        OSError: there is no such file.
        ValueError, KeyError, TypeError: its content is something else, or was trained with other features.
    """
    content = json.loads(path.read_text(encoding="utf-8"))
    network = Network(*(content[name] for name in Network._fields))
    needed = number_of_features()
    if any(len(weights) != needed for weights in network.hidden):
        raise ValueError(f"the weights are not those of {needed} features")
    return network


def number_of_features() -> int:
    """Return how many features a seat has, whatever the number of seats."""
    return len(features(CARAVAN.new_match(2, CARAVAN.options(2, {}), bytes(32)))[0])


def best_action(position: CaravanState, network: Network) -> int:
    """Return the candidate after which the position has the highest value for the seat to act."""
    seat = position.seat_to_act
    values = []
    for action in candidates(position):
        after = played(position, action)
        outcome = after.outcome()
        if outcome is None:
            values.append((network.value(features(after)[seat]), action))
        else:
            values.append((final_value(outcome, seat), action))
    return max(values)[1]


class Learned(caravan.PackedBot):
    """Plays the same whenever the observation is the same."""

    name = "learned"
    games = (arena.sdk.Plays("caravan", (CARAVAN.spec.rules_version,)),)
    matches = 4

    def choose(
        self, observation: caravan.Observation, legal_actions: Sequence[int], clock: arena.sdk.Clock
    ) -> int:
        """Return the place of the action in the list. The bag of the position it looks at is shuffled anew."""
        stream = Stream(sha256(observation.SerializeToString(deterministic=True)).digest())
        position = CARAVAN.from_observation(CODEC.observation_of(observation), stream)
        return list(legal_actions).index(best_action(position, _network()))


@lru_cache(maxsize=1)
def _network() -> Network:
    return read_network(Path(__file__).with_name(WEIGHTS))


if __name__ == "__main__":
    arena.sdk.run(Learned)
