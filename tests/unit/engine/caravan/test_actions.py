"""C22, the packing of actions and their notation."""

import pytest

from engine.caravan import actions
from engine.game import UnreadableActionError
from tests.unit.engine.caravan.positions import a_match, a_position
from tests.unit.engine.playing import check_refused, check_words, legal


def test_c22_the_list_goes_by_kind_and_then_by_fields() -> None:
    state = a_position("0 8 9:ivory 9:ivory!", "8:salt 8:hides", "8:meat", points=1)
    places = [f"PLACE({to})" for to in range(49) if to not in (0, 8, 9)]
    moves = [f"MOVE({at},{to})" for at in (0, 8) for to in range(49) if to not in (0, 8, 9)]
    assert legal(state) == [
        "PASS",
        *places,
        *moves,
        "PICK_UP(0)",
        "PICK_UP(8)",
        "STEAL(8,1,salt)",
        "STEAL(8,1,hides)",
        "STEAL(8,2,meat)",
        "MOVE_GOOD(9,ivory,8)",
        "MOVE_GOOD(9,ivory,protected,8)",
    ]


def test_the_packing_is_the_documented_one() -> None:
    assert actions.PASS_ACTION == 0
    assert actions.place(48) == 1 << 22 | 48
    assert actions.move(2, 47) == 2 << 22 | 2 << 14 | 47
    assert actions.pick_up(6) == 3 << 22 | 6 << 14
    assert actions.steal(9, 3, 7) == 4 << 22 | 9 << 14 | 3 << 12 | 7 << 9
    assert actions.move_good(9, 5, 10, protected=True) == 5 << 22 | 9 << 14 | 5 << 9 | 1 << 8 | 10


NO_ACTIONS = (
    "",
    "pass",
    "PLACE()",
    "PLACE(07)",
    "PLACE(-1)",
    "PLACE(٣)",
    " PASS",
    "MOVE(1,2,3)",
    "STEAL(3,1,sugar)",
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        *((text, "no action Caravan") for text in (*NO_ACTIONS, "x" * 5000)),
        *((text, "squares 0 48") for text in ("PLACE(49)", "MOVE(3,300)", "PICK_UP(999)")),
        ("STEAL(60,1,salt)", "at 60"),
        ("STEAL(3,2,salt)", "victim 2 seats 0 1"),
        ("MOVE_GOOD(3,salt,protected,50)", "square 50"),
    ],
)
def test_what_is_no_action_is_refused_with_a_short_sentence(text: str, words: str) -> None:
    with pytest.raises(UnreadableActionError) as caught:
        a_match().parse_action(text)
    check_words(str(caught.value), words)


def test_an_int_that_is_no_action_is_illegal_and_changes_nothing() -> None:
    ints = (-1, 6 << 22, 1 << 60, 1, actions.PLACE << 22 | 1 << 14, actions.place(49), actions.move(49, 0))
    for packed in (*ints, actions.steal(0, 3, 0), actions.pick_up(0) | 1):
        check_refused(a_position("0 1", ""), packed, "")
