"""Wasteland's codec: answers out of range (row 17 of docs/bad_inputs.md), events, what is hidden."""

import pytest
from google.protobuf.text_format import Parse

from arena.codecs.wasteland.codec import CODEC
from arena.games.wasteland.v1 import wasteland_pb2
from arena.v1 import games_pb2
from engine.game import Event, InvalidOptionsError, UnreadableActionError
from engine.wasteland import event_cards, events
from engine.wasteland.actions import two_hits
from engine.wasteland.attack_cards import ATTACKER_IDS
from engine.wasteland.board import SPACE_IDS
from engine.wasteland.caravan_cards import CARD_IDS, HEAD
from engine.wasteland.missions import MISSION_IDS
from engine.wasteland.resources import FUEL, MEDICINE
from tests.unit.cli.screens import check_screen
from tests.unit.codecs.screens import an_action, answers, bad_answers, bad_events, bad_observations, in_words
from tests.unit.engine.wasteland.matches import a_match

MATCH = a_match()


ANSWERS = """
start_city { city: SPACE_W }
pass_action {}
play { card: EVENT_CARD_ATTACK }
play { card: EVENT_CARD_ROAD_BLOCK space: SPACE_X4 }
play { card: EVENT_CARD_SALVAGE resource: RESOURCE_FUEL }
play { card: EVENT_CARD_CONTRACT_CANCELLED mission: MISSION_C2C }
play { card: EVENT_CARD_FIELD_REPAIRS hits: CARAVAN_CARD_HEAD hits: CARAVAN_CARD_HEAD }
lose { resource: RESOURCE_RATIONS }
step { to: SPACE_I1 }
step { to: SPACE_X0 scout: true }
outrider {}
stop {}
fight {}
pay {}
pay { resource: RESOURCE_MEDICINE }
deter {}
boost {}
reroll {}
hit { card: CARAVAN_CARD_WAR_RIG }
load { resource: RESOURCE_MUNITIONS }
ditch { resource: RESOURCE_FUEL }
buy { card: CARAVAN_CARD_GUN_TRUCK }
deliver { mission: MISSION_I1A }
heal { hits: CARAVAN_CARD_WAR_RIG }
done {}
keep {}
discard { card: EVENT_CARD_BONUS_CONTRACT }
cook {}
"""

BAD_ANSWERS = """
start_city {}
start_city { city: SPACE_I1 }
play {}
play { card: 19 }
play { card: EVENT_CARD_ROAD_BLOCK }
play { card: EVENT_CARD_ROAD_BLOCK space: 22 }
play { card: EVENT_CARD_DRY_MARKET }
play { card: EVENT_CARD_SALVAGE resource: 5 }
play { card: EVENT_CARD_CONTRACT_CANCELLED }
play { card: EVENT_CARD_CONTRACT_CANCELLED mission: 37 }
play { card: EVENT_CARD_FIELD_REPAIRS }
play { card: EVENT_CARD_FIELD_REPAIRS hits: 15 }
play { card: EVENT_CARD_ATTACK space: SPACE_N }
play { card: EVENT_CARD_ESCORT resource: 1 }
play { card: EVENT_CARD_ROAD_BLOCK space: SPACE_N mission: 1 }
play { card: EVENT_CARD_SALVAGE resource: 1 hits: 1 }
lose {}
lose { resource: 5 }
step {}
step { to: 22 scout: true }
pay { resource: 5 }
pay { resource: -1 }
hit {}
hit { card: 15 }
load {}
load { resource: 2147483647 }
ditch {}
buy {}
buy { card: -1 }
deliver {}
deliver { mission: 37 }
heal {}
heal { hits: [1, 2, 3] }
heal { hits: [1, 0] }
discard {}
discard { card: 19 }
"""

BAD_OBSERVATIONS = """
seats {} seats {}
decision: 14
decision: -1
ending: 3
options { check_rule: 3 }
options { max_rounds: 1000001 }
missions: 37
discards { event: 19 }
discards { attack: 13 }
discards { mission: 0 }
turn { road_blocks: 22 }
turn { wilds {} }
turn { dry: 5 }
turn { ditched: 0 }
window {}
window { window: 1 responding_to: 19 }
queue {}
fight {}
seats { space: 22 }
seats { space: 1 resources: 1 }
seats { space: 1 resources: [0, 0, 0, 0] hand: 19 }
seats { space: 1 resources: [0, 0, 0, 0] caravan { card: 15 } }
"""


def test_row_17_what_is_read_and_what_is_refused_with_the_field_named() -> None:
    check_screen(
        "codecs/wasteland",
        {
            "answers": answers(CODEC, MATCH, ANSWERS),
            "bad answers": bad_answers(CODEC, MATCH, BAD_ANSWERS),
            "bad observations": bad_observations(CODEC, MATCH.observe(0), BAD_OBSERVATIONS),
        },
    )


def test_hits_may_come_in_any_order() -> None:
    """W59: no Hit comes off first."""
    orders = ["[CARAVAN_CARD_HEAD, CARAVAN_CARD_WAR_RIG]", "[CARAVAN_CARD_WAR_RIG, CARAVAN_CARD_HEAD]"]
    read = [
        CODEC.decode_action(an_action("wasteland", f"heal {{ hits: {order} }}"), MATCH) for order in orders
    ]
    assert read[0] == read[1]


@pytest.mark.parametrize("field", ["heal", "play"])
def test_row_17_very_many_hits_are_refused_without_reading_them_all(field: str) -> None:
    """A message may hold a megabyte of them."""
    message = an_action(
        "wasteland", "play { card: EVENT_CARD_FIELD_REPAIRS }" if field == "play" else "heal {}"
    )
    getattr(message.wasteland, field).hits.extend([wasteland_pb2.CARAVAN_CARD_HEAD] * 100_000)
    with pytest.raises(UnreadableActionError, match=rf"{field}\.hits has 100000 cards"):
        CODEC.decode_action(message, MATCH)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("check_rule: 3", '"check_rule" .* "3"'),
        ("check_rule: -1", '"check_rule" .* "-1"'),
        ("max_rounds: 1000001", '"max_rounds" .* 1 to 1000000'),
    ],
)
def test_options_out_of_range_are_refused_by_their_names(text: str, named: str) -> None:
    """W2."""
    with pytest.raises(InvalidOptionsError, match=named):
        CODEC.decode_options(Parse(f"wasteland {{ {text} }}", games_pb2.GameOptions()), 2)


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
