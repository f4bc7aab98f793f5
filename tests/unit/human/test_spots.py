"""Where a person clicks on a picture."""

import pytest

from arena.human.spots import spots_of
from arena.human.turn import Choice, PlannedTurn
from arena.pictures.picture import WIDTH, picture_for
from engine.registry import GAMES
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
            assert all(0 <= x <= WIDTH and 0 <= y <= height for x, y in spots)
            found += len(spots)
    assert found


def test_in_caravan_the_camel_and_then_the_square_choose_a_move():
    *_, state = positions("caravan", 2, seed=2, plies=20)
    turn = PlannedTurn("caravan", state.observe(state.seat_to_act), NAMES)
    ways: dict[tuple[tuple[float, float], ...], list[Choice]] = {}
    for choice in turn.choices():
        if choice.notation.startswith(("MOVE(", "PLACE(")):
            way = tuple(spots_of("caravan", turn.step_of(choice), NAMES))
            assert len(way) == (2 if choice.notation.startswith("MOVE(") else 1)
            ways.setdefault(way, []).append(choice)
    assert len(ways) > 30
    assert all(len(choices) == 1 for choices in ways.values())


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
