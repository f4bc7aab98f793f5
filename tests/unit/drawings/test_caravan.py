"""Caravan on a terminal."""

from arena.drawings.caravan.drawing import DRAWING
from engine.caravan.state import CaravanState
from tests.unit.cli.screens import check_screen
from tests.unit.engine.caravan.positions import BAG_EMPTY, a_match, a_position, view
from tests.unit.engine.playing import play


def lines(state: CaravanState) -> list[str]:
    return DRAWING.draw(view(state)).plain.splitlines()


def cell(state: CaravanState, square: int) -> list[str]:
    """Return the three lines of one square."""
    row, column = divmod(square, 7)
    left = 6 + 10 * column
    return [line[left : left + 9].rstrip() for line in lines(state)[2 + 4 * row : 5 + 4 * row]]


def test_a_goods_space_shows_its_number_its_good_its_markers_and_the_camels() -> None:
    state = a_position("6 6 6:salt", "6:ivory!", goods={2: "swords"}, markers={2: 3})
    assert cell(state, 6) == ["(2)    +3", "● swords", "00 0sa 1…"]
    assert cell(state, 0) == ["(1)", "-", ""]


def test_a_city_shows_its_name_and_the_good_it_takes() -> None:
    assert cell(a_position("3", ""), 3) == ["Marrakesh", "◇ ivory", "0"]


def test_other_squares_show_camels_with_their_goods_and_protection() -> None:
    assert cell(a_position("1", "1:meat!"), 1) == ["", "0 1me!", ""]


def test_a_terminal_of_80_columns_is_wide_enough_for_the_board() -> None:
    board = lines(a_match())[:30]
    assert {len(line) for line in board[1:30]} == {76}


def test_squares_can_be_counted_from_the_numbers_at_the_edges() -> None:
    drawn = lines(a_match())
    assert drawn[0].split() == [f"+{column}" for column in range(7)]
    assert [line.split()[0] for line in drawn[3:30:4]] == [str(7 * row) for row in range(7)]


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


def test_a_seat_shows_its_score_what_it_has_delivered_and_what_it_carries() -> None:
    state = play(a_position("10:ivory 3 20:salt 21:gems", ""), "MOVE_GOOD(10,ivory,3)")
    acting, other = lines(state)[-2:]
    assert acting.split() == ["▶", "0", "5", "1", "1", "0", "1iv;", "sa", "ge"]
    assert other.split() == ["1", "0", "5", "1", "0", "-"]


def test_bots_are_named_where_they_are_known() -> None:
    drawn = DRAWING.draw(view(a_match()), ("greedy", "a-bot-with-a-very-long-name")).plain.splitlines()
    assert any(line.startswith("Turn 1: greedy") for line in drawn)
    assert drawn[-2].split()[:4] == ["▶", "0", "greedy", "0"]
    assert drawn[-1].split()[:3] == ["1", "a-bot-with-", "0"]
