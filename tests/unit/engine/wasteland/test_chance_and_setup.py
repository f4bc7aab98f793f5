"""W9-W16: decks, discard piles, dice, the stream and the set-up."""

import pytest

from engine.randomness import Stream
from tests.unit.engine.naive import Json
from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.mapping import Implementation
from tests.unit.engine.wasteland.positions import SEED, Position, Positions, attacked, in_fight, of, only
from tests.unit.engine.wasteland.tables import NEW_DECKS


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_w13_the_three_decks_are_shuffled_in_this_order(rules: Implementation, seats: int) -> None:
    """Event, Attack, Mission: one stream for all, 39, 23 and 35 words of it; no card lies in a discard pile."""
    seed = bytes([seats]) * 32
    stream, decks = Stream(seed), {deck: list(NEW_DECKS[deck]) for deck in ("event", "attack", "mission")}
    for deck in decks.values():
        stream.shuffle(deck)
    full = rules.new(seats, {}, seed).full()
    mission = decks.pop("mission")
    assert [*full["missions"], *full["decks"].pop("mission")] == mission
    assert full["decks"] == decks
    assert full["rng"]["words"] == 39 + 23 + 35
    assert full["discards"] == {"event": [], "attack": [], "mission": []}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_w14_w15_missions_and_what_a_seat_begins_with(rules: Implementation, seats: int) -> None:
    match = rules.new(seats, {}, SEED)
    full = match.full()
    assert len(full["missions"]) == seats + 2
    assert match.told == [
        {"event": "mission", "place": place, "mission": mission}
        for place, mission in enumerate(full["missions"])
    ]
    player: Json = {"space": None, "cash": 5, "caravan": {"head": 0}, "resources": only(), "hand": []}
    assert full["players"] == [player] * seats


def test_w15_each_seat_in_its_order_chooses_one_of_the_cities(rules: Implementation) -> None:
    """Several may take one."""
    position = Position(rules.new(4, {}, SEED))
    for seat, name in enumerate("SSWN"):
        assert position.asked == ("start_city", seat)
        assert position.legal() == [do.city("E"), do.city("N"), do.city("S"), do.city("W")]
        assert (position["current"], position["round"]) == (None, 0)
        position.play(do.city(name))
    assert [player["space"] for player in position["players"]] == ["S", "S", "W", "N"]


def started(rules: Implementation, seats: int, seed: bytes) -> Position:
    position = Position(rules.new(seats, {}, seed))
    for _ in range(seats):
        position.play(do.city("N"))
    return position


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_w16_the_highest_die_begins(rules: Implementation, seats: int, number: int) -> None:
    """While several are highest, exactly these roll again, in the same order."""
    position = started(rules, seats, bytes([number]) * 32)
    stream, rolling, rolls = Stream(bytes([number]) * 32, 97), list(range(seats)), []
    while len(rolling) > 1:
        dice = {seat: stream.die(6) for seat in rolling}
        rolls += [{"event": "start_die", "seat": seat, "die": die} for seat, die in dice.items()]
        rolling = [seat for seat in rolling if dice[seat] == max(dice.values())]
    log = position.match.told
    assert of("start_die", log) == rolls
    assert of("turn", log)[0] == {"event": "turn", "round": 1, "seat": rolling[0]}
    assert (position["first"], position["current"], position["round"]) == (rolling[0], rolling[0], 1)


def test_w16_round_1_begins_with_an_empty_turn_and_ties_do_come_up_in_these_tests(
    rules: Implementation,
) -> None:
    positions = [started(rules, 4, bytes([n]) * 32) for n in range(8)]
    assert max(len(of("start_die", position.match.told)) for position in positions) > 4
    assert positions[0].asked == ("move", positions[0]["first"])
    assert set(map(str, positions[0]["turn"].values())) == {"0", "False", "[]"}


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
