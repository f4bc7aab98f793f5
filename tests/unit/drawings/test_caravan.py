"""Caravan on a terminal, and its turns in plain words."""

from importlib import import_module

from arena.drawings.caravan.board import own
from arena.drawings.caravan.drawing import DRAWING
from arena.drawings.drawing import drawing_for
from arena.drawings.narration import told
from engine.caravan.state import CaravanState
from engine.registry import GAMES
from tests.unit.cli.screens import check_screen
from tests.unit.drawings.played_steps import check_drawings, news, steps, words
from tests.unit.engine.caravan.positions import BAG_EMPTY, EIGHT_MEAT, a_match, a_position, view
from tests.unit.engine.playing import play


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


NAMES = ("anna", "bert")
FIVE_MEAT = {number: EIGHT_MEAT[number] for number in range(1, 6)}
"""Goods of which one is picked up before the refill (C15)."""

TURNS: dict[str, tuple[CaravanState, str]] = {
    "no action": (a_position("", ""), "PASS"),
    "a camel": (a_position("", ""), "PLACE(24)"),
    "three camels": (a_position("", ""), "PLACE(24) PLACE(3) PLACE(0)"),
    "a move": (a_position("9 10", ""), "MOVE(9,3) PASS"),
    "a good": (a_position("0", ""), "PICK_UP(0)"),
    "goods with demand markers": (a_position("0 6", "", markers={1: 1, 2: 3}), "PICK_UP(0) PICK_UP(6)"),
    "a delivery": (a_position("10:ivory 3", ""), "MOVE_GOOD(10,ivory,3)"),
    "a good moved on": (a_position("10:ivory 11", ""), "MOVE_GOOD(10,ivory,11)"),
    "a theft": (a_position("9", "9:gems"), "STEAL(9,1,gems)"),
    "C15: the last goods of the bag": (
        a_position("0", "", goods=FIVE_MEAT, bag=(4, *BAG_EMPTY[1:])),
        "PICK_UP(0)",
    ),
}


def test_turns_in_words() -> None:
    check_screen(
        "words/caravan",
        {title: words(DRAWING, steps(state, *turn.split()), NAMES) for title, (state, turn) in TURNS.items()},
    )


def test_a_refill_names_the_goods_and_their_spaces() -> None:
    """C15: the pick-up that leaves four goods on the spaces."""
    [refill, *_] = news(DRAWING, steps(a_position("0", "", goods=FIVE_MEAT), "PICK_UP(0)"), NAMES)
    assert refill.startswith("Refill: ")
    assert refill.endswith(".")
    assert all(f" on ({number})" in refill for number in (1, 6, 7, 8))


def test_a_refill_is_told_before_what_the_turn_does_after_it() -> None:
    """C15: the turn is interrupted and goes on with the new goods."""
    played = steps(a_position("0 42 9", "", goods=FIVE_MEAT), "PICK_UP(0)", "MOVE(9,10)")
    picked, refill, *_, moved = [each.plain for each in told(DRAWING, played, NAMES)]
    assert [picked, moved] == ["Picks up meat on (1).", "Moves a camel from 9 to 10."]
    assert refill.startswith("Refill: ")


def test_a_score_says_what_it_is_made_of_unless_it_is_a_delivery_alone() -> None:
    """C19: three carried goods cost 3 points, two 1; a demand marker is worth 1."""
    state = a_position("0 3:ivory 5:gems", "", markers={1: 4})
    [both] = news(DRAWING, steps(state, "PICK_UP(0)"), NAMES)
    assert "(+4 demand, -2 carried goods)" in both
    [alone] = news(DRAWING, steps(a_position("10:ivory 3", "", markers={}), "MOVE_GOOD(10,ivory,3)"), NAMES)
    assert "(" not in alone


def test_every_ending_has_words() -> None:
    for game in GAMES:
        endings = import_module(f"engine.{game}.events").Ending
        assert all(drawing_for(game).ending(each.name) != each.name for each in endings)
    assert DRAWING.ending("FORFEITED") == "FORFEITED"


def test_the_board_is_shown_again_when_a_delivery_changes_the_lead() -> None:
    [overtaking] = steps(a_position("10:ivory 3", "", markers={}), "MOVE_GOOD(10,ivory,3)")
    [quiet] = steps(a_position("9", ""), "MOVE(9,10)")
    assert news(DRAWING, [quiet], NAMES) == []
    assert not DRAWING.is_moment(quiet.before, quiet.after)
    assert not DRAWING.is_moment(overtaking.before, overtaking.after)  # nobody led before
    before = own(overtaking.before)
    seats = tuple(seat._replace(score=score) for seat, score in zip(before.seats, (0, 3), strict=True))
    assert DRAWING.is_moment(before._replace(seats=seats), overtaking.after)
