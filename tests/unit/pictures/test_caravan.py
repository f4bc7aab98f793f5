"""Caravan as SVG."""

import pytest

from arena.drawings.caravan.board import short_name
from arena.pictures.caravan.picture import PICTURE
from arena.pictures.picture import Layer, Picture
from engine.caravan.game import CARAVAN
from engine.caravan.observation import Observation
from engine.caravan.state import CaravanState
from tests.unit.drawings.played_steps import steps
from tests.unit.engine.caravan.positions import BAG_EMPTY, EIGHT_MEAT, a_match, a_position, view
from tests.unit.pictures.played import NAMES, check_picture, ids, letters, play


def marks(state: CaravanState, actions: str) -> list[dict[str, str]]:
    """Return the marks of each moment of the last of some actions, with their text."""
    step = steps(state, *actions.split())[-1]
    pictures = [PICTURE.draw(moment.after, NAMES[:2], moment) for moment in PICTURE.moments(step)]
    return [marked(picture) for picture in pictures]


def marked(picture: Picture) -> dict[str, str]:
    text = letters(picture)
    return {
        part.id: text[part.id]
        for part in picture.parts
        if part.layer is not Layer.PIECES and not part.id.startswith("row-")
    }


def test_every_piece_of_a_position_is_drawn_once() -> None:
    for frames in play(CARAVAN, 4, every=7):
        seen = frames[0].step.after
        assert isinstance(seen, Observation)
        text = letters(PICTURE.draw(seen, NAMES[:4]))
        for seat, has in enumerate(seen.seats):
            empty = {f"camel-{seat}-{at}-{each}" for at, camels in has.empty_camels for each in range(camels)}
            assert empty == {name for name in text if name.startswith(f"camel-{seat}-")}
            loads = sorted(text[name].split()[-1] for name in text if name.startswith(f"laden-{seat}-"))
            assert loads == sorted(short_name(camel.good) for camel in has.laden_camels)
            assert text[f"score-{seat}"].replace("\N{MINUS SIGN}", "-") == str(has.score)
            assert [text[f"{what}-{seat}"] for what in ("supply", "theft", "demand")] == [
                str(has.supply),
                str(has.theft_markers),
                str(has.demand_markers),
            ]
            delivered = sum(
                int(text[name].split()[0]) for name in text if name.startswith(f"delivered-{seat}-")
            )
            assert delivered == sum(has.delivered)
        for index, space in enumerate(seen.goods_spaces, 1):
            assert text.get(f"good-{index}", "NONE").upper() == (
                space.good.name if space.good is not None else "NONE"
            )
            assert int(text.get(f"markers-{index}", "0")) == space.demand_markers
        bag = [int(text[name].split()[0]) for name in text if name.startswith("bag-")]
        assert sorted(bag) == sorted(seen.bag)


@pytest.mark.parametrize(
    ("state", "actions", "marks_of_moments"),
    [
        (a_position("", ""), "PASS", [{}]),
        (a_position("", ""), "PLACE(24)", [{"changed": "", "supply-0-change": "\N{MINUS SIGN}1"}]),
        (a_position("9 10", ""), "MOVE(9,3)", [{"arrow": "", "ghost": "0", "changed": ""}]),
        (
            a_position("10:ivory 3", ""),
            "MOVE_GOOD(10,ivory,3)",
            [{"arrow": "", "changed": "", "ghost": "iv", "delivery": "+6", "score-0-change": "+6"}],
        ),
        (
            a_position("9", "9:gems"),
            "STEAL(9,1,gems)",
            [{"changed": "", "theft-0-change": "\N{MINUS SIGN}1", "theft-1-change": "+1"}],
        ),
    ],
)
def test_an_action_marks_what_it_has_changed(state, actions, marks_of_moments) -> None:
    assert marks(state, actions) == marks_of_moments


def test_a_refill_is_a_moment_of_its_own() -> None:
    """C15: the pick-up that leaves four goods on the spaces."""
    five = {number: EIGHT_MEAT[number] for number in range(1, 6)}
    [step] = steps(a_position("0", "", goods=five), "PICK_UP(0)")
    taken, refilled = (PICTURE.draw(moment.after, (), moment) for moment in PICTURE.moments(step))
    assert {name for name in ids(taken) if name.startswith("good-")} == {
        f"good-{number}" for number in (2, 3, 4, 5)
    }
    assert {name for name in ids(refilled) if name.startswith("good-")} == {
        f"good-{number}" for number in range(1, 9)
    }
    assert len([name for name in ids(refilled) if name.startswith("drawn-")]) == 4
    assert not [name for name in ids(taken) if name.startswith("drawn-")]


def test_the_end_and_an_empty_bag_are_named() -> None:
    armed = letters(PICTURE.draw(view(a_position("", "", bag=BAG_EMPTY))))
    assert "next delivery" in armed["bag"]
    [over] = steps(a_match(options={"turn_limit": "1"}), "PASS")
    assert "over: the last turn" in letters(PICTURE.draw(over.after))["turn"]


def test_the_bag_says_when_the_next_refill_comes() -> None:
    seen = view(a_position("", "", bag=(4, *BAG_EMPTY[1:])))
    lie = sum(space.good is not None for space in seen.goods_spaces)
    assert letters(PICTURE.draw(seen))["bag"] == f"Bag 4: the last refill after {lie - 4} pick-ups"


def test_camels_stay_inside_their_square_however_many_there_are() -> None:
    crowded = PICTURE.draw(view(a_position("6 6 6:salt 6:meat 6", "6:ivory! 6 6 6:gems 6", markers={2: 3})))
    for part in crowded.parts:
        if "-6-" in part.id:
            assert 540 < part.x < 628, part.id
            assert 52 < part.y < 140, part.id


def test_a_position_looks_as_in_the_golden_file() -> None:
    state = a_position("6 6 6:salt 10:ivory 3", "6:ivory! 24", goods={2: "swords", 3: "gems"}, markers={2: 3})
    [step] = steps(state, "MOVE_GOOD(10,ivory,3)")
    [moment] = PICTURE.moments(step)
    check_picture("caravan", PICTURE.draw(step.after, ("greedy", "a-bot-with-a-very-long-name"), moment))
