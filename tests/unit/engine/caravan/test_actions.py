"""C22, the packing of actions and their notation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.caravan import actions
from engine.caravan.goods import GOODS
from engine.game import IllegalActionError, UnreadableActionError
from tests.unit.engine.caravan.positions import a_match, a_position, legal

squares = st.integers(0, 48)
seats = st.integers(0, 3)
goods = st.sampled_from(GOODS)


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


@given(squares, squares, seats, goods, st.booleans())
def test_fields_come_back_from_the_packing(at: int, to: int, victim: int, good: int, protected: bool) -> None:
    packed = actions.move_good(at, good, to, protected=protected)
    assert (actions.at_of(packed), actions.good_of(packed), actions.to_of(packed)) == (at, good, to)
    assert actions.is_protected(packed) is protected
    assert actions.victim_of(actions.steal(at, victim, good)) == victim


@given(squares, squares, seats, goods, st.booleans())
def test_the_notation_is_read_back(at: int, to: int, victim: int, good: int, protected: bool) -> None:
    state = a_match(4)
    for packed in (
        actions.PASS_ACTION,
        actions.place(to),
        actions.move(at, to),
        actions.pick_up(at),
        actions.steal(at, victim, good),
        actions.move_good(at, good, to, protected=protected),
    ):
        assert state.parse_action(state.format_action(packed)) == packed


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is no action of Caravan"),
        ("pass", "is no action of Caravan"),
        ("PLACE()", "is no action of Caravan"),
        ("PLACE(07)", "is no action of Caravan"),
        ("PLACE(-1)", "is no action of Caravan"),
        ("PLACE(٣)", "is no action of Caravan"),
        (" PASS", "is no action of Caravan"),
        ("MOVE(1,2,3)", "is no action of Caravan"),
        ("STEAL(3,1,sugar)", "is no action of Caravan"),
        ("PLACE(49)", "squares 0 to 48"),
        ("MOVE(3,300)", "squares 0 to 48"),
        ("PICK_UP(999)", "squares 0 to 48"),
        ("STEAL(60,1,salt)", "field at is 60"),
        ("STEAL(3,2,salt)", "field victim is 2: the match has seats 0 to 1"),
        ("MOVE_GOOD(3,salt,protected,50)", "field square is 50"),
        ("x" * 5000, "is no action of Caravan"),
    ],
)
def test_what_is_no_action_is_refused_with_a_short_sentence(text: str, complaint: str) -> None:
    with pytest.raises(UnreadableActionError, match=complaint) as caught:
        a_match().parse_action(text)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "packed",
    [
        -1,
        6 << 22,
        1 << 60,
        1,
        actions.PLACE << 22 | 1 << 14,
        actions.place(49),
        actions.move(49, 0),
        actions.steal(0, 3, 0),
        actions.pick_up(0) | 1,
    ],
)
def test_an_int_that_is_no_action_is_illegal_and_changes_nothing(packed: int) -> None:
    state = a_position("0 49 1".replace("49 ", ""), "")
    digest = state.digest()
    assert not state.is_legal(packed)
    with pytest.raises(IllegalActionError, match="is not legal here"):
        state.apply(packed)
    assert state.digest() == digest


def test_every_legal_action_fits_32_bits_and_the_list_is_a_uint32_buffer() -> None:
    listed = a_position("48:paper! 48 47", "48:paper").legal_actions()
    assert (listed.format, listed.itemsize, listed.readonly) == ("I", 4, True)


def test_the_list_is_made_once_for_a_position() -> None:
    state = a_match()
    assert state.legal_actions() is state.legal_actions()
