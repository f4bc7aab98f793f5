"""Events of Wasteland on the wire, and in words (W75)."""

from __future__ import annotations

import pytest
from google.protobuf.text_format import Parse

from arena.codecs.wasteland.codec import CODEC
from arena.games.wasteland.v1 import wasteland_pb2
from arena.v1 import games_pb2
from engine.game import Event, UnreadableActionError
from engine.wasteland.actions import two_hits
from engine.wasteland.attack_cards import ATTACKER_IDS
from engine.wasteland.board import SPACE_IDS
from engine.wasteland.caravan_cards import CARD_IDS, HEAD
from engine.wasteland.event_cards import (
    AMBUSH,
    ATTACK_EVENT,
    CONTRACT_CANCELLED,
    FIELD_REPAIRS,
    ROAD_BLOCK,
    SALVAGE,
)
from engine.wasteland.events import (
    AttackDefeated,
    AttackDrawn,
    AttackGone,
    Deck,
    Defeated,
    Delivered,
    Destroyed,
    Dodge,
    Dodged,
    Ended,
    Ending,
    EventDiscarded,
    EventDrawn,
    FightBegan,
    GoalReached,
    LostResource,
    MissionShown,
    Played,
    Rebuilt,
    Rolled,
    Shuffled,
    Side,
    StartDie,
    TurnBegan,
)
from engine.wasteland.missions import MISSION_IDS
from engine.wasteland.resources import FUEL, MEDICINE

DOGS, GANG, PLAGUE, SNIPER, WARRIORS, TANK = (
    ATTACKER_IDS.index(card)
    for card in (
        "feral_dogs",
        "scavenger_gang",
        "plague_carriers",
        "sniper_nest",
        "road_warriors",
        "rust_tank",
    )
)
WAR_RIG = CARD_IDS.index("war_rig")
C2B = MISSION_IDS.index("c2B")

EVENTS = [
    (MissionShown(3, C2B), "Mission c2B lies face up on place 3."),
    (StartDie(2, 6), "Seat 2 rolls a 6 for the first turn."),
    (TurnBegan(7, 1), "Round 7: the turn of seat 1 begins."),
    (Played(0, AMBUSH, 0), 'Seat 0 plays "Ambush!".'),
    (Played(3, ROAD_BLOCK, SPACE_IDS.index("X2")), 'Seat 3 plays "Road Block" (X2).'),
    (Played(1, SALVAGE, FUEL), 'Seat 1 plays "Salvage" (fuel).'),
    (Played(1, CONTRACT_CANCELLED, C2B), 'Seat 1 plays "Contract Cancelled" (c2B).'),
    (Played(1, FIELD_REPAIRS, two_hits(HEAD, WAR_RIG)), 'Seat 1 plays "Field Repairs" (head, war_rig).'),
    (LostResource(0, FUEL, 2), "Seat 0 loses 2 fuel."),
    (AttackDrawn(DOGS, True), "Attack card drawn: Feral Dogs, which engages."),
    (AttackDrawn(TANK, False), "Attack card drawn: Rust Tank, which does not engage and is discarded."),
    (FightBegan(TANK), "The fight against Rust Tank begins."),
    (Dodged(DOGS, Dodge.PAY, None), "The card Feral Dogs is paid, and is discarded."),
    (Dodged(GANG, Dodge.PAY, MEDICINE), "The card Scavenger Gang is paid with medicine, and is discarded."),
    (Dodged(PLAGUE, Dodge.PAY, None), "The card Plague Carriers is paid, and is discarded for its Bounty."),
    (
        Dodged(WARRIORS, Dodge.PAY, None),
        "The card Road Warriors is paid, and is shuffled back into the deck.",
    ),
    (Dodged(SNIPER, Dodge.PAY, None), "The card Sniper Nest is paid, and fights with Defense 3."),
    (Dodged(TANK, Dodge.DETER, None), "The card Rust Tank is turned away."),
    (Rolled(Side.CARAVAN, (6, 1, 4)), "The caravan rolls 6, 1, 4."),
    (Rolled(Side.REROLL, (2,)), "The misses are rolled again: 2."),
    (Rolled(Side.ATTACK, (3, 3)), "The Attack card rolls 3, 3."),
    (AttackDefeated(TANK, 5), "The card Rust Tank is defeated: 5 Cash."),
    (AttackGone(DOGS), "The card Feral Dogs is gone after the last round."),
    (Destroyed(2, WAR_RIG), "Seat 2 loses War Rig."),
    (Defeated(2), "The caravan of seat 2 is defeated, and begins anew."),
    (Delivered(1, C2B, 7), "Seat 1 delivers mission c2B: 7 Cash."),
    (EventDiscarded(1, ATTACK_EVENT), 'Seat 1 discards the Event card "Attack!".'),
    (EventDrawn(1, ATTACK_EVENT), 'Seat 1 draws the Event card "Attack!".'),
    (EventDrawn(1, None), "Seat 1 draws an Event card."),
    (Shuffled(Deck.EVENT, 40), "The event deck of 40 cards is shuffled."),
    (Rebuilt(Deck.MISSION), "The mission deck is rebuilt from its discards and shuffled."),
    (GoalReached(0), "Seat 0 reaches the Cash goal: the match ends with this round."),
    (Ended(Ending.GOAL), "The match ends (GOAL)."),
    (Ended(Ending.ROUND_LIMIT), "The match ends (ROUND_LIMIT)."),
]


@pytest.mark.parametrize(("event", "sentence"), EVENTS)
def test_an_event_comes_back_from_the_wire_and_is_told_in_one_sentence(event: Event, sentence: str) -> None:
    assert CODEC.describe_event(event) == sentence
    message = games_pb2.GameEvent.FromString(CODEC.encode_event(event))
    assert CODEC.decode_event(message) == event


def test_no_kind_of_event_is_left_out_above() -> None:
    kinds = {field.name.replace("_", "") for field in wasteland_pb2.Event.DESCRIPTOR.fields}
    assert {type(event).__name__.lower() for event, _ in EVENTS} == kinds


def test_a_card_that_was_drawn_is_on_the_wire_for_its_seat_alone() -> None:
    """W63, W75."""
    drawn = EventDrawn(1, AMBUSH)
    redacted = CODEC.encode_event(drawn.seen_by(0))
    assert redacted == CODEC.encode_event(EventDrawn(1, ATTACK_EVENT).seen_by(2))
    assert not games_pb2.GameEvent.FromString(redacted).wasteland.event_drawn.card
    assert drawn.seen_by(1) == drawn


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no kind that is known here"),
        ("mission_shown { mission: 37 }", "field mission is 37: it goes from 1 to 36"),
        ("played { play { card: 2 space: 1 } }", r"field played\.play\.space is set"),
        ("lost_resource { number: 1 }", "field resource is 0: it goes from 1 to 4"),
        ("attack_drawn {}", "field card is 0: it goes from 1 to 12"),
        ("fight_began { card: 13 }", "field card is 13"),
        ("dodged { card: 1 }", "field how is 0: it goes from 1 to 2"),
        ("dodged { card: 1 how: 1 resource: 5 }", "field resource is 5"),
        ("rolled { side: 4 }", "field side is 4: it goes from 1 to 3"),
        ("destroyed { card: 15 }", "field card is 15: it goes from 1 to 14"),
        ("delivered {}", "field mission is 0"),
        ("event_discarded {}", "field card is 0: it goes from 1 to 18"),
        ("event_drawn { card: 19 }", "field card is 19"),
        ("rebuilt {}", "field deck is 0: it goes from 1 to 3"),
        ("ended { ending: 3 }", "field ending is 3: it goes from 1 to 2"),
    ],
)
def test_an_event_that_is_not_known_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(UnreadableActionError, match=complaint):
        CODEC.decode_event(Parse(f"wasteland {{ {text} }}", games_pb2.GameEvent()))


def test_events_of_other_games_are_refused() -> None:
    with pytest.raises(TypeError, match="no event of Wasteland"):
        CODEC.encode_event(Event())
    with pytest.raises(TypeError, match="no event of Wasteland"):
        CODEC.describe_event(Event())
