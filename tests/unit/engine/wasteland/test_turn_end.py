"""W61-W69: the end of a turn and of the match."""

import pytest

from tests.unit.engine.naive import Json
from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.mapping import Implementation
from tests.unit.engine.wasteland.positions import Position, Positions, holding, of, only
from tests.unit.engine.wasteland.tables import GOAL


def test_w61_w62_after_the_window_end_he_may_discard_one_event_card(at: Positions) -> None:
    position = at(hands=["attack salvage salvage", ""], decks={"event": "bargain"})
    position.play(do.DONE)
    assert (position.asked, position["window"]["name"]) == (("event", 0), "end")
    position.play(do.PASS)
    assert position.asked == ("end_discard", 0)
    assert position.legal() == [do.discard("attack"), do.discard("salvage"), do.KEEP]
    told = position.play(do.discard("salvage"))
    assert told[:2] == [
        {"event": "event_discard", "seat": 0, "card": "salvage"},
        {"event": "event_card", "seat": 0, "card": "bargain"},
    ]
    assert position.he["hand"] == ["attack", "bargain", "salvage"]
    assert position["discards"]["event"] == ["salvage"]


@pytest.mark.parametrize(
    ("hand", "draws"), [("attack", 1), ("attack escort", 1), ("attack escort escort", 0)]
)
def test_w63_with_fewer_than_three_the_player_draws_one(at: Positions, hand: str, draws: int) -> None:
    position = at(hands=[hand, ""])
    told = position.play(do.DONE, do.KEEP)
    assert len(of("event_card", told)) == draws
    assert len(position.he["hand"]) == len(hand.split()) + draws


@pytest.mark.parametrize(("answer", "drawn", "left"), [(do.COOK, ["escort"], 1), (do.PASS, [], 2)])
def test_w64_cook_wagon_draws_one_more_once(at: Positions, answer: Json, drawn: list[str], left: int) -> None:
    position = at(caravan="cook_wagon", resources="rations:2", decks={"event": "bargain escort"})
    position.play(do.DONE)
    assert position.asked == ("cook", 0)
    assert position.legal() == [do.COOK, do.PASS]
    assert position.he["hand"] == ["bargain"]
    assert [entry["card"] for entry in of("event_card", position.play(answer))] == drawn
    assert (position.stored(), position.he["hand"]) == ({"rations": left}, ["bargain", *drawn])
    assert position["current"] == 1


@pytest.mark.parametrize(
    ("held", "hand"),
    [("rations", "attack"), ("cook_wagon fuel", "attack"), ("cook_wagon rations", "attack escort")],
)
def test_w64_it_takes_the_card_rations_and_room(at: Positions, held: str, hand: str) -> None:
    """Room is looked at after the draw of W63."""
    position = at(**holding(held), hands=[hand, ""])
    position.play(do.DONE, do.KEEP)
    assert position["current"] == 1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_w65_the_cash_goal(at: Positions, seats: int) -> None:
    for cash, reached in ((GOAL[seats] - 6, False), (GOAL[seats] - 5, True)):
        position = at(seats=seats, space="i1", cash=cash, missions="i1A", resources="munitions medicine")
        told = position.play(do.deliver("i1A"))
        assert of("goal", told) == ([{"event": "goal", "seat": 0}] if reached else [])
        assert position["goal_reached"] is reached


def test_w65_neither_does_the_worth_of_cards_count_nor_what_is_spent_later(at: Positions) -> None:
    """Cash 34 and a War Rig score 38, and trigger nothing."""
    asked = {"window": "before_location", "hands": ["hidden_cache", ""]}
    position = at("event", **asked, cash=32, caravan="war_rig")
    position.play(do.play("hidden_cache"))
    assert (position["goal_reached"], position.match.scores()[0]) == (False, 38)
    position = at("event", **asked, cash=33)
    position.play(do.play("hidden_cache"))
    position.play(do.buy("war_rig"), do.DONE)
    assert position["goal_reached"] is True
    position.finish()
    assert (position["ending"], position["round"]) == ("GOAL", 1)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("first", [0, 1])
def test_w66_the_round_is_completed(at: Positions, seats: int, first: int) -> None:
    """Seat 0 reaches the goal; all have had the same number of turns at the end."""
    asked = {"window": "end", "hands": ["hidden_cache"], "cash": GOAL[seats] - 1}
    position = at("event", seats=seats, first=first, **asked)
    told = [*position.play(do.play("hidden_cache")), *position.finish()]
    assert [entry["seat"] for entry in of("turn", told)] == [k for k in range(1, seats) if first == 0]
    assert told[-1] == {"event": "end", "ending": "GOAL"}
    assert (position["ending"], position["round"]) == ("GOAL", 1)


def test_example_9_w66_one_more_turn(at: Positions) -> None:
    """Three players, seat 1 began: seat 2 reaches 30, then seat 0 has one more turn."""
    player = {"cash": 26, "space": "i1", "resources": only(munitions=1, medicine=1)}
    position = at(seats=3, first=1, current=2, to_move=2, others={2: player}, missions="i1A")
    told = position.play(do.deliver("i1A"))
    told += position.finish()
    assert [entry["seat"] for entry in of("turn", told)] == [0]
    assert (position["ending"], position["round"]) == ("GOAL", 1)


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_w67_the_match_ends_after_max_rounds(rules: Implementation, rounds: int) -> None:
    position = Position(rules.new(3, {"max_rounds": rounds}, bytes([rounds]) * 32))
    position.finish()
    assert (position["ending"], position["round"]) == ("ROUND_LIMIT", rounds)
    assert len(of("turn", position.match.told)) == 3 * rounds
    assert position.match.told[-1] == {"event": "end", "ending": "ROUND_LIMIT"}


def test_w67_a_goal_in_the_last_round_is_a_goal(at: Positions) -> None:
    position = at("event", window="end", hands=["hidden_cache", ""], cash=34, options={"max_rounds": 1})
    position.play(do.play("hidden_cache"))
    position.finish()
    assert position["ending"] == "GOAL"


@pytest.mark.parametrize(
    ("caravan", "worth"),
    [
        ("", 0),
        ("gun_truck cargo_hauler outrider_bikes", 5),
        ("war_rig:4 armored_bus:3", 7),
        ("cook_wagon", 1),
    ],
)
def test_example_8_w68_half_the_cost_of_each_card_rounded_down(
    at: Positions, caravan: str, worth: int
) -> None:
    """Prices 4, 5, 3 are worth 2, 2, 1. The Head is worth 0, damage does not count."""
    assert at(caravan=caravan, cash=11).match.scores() == [11 + worth, 5]


def placed(at: Positions, players: list[tuple[int, dict[str, int]]]) -> tuple[list[int], list[int]]:
    """Scores and placings of seats with so much Cash and these caravans."""
    others = {seat: {"cash": cash, "caravan": caravan} for seat, (cash, caravan) in enumerate(players)}
    position = at("event", seats=len(players), window="end", hands=["hidden_cache"], others=others)
    return position.match.scores(), position.match.placings()


def test_example_12_w69_more_health_left_wins_a_tie(at: Positions) -> None:
    """Scores 41 and 41, health left 9 and 7."""
    one = (37, {"head": 0, "war_rig": 0})
    other = (37, {"head": 1, "war_rig": 1})
    assert placed(at, [one, other]) == ([41, 41], [1, 2])
    assert placed(at, [other, one]) == ([41, 41], [2, 1])


def test_w69_seats_that_are_still_tied_share_the_placing(at: Positions) -> None:
    """The score comes first."""
    same, less = (20, {"head": 1}), (20, {"head": 2})
    assert placed(at, [same, same, less]) == ([20, 20, 20], [1, 1, 3])
    assert placed(at, [less, same, less, (21, {"head": 3})])[1] == [3, 2, 3, 1]
