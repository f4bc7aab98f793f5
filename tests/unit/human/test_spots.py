"""Where a person clicks on a picture."""

import pytest

from arena.human.spots import Spot, spots_of
from arena.human.turn import Choice, PlannedTurn
from arena.pictures.picture import WIDTH, picture_for
from engine.registry import GAMES
from tests.unit.engine.caravan.positions import a_position
from tests.unit.human.positions import positions

NAMES = ("ant", "bee", "cat")


@pytest.mark.parametrize("game", GAMES)
def test_spots_lie_on_the_picture(game):
    found = 0
    for number, state in enumerate(positions(game, 3, seed=1, plies=90)):
        if number % 15:
            continue
        turn = PlannedTurn(game, state.observe(state.seat_to_act), NAMES)
        height = picture_for(game).draw(turn.observation, NAMES).height
        for choice in turn.choices()[::4]:
            spots = spots_of(game, turn.step_of(choice), NAMES)
            assert len(set(spots)) == len(spots)
            assert all(0 <= spot.x <= WIDTH and 0 <= spot.y <= height for spot in spots)
            found += len(spots)
    assert found


def test_in_caravan_the_camel_and_then_the_square_choose_a_move():
    *_, state = positions("caravan", 2, seed=2, plies=20)
    turn = PlannedTurn("caravan", state.observe(state.seat_to_act), NAMES)
    ways: dict[tuple[Spot, ...], list[Choice]] = {}
    for choice in turn.choices():
        if choice.notation.startswith(("MOVE(", "PLACE(")):
            way = tuple(spots_of("caravan", turn.step_of(choice), NAMES))
            assert len(way) == (2 if choice.notation.startswith("MOVE(") else 1)
            ways.setdefault(way, []).append(choice)
    assert len(ways) > 30
    assert all(len(choices) == 1 for choices in ways.values())


def test_in_caravan_a_good_is_carried_from_where_it_lies():
    state = a_position("9 9:ivory 10 3", "")
    turn = PlannedTurn("caravan", state.observe(0), NAMES)
    carries, moves = (turn.read(notation) for notation in ("MOVE_GOOD(9,ivory,3)", "MOVE(9,4)"))
    parts = {part.id: part for part in picture_for("caravan").draw(turn.observation, NAMES).parts}
    load, _ = spots_of("caravan", turn.step_of(carries), NAMES)
    camel, _ = spots_of("caravan", turn.step_of(moves), NAMES)
    laden, empty = parts["laden-0-9-0"], parts["camel-0-9-0"]
    assert abs(load.x - laden.x) < 20
    assert abs(camel.x - empty.x) < 1
    assert (round(laden.y), round(empty.y)) == (load.y, camel.y)


def test_in_caravan_a_frame_around_a_camel_leaves_the_name_of_the_city_free():
    state = a_position("16 10", "")
    turn = PlannedTurn("caravan", state.observe(0), NAMES)
    camel, square = spots_of("caravan", turn.step_of(turn.read("MOVE(16,3)")), NAMES)
    city, _ = spots_of("caravan", turn.step_of(turn.read("MOVE(10,16)")), NAMES)[::-1]
    assert square.width > 80
    assert camel.y - camel.height / 2 > city.y  # the name is in the upper half of the square


def test_what_chance_turns_up_after_an_action_is_no_place_to_click():
    """A9: the last free routes of the set-up are followed by the first cards."""
    for state in positions("ahldarahd", 2, seed=1):
        turn = PlannedTurn("ahldarahd", state.observe(state.seat_to_act), NAMES)
        choices = turn.choices()
        if "sets free routes" not in choices[0].words:
            return
        routes = [spots_of("ahldarahd", turn.step_of(choice), NAMES)[:2] for choice in choices]
        assert len({frozenset(pair) for pair in routes}) == len(choices)
    pytest.fail("the set-up has no end")


def test_in_wasteland_the_space_chooses_a_step():
    for state in positions("wasteland", 2, seed=3, plies=200):
        turn = PlannedTurn("wasteland", state.observe(state.seat_to_act), NAMES)
        steps = [
            choice
            for choice in turn.choices()
            if '"step"' in choice.notation and "scout" not in choice.notation
        ]
        if len(steps) > 2:
            ends = [spots_of("wasteland", turn.step_of(choice), NAMES)[-1] for choice in steps]
            assert len(set(ends)) == len(steps)
            return
    pytest.fail("no seat has moved")
