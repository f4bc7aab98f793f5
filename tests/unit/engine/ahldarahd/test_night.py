"""A36-A42: the cup, and what a Night asks."""

from collections.abc import Sequence
from typing import Any

from engine.ahldarahd.night import draw_chips, fill_cup
from engine.ahldarahd.state import AhldarahdState
from tests.unit.engine.ahldarahd import do
from tests.unit.engine.ahldarahd.positions import NIGHT, a_position, asked, form, legal, play, refused, told
from tests.unit.engine.naive import canonical


def before_a_night(seats: int = 3, **fields: Any) -> AhldarahdState:
    """Seat 0 is about to sell the Right of map 1 for one gold, and that chip comes after black ones."""
    routes, eyes = {1: {1: [19, 21]}, **fields.pop("routes", {})}, fields.pop("eyes", None)
    cards = {"hands": ("gems", "", ""), "deck": "salt-0 gems-1", "cup": (0, 1000)}
    items = {"right:1": 0, "eyes": eyes}
    return a_position(seats, options=NIGHT, routes=routes, items=items, **{"gold": 0, **cards, **fields})


def a_night(seats: int = 3, **fields: Any) -> AhldarahdState:
    """Return a Night of the salt that seat 0 has brought with a gold chip (it has one gold more than given)."""
    state = before_a_night(seats, **fields)
    assert "night" in told(state, do.sell(1))
    return state


Routes = dict[int, dict[int, Sequence[int]]]

SALT_0: Routes = {0: {0: [10, 12]}}
SALT_ALL: Routes = {0: {0: [10, 12], 1: [14], 2: [15, 16]}}


def test_a37_an_empty_cup_is_filled_with_75() -> None:
    """Black chips are set aside."""
    state = a_position(options=NIGHT, cup=(2, 0))
    assert draw_chips(state, 5) == 0
    assert form(state)["cup"] == {"gold": 72, "black": 0}
    fill_cup(state)
    assert draw_chips(state, 75) + state.cup_black == 3


def test_a37_a38_the_seat_gets_its_gold_and_the_top_card_names_the_city_and_is_discarded() -> None:
    state = before_a_night(routes=SALT_0, gold=(3, 0, 0))
    night = play(state, do.sell(1))[-1]
    assert night == {"event": "night", "seat": 0, "black": night["black"], "card": "salt-0"}
    assert night["black"] > 1
    fields = form(state)
    assert (fields["gold"], fields["night"]["city"]) == ([4, 0, 0], "salt")
    assert (fields["deck"], fields["discards"]) == (["gems-1"], ["salt"])


def test_a38_with_an_empty_deck_nothing_more_happens() -> None:
    """A Night that takes the last card makes this turn the last (A30)."""
    state = before_a_night(routes=SALT_0, deck="")
    assert play(state, do.sell(1))[-1]["card"] is None
    assert (asked(state), form(state)["night"]) == (("build", 0), None)
    assert told(a_night(deck="salt-0"), do.DONE, do.DONE, do.DONE)[-1] == "end"


def test_a39_with_nobody_hit_the_night_ends_and_the_eyes_protect() -> None:
    state = a_night(hands=("salt", "salt", "salt"), gold=5)
    assert asked(state) == ("build", 0)
    assert {"event": "done", "seat": 0} in play(state, do.DONE)
    assert asked(a_night(routes=SALT_0, eyes=0)) == ("build", 0)
    assert asked(a_night(routes=SALT_0, eyes=1)) == ("avert", 0)
    state = a_night(hands=("", "", ""), routes={0: {0: [10], 1: [14]}}, eyes=0)
    assert form(state)["routes"][0] == {"10": 0}


def test_a40_every_seat_with_cards_is_asked_hit_or_not() -> None:
    state = a_night(4, hands=("gems", "", "dates", "salt"), routes=SALT_0)
    assert form(state)["night"]["waiting"] == [0, 2, 3]
    assert legal(state) == [do.PASS]
    refused(state, do.AVERT, "A40 no salt")
    play(state, do.PASS, do.PASS)
    assert asked(state) == ("avert", 3)
    assert legal(state) == [do.AVERT, do.PASS]


def test_a40_the_first_discard_ends_the_night_for_everyone() -> None:
    state = a_night(hands=("", "salt", "salt"), routes=SALT_ALL)
    assert play(state, do.AVERT) == [{"event": "avert", "seat": 1, "card": "salt"}]
    fields = form(state)
    assert (fields["night"], fields["hands"][1], fields["discards"]) == (None, [], ["salt", "salt"])
    assert asked(state) == ("build", 0)


def test_a40_clockwise_from_the_seat_that_drew() -> None:
    state = a_position(
        3,
        options=NIGHT,
        hands=("gems", "gems", "gems"),
        routes={1: {1: [19, 21]}, **SALT_0},
        items={"right:1": 2, "shah": 2},
        deck="salt-0 gems-1",
        cup=(0, 1000),
    )
    play(state, do.sell(1))
    assert form(state)["night"]["waiting"] == [2, 0, 1]


def test_a41_pledges_that_reach_10_are_paid() -> None:
    """Nobody pledges more than is missing."""
    state = a_night(hands=("", "", ""), gold=(11, 0, 9), routes=SALT_ALL)
    assert form(state)["night"]["waiting"] == [0, 2]
    before = form(state)["cup"]["gold"]
    assert {action["gold"] for action in legal(state)} == set(range(11))
    refused(state, do.pledge(11), "A41 pledge 10")
    events = play(state, do.pledge(4))
    assert legal(state)[-1] == do.pledge(6)
    assert [*events, *play(state, do.pledge(6))] == [
        {"event": "pledge", "seat": 0, "gold": 4},
        {"event": "pledge", "seat": 2, "gold": 6},
        {"event": "ransom", "paid": [4, 0, 6]},
    ]
    fields = form(state)
    assert (fields["gold"], fields["cup"]["gold"]) == ([8, 0, 3], before + 10)
    assert asked(state) == ("build", 0)


def test_a41_a_ransom_out_of_reach_fails_at_once_and_nobody_pays() -> None:
    state = a_night(hands=("", "", ""), gold=(4, 0, 5), routes={0: {0: [10], 1: [14], 2: [15, 16]}})
    assert asked(state) == ("pledge", 0)
    assert told(state.clone(), do.pledge(4)) == ["pledge", "removed", "removed"]
    assert told(state, do.pledge(5), do.pledge(4)) == ["pledge", "pledge", "removed", "removed"]
    assert form(state)["gold"] == [5, 0, 5]
    assert form(state)["night"]["pledged"] == [0, 0, 0]
    assert asked(a_night(hands=("", "", ""), gold=(3, 0, 5), routes=SALT_0)) == ("lose_route", 0)


def test_a42_every_hit_seat_removes_one_and_a_seat_with_only_one_is_not_asked() -> None:
    state = a_night(hands=("", "", ""), routes=SALT_ALL)
    assert (asked(state), form(state)["night"]["waiting"]) == (("lose_route", 0), [0, 1, 2])
    assert legal(state) == [do.lose(0, 10), do.lose(0, 12)]
    refused(state, do.lose(0, 14), "A42 no route salt")
    refused(state, do.lose(0, 9), "A42 no route salt")
    assert play(state, do.lose(0, 12)) == [
        {"event": "removed", "seat": 0, "map": 0, "route": 12},
        {"event": "removed", "seat": 1, "map": 0, "route": 14},
    ]
    assert asked(state) == ("lose_route", 2)
    play(state, do.lose(0, 15))
    assert form(state)["routes"][0] == {"10": 0, "16": 2}
    assert asked(state) == ("build", 0)


def test_a42_cities_are_lost_by_it_at_once_on_any_map() -> None:
    state = a_night(hands=("", "", ""), routes={0: {0: [10, 12, 14, 15]}, 2: {0: [12]}})
    assert legal(state) == [*(do.lose(0, route) for route in (10, 12, 14, 15)), do.lose(2, 12)]
    assert state.default_action() == state.parse_action(canonical(do.lose(0, 10)))
    assert play(state, do.lose(0, 14))[1:] == [{"event": "lost", "seat": 0, "map": 0, "city": "salt"}]
