"""The policy of docs/bots/greedy.md on positions made by hand. Clauses: docs/rules/caravan.md."""

from __future__ import annotations

import pytest

from arena.codecs.caravan.codec import CODEC
from arena.games.caravan.v1 import caravan_pb2 as caravan
from arena.v1 import games_pb2
from engine.caravan import CARAVAN
from engine.randomness import Stream
from sample_bots.python.caravan.greedy import best_action
from tests.unit.sample_bots.caravan.greedy_by_the_page import action_by_the_page
from tests.unit.sample_bots.driver import a_seed

CITIES = [16, 18, 30, 32, 3, 21, 27, 45]
SPACES = [0, 6, 8, 12, 36, 40, 42, 48]
NO_GOOD, IVORY, MEAT = caravan.GOOD_UNSPECIFIED, caravan.GOOD_IVORY, caravan.GOOD_MEAT


def a_position(
    own: caravan.Seat,
    other: caravan.Seat | None = None,
    *,
    points: int = 4,
    goods: dict[int, caravan.Good.ValueType] | None = None,
) -> caravan.Observation:
    """Seat 0 is to act; `goods` by goods space 1 to 8."""
    spaces = [caravan.GoodsSpace(good=(goods or {}).get(number, NO_GOOD)) for number in range(1, 9)]
    return caravan.Observation(
        board=caravan.Board(rows=7, columns=7, goods_spaces=SPACES, cities=CITIES),
        points=points,
        seats=[own, other or caravan.Seat(supply=5)],
        goods_spaces=spaces,
    )


def a_seat(
    *empty: int, laden: dict[int, caravan.Good.ValueType] | None = None, supply: int = 5, thefts: int = 1
) -> caravan.Seat:
    """`laden`: goods by square."""
    return caravan.Seat(
        supply=supply,
        empty_camels=[caravan.EmptyCamels(square=at, count=empty.count(at)) for at in sorted(set(empty))],
        laden_camels=[caravan.LadenCamel(square=at, good=good) for at, good in sorted((laden or {}).items())],
        theft_markers=thefts,
    )


def chosen(position: caravan.Observation) -> str:
    """Return the action as text with all of its fields in order, for example "place 3"."""
    action = best_action(position)
    kind = action.WhichOneof("kind")
    assert kind is not None
    body = getattr(action, kind)
    fields = (int(getattr(body, field.name)) for field in body.DESCRIPTOR.fields)
    return " ".join([kind, *map(str, fields)])


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        (a_seat(), "place 0"),
        (a_seat(0, supply=4), "pick_up 0"),
    ],
)
def test_a_camel_goes_to_the_good_and_takes_it(own: caravan.Seat, expected: str) -> None:
    assert chosen(a_position(own, goods={1: IVORY})) == expected


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        (a_seat(laden={0: IVORY}, supply=4), "place 1"),
        (a_seat(1, laden={0: IVORY}, supply=3), "place 2"),
        (a_seat(1, 2, laden={0: IVORY}, supply=2), "place 3"),
        (a_seat(1, 2, 3, laden={0: IVORY}, supply=1), "move_good 0 5 0 3"),
        (a_seat(2, 3, 48, 40, laden={0: IVORY}, supply=0), "move 48 1"),
    ],
)
def test_the_chain_grows_from_the_good_to_its_city_and_then_delivers(
    own: caravan.Seat, expected: str
) -> None:
    """C13, C14; without a supply the camel farthest from the city moves."""
    assert chosen(a_position(own)) == expected


def test_with_one_point_the_first_free_square_of_the_path_is_taken() -> None:
    """C8."""
    own, other = a_seat(laden={0: IVORY}, supply=4, thefts=0), a_seat(1, supply=4)
    assert chosen(a_position(own, other, points=2)) == "place 1"
    assert chosen(a_position(own, other, points=1)) == "place 2"


def test_a_chain_that_is_too_short_brings_the_good_as_far_as_it_goes() -> None:
    """From the far corner to the city of ivory there are nine steps; four empty camels reach the fourth square."""
    own = a_seat(41, 34, 27, 20, laden={48: IVORY}, supply=0)
    assert chosen(a_position(own)) == "move_good 48 5 0 20"


def test_a_good_on_its_own_city_needs_a_second_camel_there() -> None:
    """C13, C14."""
    assert chosen(a_position(a_seat(laden={3: IVORY}, supply=4))) == "place 3"
    assert chosen(a_position(a_seat(3, laden={3: IVORY}, supply=3))) == "move_good 3 5 0 3"


@pytest.mark.parametrize(("points", "expected"), [(2, "steal 2 1 5"), (1, "pass_turn")])
def test_a_theft_must_be_delivered_in_the_same_turn(points: int, expected: str) -> None:
    """C11: one point to steal and one to move the good to the next square."""
    own, other = a_seat(2, 3, supply=3), a_seat(laden={2: IVORY}, supply=4)
    assert chosen(a_position(own, other, points=points)) == expected


def test_nothing_is_taken_when_one_camel_alone_carries_nothing() -> None:
    """C12."""
    laden = {40: MEAT, 41: MEAT, 47: MEAT, 48: MEAT}
    position = a_position(a_seat(0, laden=laden, supply=0), goods={1: IVORY})
    assert best_action(position).WhichOneof("kind") != "pick_up"


def test_more_points_per_action_point_go_first_and_equals_in_the_order_of_the_list() -> None:
    """Ivory is as far from space 1 as from space 2; meat from space 3 is worth 3 and two steps away."""
    assert chosen(a_position(a_seat(), goods={1: IVORY, 2: IVORY})) == "place 0"
    assert chosen(a_position(a_seat(), goods={2: IVORY, 3: MEAT})) == "place 6"
    assert chosen(a_position(a_seat(), goods={2: MEAT, 3: MEAT})) == "place 8"


def test_demand_markers_count_like_points() -> None:
    position = a_position(a_seat(), goods={1: IVORY, 2: IVORY})
    position.goods_spaces[1].demand_markers = 1
    assert chosen(position) == "place 6"


def test_without_a_job_it_passes() -> None:
    assert chosen(a_position(a_seat())) == "pass_turn"


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("camels", ["5", "6"])
def test_the_bot_and_its_page_choose_the_same_in_every_position(seats: int, camels: str) -> None:
    """In matches in which every other action is not greedy's own, so that odd positions come up."""
    state = CARAVAN.new_match(seats, CARAVAN.options(seats, {"camels": camels}), a_seed(seats))
    stream = Stream(a_seed(seats))
    while state.outcome() is None:
        data = CODEC.encode_observation(state.observe(state.seat_to_act))
        view = games_pb2.Observation.FromString(data).caravan
        action = best_action(view)
        assert action == action_by_the_page(view)
        if stream.uniform(2):
            state.apply(CARAVAN.sensible_action(state, stream))
        else:
            (own,) = CODEC.decode_action(games_pb2.Action(caravan=action), state)
            state.apply(own)
