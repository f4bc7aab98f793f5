"""W25-W30: the event windows, attacks, answers."""

from itertools import product

import pytest

from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.positions import Positions, attacked, of
from tests.unit.engine.wasteland.tables import ATTACK_TYPE, EVENTS, WINDOWS


def test_w25_after_a_play_or_a_pass_the_next_seat_is_asked(at: Positions) -> None:
    """A pass is not final: after a play n new ones are needed."""
    hands = ["hidden_cache", "pickpockets", "leaking_tank"]
    position = at("event", seats=3, window="end", hands=hands, resources="fuel")
    position.play(do.PASS)
    assert position.asked == ("event", 1)
    assert position["window"] == {"name": "end", "asked": 1, "passes": 1, "attack": None}
    position.play(do.play("pickpockets"))
    assert position.asked == ("event", 2)
    assert position["window"] == {"name": "end", "asked": 2, "passes": 0, "attack": None}
    position.play(do.PASS)
    assert position.may(do.play("hidden_cache"))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_w25_the_window_closes_after_n_passes_in_a_row(at: Positions, seats: int) -> None:
    hands = ["hidden_cache", "pickpockets", "pickpockets", "contract_cancelled"][:seats]
    position = at("event", seats=seats, window="end", hands=hands)
    for _ in range(seats):
        assert position["window"]["name"] == "end"
        position.play(do.PASS)
    assert position["window"] is None
    assert position.asked == ("end_discard", 0)


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("card", EVENTS)
def test_w26_each_card_has_its_player_and_its_moment(at: Positions, card: str, window: str) -> None:
    """Every card in each window, in the hand of each; a second card is there so that the seat is asked."""
    row, held = EVENTS[card], {"caravan": "head:1", "resources": "fuel rations"}
    for seat, who, other in ((0, "C", "hidden_cache"), (1, "O", "pickpockets")):
        hands = ["", ""]
        hands[seat] = f"{card} {other}" if card != other else card
        for space in ("N", "i1"):
            position = at("event", window=window, to_move=seat, hands=hands, space=space, **held)
            playable = any(action.get("card") == card for action in position.legal())
            here = {"bargain": space == "N", "dry_market": space == "N", "bonus_contract": space == "i1"}
            assert playable == (row.who in (who, "all") and window in row.windows and here.get(card, True))


def test_w27_a_played_card_is_discarded_then_it_takes_effect(at: Positions) -> None:
    """Cash that a Hidden Cache brings counts at once (W65); the play is told before."""
    position = at("event", window="end", hands=["hidden_cache", ""], cash=33)
    assert position.told(do.play("hidden_cache"))[:2] == ["play", "goal"]
    assert position["discards"]["event"] == ["hidden_cache"]


def test_w28_each_opponent_plays_one_attack_in_a_turn(at: Positions) -> None:
    """Another of his cards may be played, another opponent may attack."""
    hands = ["", "attack ambush pickpockets", "attack attack"]
    position = at("event", seats=3, to_move=1, window="encounter", hands=hands)
    position.play(do.play("attack"), do.play("attack"))
    assert position["turn"]["attackers"] == [1, 2]
    assert position.asked == ("event", 1)
    assert position.legal() == [do.play("pickpockets"), do.PASS]
    position.play(do.play("pickpockets"))
    assert position.asked[1] == 0, "the window is closed, since neither may attack again"


@pytest.mark.parametrize(("first", "second"), [*product(ATTACK_TYPE, repeat=2)])
def test_w28_all_three_count_as_attacks(at: Positions, first: str, second: str) -> None:
    hands = ["", f"{first} {second} pickpockets"]
    position = attacked(at, "lone_raider", "lone_raider", hands=hands)
    assert position.values("play", "card") == {first, second, "pickpockets"}
    position.play(do.play(first))
    assert position.values("play", "card") == {"pickpockets"}


def test_example_10_w28_a_cancelled_attack_counts_for_its_player_alone(at: Positions) -> None:
    """Seat 2 may not play Ambush! in this turn, seat 3 may."""
    hands = ["escort", "", "attack ambush", "ambush"]
    position = attacked(at, seats=4, to_move=2, hands=hands)
    position.play(do.play("attack"), do.play("escort"))
    assert position.asked == ("event", 3)
    assert position.may(do.play("ambush"))
    position.play(do.PASS)
    assert position["window"] is None
    assert position.seat(2)["hand"] == ["ambush"]


def test_w29_a_holder_of_an_escort_is_asked_before_the_draw(at: Positions) -> None:
    position = attacked(at, "lone_raider", seats=3, hands=["escort", "attack", "pickpockets"])
    assert position.play(do.play("attack")) == [{"event": "play", "seat": 1, "card": "attack"}]
    assert position.asked == ("respond", 0)
    assert position.legal() == [do.play("escort"), do.PASS]
    assert position["window"] == {"name": "encounter", "asked": 2, "passes": 0, "attack": "attack"}
    assert position.play(do.play("escort")) == [{"event": "play", "seat": 0, "card": "escort"}]
    assert position["discards"]["event"] == ["attack", "escort"]
    assert (position["queue"], position["decks"]["attack"][0]) == ([], "lone_raider")
    assert (position.asked, position["window"]["attack"]) == (("event", 2), None)


def test_w29_passing_keeps_the_escort_and_without_one_he_is_not_asked(at: Positions) -> None:
    for hand, passes in (("escort", [do.PASS]), ("hidden_cache", [])):
        position = attacked(at, "lone_raider", seats=3, hands=[hand, "attack", "pickpockets"])
        assert position.told(do.play("attack"), *passes) == ["play", "attack_card"]
        assert (position.he["hand"], position.asked) == ([hand], ("event", 2))


def test_w29_an_escort_answers_one_attack(at: Positions) -> None:
    """Two attacks, two Escorts."""
    position = attacked(at, "lone_raider", seats=3, hands=["escort escort", "attack", "ambush"])
    position.play(do.play("attack"), do.play("escort"), do.play("ambush"))
    assert position.asked == ("respond", 0)
    position.play(do.play("escort"))
    assert position["discards"]["event"] == ["attack", "escort", "ambush", "escort"]


def test_w27_w30_the_current_player_chooses_what_spoils_and_the_window_goes_on(at: Positions) -> None:
    hands = ["", "spoiled_stores", "pickpockets"]
    position = at("event", seats=3, to_move=1, window="end", hands=hands, resources="rations medicine")
    position.play(do.play("spoiled_stores"))
    assert position.asked == ("spoil", 0)
    assert position.legal() == [do.lose("medicine"), do.lose("rations")]
    assert position["window"] == {"name": "end", "asked": 2, "passes": 0, "attack": None}
    told = position.play(do.lose("rations"))
    assert told == [{"event": "lose", "seat": 0, "resource": "rations", "number": 1}]
    assert (position.stored(), position.asked) == ({"medicine": 1}, ("event", 2))


@pytest.mark.parametrize("resource", ["rations", "medicine"])
def test_w30_with_one_of_the_two_the_player_is_not_asked(at: Positions, resource: str) -> None:
    hands = ["", "spoiled_stores"]
    position = at("event", window="end", to_move=1, hands=hands, resources=f"{resource}:2 fuel")
    told = position.play(do.play("spoiled_stores"))
    assert of("lose", told) == [{"event": "lose", "seat": 0, "resource": resource, "number": 1}]
    assert position.stored() == {resource: 1, "fuel": 1}


@pytest.mark.parametrize(("cash", "windows"), [(5, WINDOWS[1:]), (0, ())])
def test_w26_conditions_are_looked_at_in_each_window(
    at: Positions, cash: int, windows: tuple[str, ...]
) -> None:
    """Without Cash there is nothing to take, so seat 1 is asked in no window."""
    position, seen = at("move", cash=cash, hands=["", "pickpockets"]), []
    while position["current"] == 0:
        if position.asked[0] == "event":
            seen.append(position["window"]["name"])
            position.play(do.PASS)
        else:
            position.play({"move": do.STOP, "location": do.DONE, "end_discard": do.KEEP}[position.asked[0]])
    assert tuple(seen) == windows
