"""Wasteland's codec: answers out of range (row 17 of docs/bad_inputs.md), hidden hands, and who is asked in secret."""

from random import Random

import pytest
from google.protobuf.text_format import Parse

from arena.codecs.wasteland.codec import CODEC
from arena.games.wasteland.v1 import wasteland_pb2
from arena.v1 import games_pb2
from engine.game import SPECTATOR, InvalidOptionsError, UnreadableActionError, own
from engine.wasteland.observation import Observation
from tests.unit.cli.screens import check_screen
from tests.unit.codecs.screens import an_action, answers, bad_answers, bad_observations
from tests.unit.engine.wasteland.matches import a_match, played_on

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


def there_and_back(seen: object) -> tuple[wasteland_pb2.Observation, Observation]:
    """Return the observation on the wire, and decoded again."""
    message = games_pb2.Observation.FromString(CODEC.encode_observation(seen))
    return message.wasteland, own(CODEC.decode_observation(message), Observation)


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


@pytest.mark.parametrize(("seats", "rule"), [(2, "deter"), (3, "engage"), (4, "engage"), (4, "deter")])
def test_observations_of_all_viewers_come_back_from_the_wire_and_tell_nothing_that_is_hidden(
    seats: int, rule: str
) -> None:
    """W70."""
    match, dice = a_match(seats, check_rule=rule, max_rounds="8"), Random(seats)
    while match.outcome() is None:
        match = played_on(match, dice, 9)
        for viewer in (*range(seats), SPECTATOR):
            seen = match.observe(viewer)
            wire, again = there_and_back(seen)
            assert again == seen
            assert wire.HasField("viewer") == (viewer != SPECTATOR)
            shown = [seat for seat, view in enumerate(wire.seats) if view.hand_shown or view.hand]
            assert shown == ([] if viewer == SPECTATOR else [viewer])
            assert [view.cards for view in wire.seats] == [sum(hand) for hand in match.hands]
            if match.asks_in_secret and viewer != match.seat_to_act:
                assert not wire.decision
                assert not wire.HasField("seat_to_act")
                bare = wasteland_pb2.OpenWindow(window=wire.window.window)
                assert wire.window == bare
    wire, _ = there_and_back(match.observe(SPECTATOR))
    assert not any(wire.HasField(name) for name in ("turn", "window", "fight", "current", "seat_to_act"))
