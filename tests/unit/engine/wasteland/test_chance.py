"""W9-W12: decks, discard piles, dice, the stream."""

import pytest

from engine.randomness import Stream
from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.positions import SEED, Positions, attacked, in_fight, of
from tests.unit.engine.wasteland.tables import NEW_DECKS


def shuffled(cards: list[str], words: int) -> list[str]:
    """Return what the stream of the seed of zeros makes of a list after so many words."""
    mixed = list(cards)
    Stream(SEED, words).shuffle(mixed)
    return mixed


def test_w9_w10_a_card_is_drawn_from_the_top_and_a_pile_begins_with_the_first_discard(at: Positions) -> None:
    decks, discards = {"event": "tailwind bargain"}, {"event": "escort"}
    position = at(hands=["attack", ""], decks=decks, discards=discards)
    told = position.play(do.DONE, do.discard("attack"))
    assert of("event_card", told) == [{"event": "event_card", "seat": 0, "card": "tailwind"}]
    assert position["decks"]["event"][0] == "bargain"
    assert position["discards"]["event"] == ["escort", "attack"]


def test_w10_the_discard_pile_becomes_the_deck_when_a_card_must_be_drawn(at: Positions) -> None:
    """Not when the deck becomes empty."""
    pile = [card for card in NEW_DECKS["attack"] if card != "lone_raider"]
    discards = {"attack": " ".join([*pile, "lone_raider", "lone_raider"])}
    position = attacked(at, "lone_raider", discards=discards, dice="[4-6]..1")
    assert not of("rebuild", position.play(do.play("attack")))
    assert position["decks"]["attack"] == []
    assert len(position["discards"]["attack"]) == 24


@pytest.mark.parametrize("words", [0, 1, 5])
def test_w10_the_rebuilt_deck_is_the_pile_shuffled(at: Positions, words: int) -> None:
    cards = NEW_DECKS["event"]
    position = at(discards={"event": " ".join(cards)}, rng={"seed": SEED.hex(), "words": words})
    top, *rest = shuffled(cards, words)
    assert position.play(do.DONE)[:2] == [
        {"event": "rebuild", "deck": "event"},
        {"event": "event_card", "seat": 0, "card": top},
    ]
    assert (position["decks"]["event"], position["discards"]["event"]) == (rest, [])


def test_w10_are_both_empty_the_draw_is_skipped(at: Positions) -> None:
    """All Attack cards wait in the queue: nothing is drawn for the next attack."""
    queue = [{"card": card, "surprise": False} for card in NEW_DECKS["attack"]]
    position = attacked(at, queue=queue, hands=["escort", "attack"])
    told = position.told(do.play("attack"), do.PASS)
    assert told[:2] == ["play", "fight"]
    assert "attack_card" not in told


def test_w11_a_card_shuffled_back_goes_under_the_deck_first(at: Positions) -> None:
    position, _ = in_fight(at, "road_warriors", caravan="war_rig", resources="fuel:2")
    under = shuffled([*position["decks"]["attack"], "road_warriors"], position["rng"]["words"])
    assert position.told(do.PAY) == ["dodge"]
    assert (position["decks"]["attack"], position["discards"]["attack"]) == (under, [])


def test_w12_dice_come_from_the_stream_one_after_the_other(at: Positions) -> None:
    """Three dice of the Head, one of the Lone Raider, in each round."""
    _, told = in_fight(at, "lone_raider", rng={"seed": SEED.hex(), "words": 700})
    dice = [die for entry in of("roll", told) for die in entry["dice"]]
    stream = Stream(SEED, 700)
    assert dice == [stream.die(6) for _ in dice]
    assert len(dice) % 4 == 0


def test_w12_nothing_else_takes_words(at: Positions) -> None:
    position = at(hands=["hidden_cache", "road_block contract_cancelled"], space="N", cash=8)
    position.play(do.load("fuel"), do.buy("gun_truck"), do.DONE)
    position.play(do.PASS, do.PASS, do.KEEP)
    assert position["rng"]["words"] == 0
