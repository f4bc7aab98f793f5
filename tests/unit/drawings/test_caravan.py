"""Caravan on a terminal."""

from arena.drawings.caravan.drawing import DRAWING
from engine.caravan.state import CaravanState
from tests.unit.cli.screens import check_screen
from tests.unit.drawings.played_steps import check_drawings
from tests.unit.engine.caravan.positions import BAG_EMPTY, a_match, a_position, play, view


def lines(state: CaravanState) -> list[str]:
    return DRAWING.draw(view(state)).plain.splitlines()


def test_whole_positions_are_drawn_as_in_the_golden_file() -> None:
    positions = {
        "the beginning": a_match(),
        "a goods space with a good, markers and more camels than fit": a_position(
            "6 6 6:salt", "6:ivory!", goods={2: "swords"}, markers={2: 3}
        ),
        "a camel on a city": a_position("3", ""),
        "camels on a square": a_position("1", "1:meat!"),
        "what a seat has delivered and carries": play(
            a_position("10:ivory 3 20:salt 21:gems", ""), "MOVE_GOOD(10,ivory,3)"
        ),
    }
    drawings = {title: lines(state) for title, state in positions.items()}
    named = DRAWING.draw(view(a_match()), ("greedy", "a-bot-with-a-very-long-name")).plain
    check_drawings("caravan_positions", drawings | {"bots with names": named.splitlines()})


def test_the_question_and_the_bag_in_words() -> None:
    over = play(a_match(options={"turn_limit": "1"}), "PASS")
    assert not any("▶" in line for line in lines(over))
    states = {
        "a turn": a_position("", ""),
        "idle turns": a_position("", "", to_act=1, points=1, idle_turns=6),
        "a bag": a_position("", "", bag=(2, 0, 0, 0, 0, 0, 3, 0)),
        "an empty bag": a_position("", "", bag=BAG_EMPTY),
        "the end": over,
    }
    check_screen("drawings/caravan", {title: "\n".join(lines(state)[30:]) for title, state in states.items()})
