"""The policy of docs/bots/greedy.md on positions made by hand. Clauses: docs/rules/caravan.md."""

from itertools import product

import pytest

from arena.games.caravan.v1 import caravan_pb2 as caravan
from engine.caravan import CARAVAN
from engine.randomness import Stream
from sample_bots.python.caravan.greedy import Greedy, best_action
from tests.unit.cli.screens import check_screen
from tests.unit.sample_bots.driver import a_seed, ask

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


def test_nothing_is_taken_when_one_camel_alone_carries_nothing() -> None:
    """C12."""
    laden = {40: MEAT, 41: MEAT, 47: MEAT, 48: MEAT}
    position = a_position(a_seat(0, laden=laden, supply=0), goods={1: IVORY})
    assert best_action(position).WhichOneof("kind") != "pick_up"


def test_demand_markers_count_like_points() -> None:
    position = a_position(a_seat(), goods={1: IVORY, 2: IVORY})
    position.goods_spaces[1].demand_markers = 1
    assert chosen(position) == "place 6"


CARRIES = {0: IVORY}
BESIDE, ROBBED = a_seat(1, supply=4), a_seat(laden={2: IVORY}, supply=4)
THIEF = a_seat(2, 3, supply=3)


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        (a_position(a_seat()), "pass_turn"),  # there is no job
        # A camel goes to the good and takes it; the chain grows to its city (C13, C14).
        (a_position(a_seat(), goods={1: IVORY}), "place 0"),
        (a_position(a_seat(0, supply=4), goods={1: IVORY}), "pick_up 0"),
        (a_position(a_seat(laden=CARRIES, supply=4)), "place 1"),
        (a_position(a_seat(1, laden=CARRIES, supply=3)), "place 2"),
        (a_position(a_seat(1, 2, laden=CARRIES, supply=2)), "place 3"),
        (a_position(a_seat(1, 2, 3, laden=CARRIES, supply=1)), "move_good 0 5 0 3"),
        # Without a supply the camel farthest from the city moves; a chain that is too short brings the good on.
        (a_position(a_seat(2, 3, 48, 40, laden=CARRIES, supply=0)), "move 48 1"),
        (a_position(a_seat(41, 34, 27, 20, laden={48: IVORY}, supply=0)), "move_good 48 5 0 20"),
        # A good on its own city needs a second camel there.
        (a_position(a_seat(laden={3: IVORY}, supply=4)), "place 3"),
        (a_position(a_seat(3, laden={3: IVORY}, supply=3)), "move_good 3 5 0 3"),
        # With one point the first free square of the path is taken (C8).
        (a_position(a_seat(laden=CARRIES, supply=4, thefts=0), BESIDE, points=2), "place 1"),
        (a_position(a_seat(laden=CARRIES, supply=4, thefts=0), BESIDE, points=1), "place 2"),
        # A theft must be delivered in the same turn (C11).
        (a_position(THIEF, ROBBED, points=2), "steal 2 1 5"),
        (a_position(THIEF, ROBBED, points=1), "pass_turn"),
        # More points per action point go first, and equals in the order of the list.
        (a_position(a_seat(), goods={1: IVORY, 2: IVORY}), "place 0"),
        (a_position(a_seat(), goods={2: IVORY, 3: MEAT}), "place 6"),
        (a_position(a_seat(), goods={2: MEAT, 3: MEAT}), "place 8"),
    ],
)
def test_it_chooses_the_job_and_its_next_step(position: caravan.Observation, expected: str) -> None:
    assert chosen(position) == expected


def test_its_choices_in_whole_matches_are_those_of_the_golden_file() -> None:
    """In matches in which every other action is not greedy's own, so that odd positions come up."""
    chosen = {}
    for seats, camels in product((2, 3, 4), ("5", "6")):
        state = CARAVAN.new_match(seats, CARAVAN.options(seats, {"camels": camels}), a_seed(seats))
        stream, choices = Stream(a_seed(seats)), []
        while state.outcome() is None:
            [own] = ask(CARAVAN, Greedy(), state)
            choices.append(state.format_action(own))
            state.apply(CARAVAN.sensible_action(state, stream) if stream.uniform(2) else own)
        chosen[f"{seats} seats, {camels} camels"] = "\n".join(choices)
    check_screen("bots/greedy_caravan", chosen)
