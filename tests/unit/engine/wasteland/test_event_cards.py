"""W8: every Event card."""

from typing import Any

import pytest

from tests.unit.engine.naive import Json
from tests.unit.engine.pages import cases
from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.positions import Position, Positions, attacked, holding, of
from tests.unit.engine.wasteland.tables import EVENTS, SPACES


def offered(at: Positions, card: str, window: str, **fields: Any) -> Position:
    """Seat 0, or seat 1 if it is a card for opponents, holds the card and is asked."""
    seat = 0 if EVENTS[card].who == "C" else 1
    hands = ["", ""]
    hands[seat] = f"{card} contract_cancelled"
    return at("event", **{"window": window, "to_move": seat, "hands": hands, **fields})


def parts(position: Position) -> dict[str, Any]:
    """Return what the turn and the players have, but for their hands, by name."""
    named = {f"turn {name}": value for name, value in position["turn"].items()}
    for who, player in zip(("he", "other"), position["players"], strict=True):
        has = {"space": player["space"], "cash": player["cash"], **player["caravan"], **player["resources"]}
        named |= {f"{who} {name}": value for name, value in has.items()}
    return named


EFFECTS = """
flat_tire                  | before_move     | N  |                            | turn flat_tires 1
sandstorm                  | before_move     | N  |                            | turn sandstorm True
tailwind                   | before_move     | N  |                            | turn tailwinds 1
road_block X0              | before_move     | N  |                            | turn road_blocks ['X0']
bargain                    | before_location | N  |                            | turn bargain True
bonus_contract             | before_location | i1 |                            | turn bonus True
dry_market rations         | before_location | E  |                            | turn dry ['rations']
hidden_cache               | encounter       | N  |                            | he cash 7
pickpockets                | end             | N  |                            | he cash 4, other cash 6
leaking_tank               | encounter       | N  | fuel medicine              | he fuel 0
leaking_tank               | before_location | N  | fuel:2                     | he fuel 0
leaking_tank               | end             | N  | tanker_trailer fuel:5      | he fuel 3
spoiled_stores             | encounter       | N  | fuel rations               | he rations 0
salvage medicine           | before_move     | N  | fuel:2                     | he medicine 1
field_repairs war_rig      | end             | N  | war_rig:1                  | he war_rig 0
field_repairs head war_rig | end             | N  | head:1 war_rig:2 gun_truck | he head 0, he war_rig 1
"""
"""Card and target, window, space, what he holds, and all that changes for the turn and for both players."""


@cases(EFFECTS)
def test_w8_what_a_card_does(at: Positions, row: list[str]) -> None:
    play, window, space, held, changes = row
    card, *target = play.split()
    position = offered(at, card, window, space=space, **holding(held))
    before = parts(position)
    field = EVENTS[card].target
    position.play(do.play(card, **({field: target if field == "hits" else target[0]} if field else {})))
    changed = [f"{name} {value}" for name, value in parts(position).items() if value != before[name]]
    assert sorted(changed) == sorted(changes.split(", "))


TARGETS = """
dry_market     | before_location | E |                                   | medicine, rations
salvage        | before_move     | N | fuel:2                            | medicine, munitions, rations
salvage        | before_move     | N | fuel:2 munitions rations medicine |
field_repairs  | end             | N | head:1 war_rig:2 gun_truck        | head war_rig, war_rig war_rig
field_repairs  | end             | N | war_rig:1                         | war_rig
field_repairs  | end             | N | war_rig                           |
leaking_tank   | encounter       | N | rations                           |
spoiled_stores | end             | N | fuel munitions                    |
"""
"""Card, window, space, what he holds, and the targets that may be named; without one it may not be played."""


@cases(TARGETS)
def test_w8_what_a_card_may_name(at: Positions, row: list[str]) -> None:
    card, window, space, held, targets = row
    position = offered(at, card, window, space=space, **holding(held))
    plays = [action for action in position.legal("play") if action["card"] == card]
    named = [action[EVENTS[card].target] for action in plays]
    assert ", ".join(" ".join(each) if isinstance(each, list) else each for each in named) == targets
    assert bool(plays) == bool(targets)


def test_attack(at: Positions) -> None:
    position = attacked(at, "lone_raider", seats=3, hands=["", "attack", "pickpockets"])
    told = position.play(do.play("attack"))
    assert told[1:] == [{"event": "attack_card", "card": "lone_raider", "engages": True}]
    assert position["queue"] == [{"card": "lone_raider", "surprise": False}]


def test_surprise_attack(at: Positions) -> None:
    """In the first round of the combat he does not roll (W51)."""
    position = attacked(at, "lone_raider", by="surprise_attack", dice="1[4-6]..1")
    told = position.play(do.play("surprise_attack"))
    assert [entry["side"] for entry in of("roll", told)] == ["attack", "caravan", "attack"]


def test_ambush(at: Positions) -> None:
    """The cards are drawn at once and wait (W28)."""
    cards = ["lone_raider", "toll_gang"]
    position = attacked(at, *cards, seats=3, hands=["", "ambush", "pickpockets"])
    drawn: list[Json] = [{"event": "attack_card", "card": card, "engages": True} for card in cards]
    assert position.play(do.play("ambush")) == [{"event": "play", "seat": 1, "card": "ambush"}, *drawn]
    assert position["queue"] == [{"card": card, "surprise": False} for card in cards]
    assert (position.asked, position["fight"]) == (("event", 2), None)


@pytest.mark.parametrize("card", ["attack", "surprise_attack", "ambush"])
def test_escort(at: Positions, card: str) -> None:
    position = attacked(at, "lone_raider", "lone_raider", hands=["escort", f"{card} pickpockets"])
    before = position["decks"]["attack"]
    position.play(do.play(card))
    assert position["window"]["attack"] == card
    assert position.told(do.play("escort")) == ["play"]
    assert (position["queue"], position["decks"]["attack"]) == ([], before)


def test_sandstorm_is_not_played_twice_in_a_turn(at: Positions) -> None:
    position = offered(at, "sandstorm", "before_move", hands=["", "sandstorm sandstorm"])
    position.play(do.play("sandstorm"))
    assert position.asked == ("move", 0)


def test_road_block_and_dry_market_name_nothing_twice(at: Positions) -> None:
    """A Road Block names any of the 21, his own included."""
    position = offered(at, "road_block", "before_move", hands=["", "road_block"])
    assert position.values("play", "space") == set(SPACES)
    position = offered(
        at, "road_block", "before_move", turn={"road_blocks": ["i1"]}, hands=["", "road_block"]
    )
    assert position.values("play", "space") == set(SPACES) - {"i1"}
    position = offered(
        at, "dry_market", "before_location", space="X0", turn={"dry": ["fuel"]}, hands=["", "dry_market"]
    )
    assert position.values("play", "resource") == {"medicine", "munitions", "rations"}


def test_pickpockets_take_nothing_of_nothing_and_may_reach_the_goal(at: Positions) -> None:
    assert not offered(at, "pickpockets", "end", cash=0).may(do.play("pickpockets"))
    position = offered(at, "pickpockets", "end", others={1: {"cash": 34}})
    assert position.told(do.play("pickpockets")) == ["play", "goal"]


@pytest.mark.parametrize("seat", [0, 1])
def test_contract_cancelled(at: Positions, seat: int) -> None:
    hands = ["", ""]
    hands[seat] = "contract_cancelled contract_cancelled"
    position = at("event", window="end", to_move=seat, hands=hands, decks={"mission": "d1A d1B"})
    places = position["missions"]
    assert position.values("play", "mission") == set(places)
    told = position.play(do.play("contract_cancelled", mission=places[2]))
    assert told == [
        {"event": "play", "seat": seat, "card": "contract_cancelled", "mission": places[2]},
        {"event": "mission", "place": 2, "mission": "d1A"},
    ]
    assert position["missions"] == [places[0], places[1], "d1A", places[3]]
    assert position["discards"]["mission"] == [places[2]]


def test_a_road_block_does_not_stop_a_new_start(at: Positions) -> None:
    """W35, W53: being put on a named space is no step."""
    turn = {"road_blocks": ["N"], "sandstorm": True}
    position = attacked(at, "mutant_pack", caravan="head:3", turn=turn, space="i1", dice="[12]{3}[456]")
    position.play(do.play("attack"))
    assert position.asked == ("start_city", 0)
    assert position.may(do.city("N"))
