"""Events of Wasteland on the wire, and in words (W75)."""

from arena.codecs.wasteland.codec import CODEC
from arena.games.wasteland.v1 import wasteland_pb2
from arena.v1 import games_pb2
from engine.game import Event
from engine.wasteland import event_cards, events
from engine.wasteland.actions import two_hits
from engine.wasteland.attack_cards import ATTACKER_IDS
from engine.wasteland.board import SPACE_IDS
from engine.wasteland.caravan_cards import CARD_IDS, HEAD
from engine.wasteland.missions import MISSION_IDS
from engine.wasteland.resources import FUEL, MEDICINE
from tests.unit.cli.screens import check_screen
from tests.unit.codecs.screens import bad_events, in_words

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

EVENTS: list[Event] = [
    events.MissionShown(3, C2B),
    events.StartDie(2, 6),
    events.TurnBegan(7, 1),
    events.Played(0, event_cards.AMBUSH, 0),
    events.Played(3, event_cards.ROAD_BLOCK, SPACE_IDS.index("X2")),
    events.Played(1, event_cards.SALVAGE, FUEL),
    events.Played(1, event_cards.CONTRACT_CANCELLED, C2B),
    events.Played(1, event_cards.FIELD_REPAIRS, two_hits(HEAD, WAR_RIG)),
    events.LostResource(0, FUEL, 2),
    events.AttackDrawn(DOGS, True),
    events.AttackDrawn(TANK, False),
    events.FightBegan(TANK),
    events.Dodged(DOGS, events.Dodge.PAY, None),
    events.Dodged(GANG, events.Dodge.PAY, MEDICINE),
    events.Dodged(PLAGUE, events.Dodge.PAY, None),
    events.Dodged(WARRIORS, events.Dodge.PAY, None),
    events.Dodged(SNIPER, events.Dodge.PAY, None),
    events.Dodged(TANK, events.Dodge.DETER, None),
    events.Rolled(events.Side.CARAVAN, (6, 1, 4)),
    events.Rolled(events.Side.REROLL, (2,)),
    events.Rolled(events.Side.ATTACK, (3, 3)),
    events.AttackDefeated(TANK, 5),
    events.AttackGone(DOGS),
    events.Destroyed(2, WAR_RIG),
    events.Defeated(2),
    events.Delivered(1, C2B, 7),
    events.EventDiscarded(1, event_cards.ATTACK_EVENT),
    events.EventDrawn(1, event_cards.ATTACK_EVENT),
    events.EventDrawn(1, None),
    events.Shuffled(events.Deck.EVENT, 40),
    events.Rebuilt(events.Deck.MISSION),
    events.GoalReached(0),
    events.Ended(events.Ending.GOAL),
    events.Ended(events.Ending.ROUND_LIMIT),
]


BAD_EVENTS = """
mission_shown { mission: 37 }
played { play { card: 2 space: 1 } }
lost_resource { number: 1 }
attack_drawn {}
fight_began { card: 13 }
dodged { card: 1 }
dodged { card: 1 how: 1 resource: 5 }
rolled { side: 4 }
destroyed { card: 15 }
delivered {}
event_discarded {}
event_drawn { card: 19 }
rebuilt {}
ended { ending: 3 }
"""


def test_events_in_words_and_what_is_refused_with_the_field_named() -> None:
    check_screen(
        "codecs/wasteland_events",
        {"bad events": bad_events(CODEC, BAD_EVENTS), "events": in_words(CODEC, EVENTS)},
    )


def test_no_kind_of_event_is_left_out_above() -> None:
    kinds = {field.name.replace("_", "") for field in wasteland_pb2.Event.DESCRIPTOR.fields}
    assert {type(event).__name__.lower() for event in EVENTS} == kinds


def test_a_card_that_was_drawn_is_on_the_wire_for_its_seat_alone() -> None:
    """W63, W75."""
    drawn = events.EventDrawn(1, event_cards.AMBUSH)
    redacted = CODEC.encode_event(drawn.seen_by(0))
    assert redacted == CODEC.encode_event(events.EventDrawn(1, event_cards.ATTACK_EVENT).seen_by(2))
    assert not games_pb2.GameEvent.FromString(redacted).wasteland.event_drawn.card
    assert drawn.seen_by(1) == drawn
