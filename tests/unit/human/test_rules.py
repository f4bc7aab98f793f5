"""What a person is told about the rules."""

import pytest

from arena.human.rules import Medium, turn_in_short
from engine.registry import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_the_signs_of_the_picture_are_explained_there_and_those_of_the_terminal_on_the_terminal(game):
    picture, terminal = turn_in_short(game, Medium.PICTURE), turn_in_short(game, Medium.TERMINAL)
    assert picture.startswith("You play for")
    both = set(picture.splitlines()) & set(terminal.splitlines())
    signs = [picture.partition("In the picture:\n")[2], terminal.partition("On a terminal:\n")[2]]
    assert both
    assert all(signs)
    assert not both & {line for text in signs for line in text.splitlines()}
    assert Medium.TERMINAL not in picture
    assert Medium.PICTURE not in terminal


def test_numbers_and_markers_of_the_picture_of_caravan_are_explained():
    shown = turn_in_short("caravan", Medium.PICTURE)
    for sign in ("(1) to (8)", "demand marker", "+1", "idle 3/40"):
        assert sign in shown
    assert "0sa" not in shown
