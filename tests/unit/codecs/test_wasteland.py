"""Wasteland's codec: answers out of range (row 17 of docs/bad_inputs.md), hidden hands, and who is asked in secret."""

from __future__ import annotations

import json
from random import Random

import pytest
from google.protobuf.text_format import Parse
from hypothesis import given
from hypothesis import strategies as st

from arena.codecs.wasteland.codec import CODEC
from arena.games.wasteland.v1 import wasteland_pb2
from arena.v1 import games_pb2
from engine.game import SPECTATOR, InvalidOptionsError, UnreadableActionError, own
from engine.randomness import SEED_BYTES, Stream
from engine.wasteland import WASTELAND, actions
from engine.wasteland.actions import KIND_NAMES
from engine.wasteland.board import CITIES, SPACES
from engine.wasteland.caravan_cards import CARDS
from engine.wasteland.event_cards import EVENTS, HITS, MISSION, RESOURCE, SPACE, TARGET
from engine.wasteland.missions import MISSIONS
from engine.wasteland.notation import parse_action
from engine.wasteland.observation import Observation
from engine.wasteland.resources import KINDS
from engine.wasteland.state import WastelandState

SOME_SPACE = st.integers(0, SPACES - 1)
SOME_RESOURCE = st.integers(0, KINDS - 1)
SOME_MISSION = st.integers(0, MISSIONS - 1)
SOME_CARD = st.integers(0, CARDS - 1)
SOME_EVENT = st.integers(0, EVENTS - 1)
SOME_HITS = st.builds(actions.one_hit, SOME_CARD) | st.builds(actions.two_hits, SOME_CARD, SOME_CARD)
TARGETS = {SPACE: SOME_SPACE, RESOURCE: SOME_RESOURCE, MISSION: SOME_MISSION, HITS: SOME_HITS}
PLAIN = (
    actions.PASS_ACTION,
    actions.OUTRIDER_ACTION,
    actions.STOP_ACTION,
    actions.FIGHT_ACTION,
    actions.PAY_ACTION,
    actions.DETER_ACTION,
    actions.BOOST_ACTION,
    actions.REROLL_ACTION,
    actions.DONE_ACTION,
    actions.KEEP_ACTION,
    actions.COOK_ACTION,
)
PLAYS = SOME_EVENT.flatmap(
    lambda card: st.builds(actions.play, st.just(card), TARGETS.get(TARGET[card], st.just(0)))
)
ACTIONS = st.one_of(
    st.builds(actions.start_city, st.integers(0, CITIES - 1)),
    PLAYS,
    st.builds(actions.lose, SOME_RESOURCE),
    st.builds(actions.step, SOME_SPACE),
    st.builds(actions.scout, SOME_SPACE),
    st.builds(actions.pay_resource, SOME_RESOURCE),
    st.builds(actions.hit, SOME_CARD),
    st.builds(actions.load, SOME_RESOURCE),
    st.builds(actions.ditch, SOME_RESOURCE),
    st.builds(actions.buy, SOME_CARD),
    st.builds(actions.deliver, SOME_MISSION),
    st.builds(actions.heal, SOME_HITS),
    st.builds(actions.discard, SOME_EVENT),
    st.sampled_from(PLAIN),
)
"""Every action that can be written, whether a match knows it or not."""


def a_match(seats: int = 3, number: int = 1, **values: str) -> WastelandState:
    """A match before its first question."""
    seed = number.to_bytes(SEED_BYTES, "big")
    return WASTELAND.new_match(seats, WASTELAND.options(seats, values), seed)


def played_on(match: WastelandState, dice: Random, plies: int) -> WastelandState:
    """The match so many plies later, or at its end: half of them sensible, half of them any."""
    for _ in range(plies):
        if match.outcome() is None:
            sensible = WASTELAND.sensible_action(match, Stream(dice.randbytes(SEED_BYTES)))
            match.apply(dice.choice((sensible, dice.choice(list(match.legal_actions())))))
    return match


MATCH = a_match()


def an_action(text: str) -> games_pb2.Action:
    return Parse(f"wasteland {{ {text} }}", games_pb2.Action())


def there_and_back(seen: object) -> tuple[wasteland_pb2.Observation, Observation]:
    """The observation on the wire, and read again."""
    message = games_pb2.Observation.FromString(CODEC.encode_observation(seen))
    return message.wasteland, own(CODEC.decode_observation(message), Observation)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("start_city { city: SPACE_W }", {"type": "start_city", "city": "W"}),
        ("pass_action {}", {"type": "pass"}),
        ("play { card: EVENT_CARD_ATTACK }", {"type": "play", "card": "attack"}),
        (
            "play { card: EVENT_CARD_ROAD_BLOCK space: SPACE_X4 }",
            {"type": "play", "card": "road_block", "space": "X4"},
        ),
        (
            "play { card: EVENT_CARD_SALVAGE resource: RESOURCE_FUEL }",
            {"type": "play", "card": "salvage", "resource": "fuel"},
        ),
        (
            "play { card: EVENT_CARD_CONTRACT_CANCELLED mission: MISSION_C2C }",
            {"type": "play", "card": "contract_cancelled", "mission": "c2C"},
        ),
        (
            "play { card: EVENT_CARD_FIELD_REPAIRS hits: CARAVAN_CARD_HEAD hits: CARAVAN_CARD_HEAD }",
            {"type": "play", "card": "field_repairs", "hits": ["head", "head"]},
        ),
        ("lose { resource: RESOURCE_RATIONS }", {"type": "lose", "resource": "rations"}),
        ("step { to: SPACE_I1 }", {"type": "step", "to": "i1"}),
        ("step { to: SPACE_X0 scout: true }", {"type": "step", "to": "X0", "scout": True}),
        ("outrider {}", {"type": "outrider"}),
        ("stop {}", {"type": "stop"}),
        ("fight {}", {"type": "fight"}),
        ("pay {}", {"type": "pay"}),
        ("pay { resource: RESOURCE_MEDICINE }", {"type": "pay", "resource": "medicine"}),
        ("deter {}", {"type": "deter"}),
        ("boost {}", {"type": "boost"}),
        ("reroll {}", {"type": "reroll"}),
        ("hit { card: CARAVAN_CARD_WAR_RIG }", {"type": "hit", "card": "war_rig"}),
        ("load { resource: RESOURCE_MUNITIONS }", {"type": "load", "resource": "munitions"}),
        ("ditch { resource: RESOURCE_FUEL }", {"type": "ditch", "resource": "fuel"}),
        ("buy { card: CARAVAN_CARD_GUN_TRUCK }", {"type": "buy", "card": "gun_truck"}),
        ("deliver { mission: MISSION_I1A }", {"type": "deliver", "mission": "i1A"}),
        ("heal { hits: CARAVAN_CARD_WAR_RIG }", {"type": "heal", "hits": ["war_rig"]}),
        ("done {}", {"type": "done"}),
        ("keep {}", {"type": "keep"}),
        ("discard { card: EVENT_CARD_BONUS_CONTRACT }", {"type": "discard", "card": "bonus_contract"}),
        ("cook {}", {"type": "cook"}),
    ],
)
def test_an_answer_is_read_by_its_fields(text: str, fields: dict[str, object]) -> None:
    """W72."""
    packed = parse_action(json.dumps(fields))
    assert CODEC.decode_action(an_action(text), MATCH) == (packed,)
    assert games_pb2.Action.FromString(CODEC.encode_action(packed)) == an_action(text)


def test_every_kind_of_action_has_its_field() -> None:
    fields = [field.name for field in wasteland_pb2.Action.DESCRIPTOR.fields]
    assert [name.removesuffix("_action") for name in fields] == list(KIND_NAMES)


@given(ACTIONS)
def test_every_action_that_can_be_written_comes_back_from_the_wire(action: int) -> None:
    message = games_pb2.Action.FromString(CODEC.encode_action(action))
    assert CODEC.decode_action(message, MATCH) == (action,)


def test_hits_may_come_in_any_order() -> None:
    """W59: no Hit comes off first."""
    orders = ["[CARAVAN_CARD_HEAD, CARAVAN_CARD_WAR_RIG]", "[CARAVAN_CARD_WAR_RIG, CARAVAN_CARD_HEAD]"]
    read = [CODEC.decode_action(an_action(f"heal {{ hits: {order} }}"), MATCH) for order in orders]
    assert read[0] == read[1]


LARGEST = 2**31 - 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "has no kind: set one of start_city, pass_action, play"),
        ("start_city {}", "start_city.city is 0: it goes from 1 to 4"),
        ("start_city { city: SPACE_I1 }", "start_city.city is 5"),
        ("play {}", "play.card is 0: it goes from 1 to 18"),
        ("play { card: 19 }", "play.card is 19"),
        ("play { card: EVENT_CARD_ROAD_BLOCK }", "play.space is 0: it goes from 1 to 21"),
        ("play { card: EVENT_CARD_ROAD_BLOCK space: 22 }", "play.space is 22"),
        ("play { card: EVENT_CARD_DRY_MARKET }", "play.resource is 0: it goes from 1 to 4"),
        ("play { card: EVENT_CARD_SALVAGE resource: 5 }", "play.resource is 5"),
        ("play { card: EVENT_CARD_CONTRACT_CANCELLED }", "play.mission is 0: it goes from 1 to 36"),
        ("play { card: EVENT_CARD_CONTRACT_CANCELLED mission: 37 }", "play.mission is 37"),
        ("play { card: EVENT_CARD_FIELD_REPAIRS }", "play.hits has 0 cards: one or two Hits are removed"),
        ("play { card: EVENT_CARD_FIELD_REPAIRS hits: 15 }", "play.hits is 15: it goes from 1 to 14"),
        ("play { card: EVENT_CARD_ATTACK space: SPACE_N }", "play.space is set: attack has no space"),
        ("play { card: EVENT_CARD_ESCORT resource: 1 }", "play.resource is set: escort has no resource"),
        (
            "play { card: EVENT_CARD_ROAD_BLOCK space: SPACE_N mission: 1 }",
            "play.mission is set: road_block has no mission",
        ),
        ("play { card: EVENT_CARD_SALVAGE resource: 1 hits: 1 }", "play.hits is set: salvage has no hits"),
        ("lose {}", "lose.resource is 0"),
        ("lose { resource: 5 }", "lose.resource is 5"),
        ("step {}", "step.to is 0"),
        ("step { to: 22 scout: true }", "step.to is 22"),
        ("pay { resource: 5 }", "pay.resource is 5"),
        ("pay { resource: -1 }", "pay.resource is -1"),
        ("hit {}", "hit.card is 0"),
        ("hit { card: 15 }", "hit.card is 15"),
        ("load {}", "load.resource is 0"),
        (f"load {{ resource: {LARGEST} }}", f"load.resource is {LARGEST}"),
        ("ditch {}", "ditch.resource is 0"),
        ("buy {}", "buy.card is 0"),
        ("buy { card: -1 }", "buy.card is -1"),
        ("deliver {}", "deliver.mission is 0"),
        ("deliver { mission: 37 }", "deliver.mission is 37"),
        ("heal {}", "heal.hits has 0 cards"),
        ("heal { hits: [1, 2, 3] }", "heal.hits has 3 cards: one or two Hits are removed"),
        ("heal { hits: [1, 0] }", "heal.hits is 0"),
        ("discard {}", "discard.card is 0"),
        ("discard { card: 19 }", "discard.card is 19"),
    ],
)
def test_row_17_an_answer_out_of_range_is_refused_with_the_field_named(text: str, complaint: str) -> None:
    with pytest.raises(UnreadableActionError, match=complaint):
        CODEC.decode_action(an_action(text), MATCH)


@pytest.mark.parametrize("field", ["heal", "play"])
def test_row_17_very_many_hits_are_refused_without_reading_them_all(field: str) -> None:
    """A message may hold a megabyte of them."""
    message = an_action("play { card: EVENT_CARD_FIELD_REPAIRS }" if field == "play" else "heal {}")
    getattr(message.wasteland, field).hits.extend([wasteland_pb2.CARAVAN_CARD_HEAD] * 100_000)
    with pytest.raises(UnreadableActionError, match=rf"{field}\.hits has 100000 cards"):
        CODEC.decode_action(message, MATCH)


@pytest.mark.parametrize(
    "values", [{}, {"check_rule": "deter"}, {"max_rounds": "1"}, {"max_rounds": "1000000"}]
)
def test_options_come_back_from_the_wire(values: dict[str, str]) -> None:
    """W2."""
    options = WASTELAND.options(4, values)
    assert CODEC.decode_options(CODEC.encode_options(options), 4) == options


def test_options_that_are_not_set_have_their_defaults() -> None:
    """W2."""
    assert CODEC.decode_options(Parse("wasteland {}", games_pb2.GameOptions()), 4) == WASTELAND.options(4, {})


@pytest.mark.parametrize(
    ("text", "seats", "complaint"),
    [
        ("", 5, "5"),
        ("", 1, "1"),
        ("check_rule: 3", 2, '"check_rule" is engage or deter, not "3"'),
        ("check_rule: -1", 2, '"check_rule" is engage or deter, not "-1"'),
        ("max_rounds: 1000001", 2, '"max_rounds" is a number of rounds from 1 to 1000000'),
    ],
)
def test_options_that_are_none_are_refused_by_their_names(text: str, seats: int, complaint: str) -> None:
    """W1, W2."""
    with pytest.raises(InvalidOptionsError, match=complaint):
        CODEC.decode_options(Parse(f"wasteland {{ {text} }}", games_pb2.GameOptions()), seats)


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


def test_what_is_hidden_does_not_change_a_byte() -> None:
    """W70: hands of others, decks, and the seed."""
    match = played_on(a_match(4), Random(3), 120)
    for viewer in (*range(4), SPECTATOR):
        other = match.clone()
        for deck in (other.event_deck, other.attack_deck, other.mission_deck):
            deck.reverse()
        hand = next(hand for seat, hand in enumerate(other.hands) if seat != viewer and any(hand))
        held = next(card for card in range(EVENTS) if hand[card])
        place = next(place for place, card in enumerate(other.event_deck) if card != held)
        hand[held] -= 1
        hand[other.event_deck[place]] += 1
        other.event_deck[place] = held
        other.seed, other.words = bytes(SEED_BYTES), 0
        assert other.digest() != match.digest()
        assert CODEC.encode_observation(other.observe(viewer)) == CODEC.encode_observation(
            match.observe(viewer)
        )


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("seats {} seats {}", "field seats is 5: it goes from 2 to 4"),
        ("decision: 14", "field decision is 14: it goes from 0 to 13"),
        ("decision: -1", "field decision is -1"),
        ("ending: 3", "field ending is 3: it goes from 1 to 2"),
        ("options { check_rule: 3 }", "field options.check_rule is 3: it goes from 1 to 2"),
        ("options { max_rounds: 1000001 }", "field options.max_rounds is 1000001: it goes from 1 to 1000000"),
        ("missions: 37", "field missions is 37: it goes from 1 to 36"),
        ("discards { event: 19 }", "field discards.event is 19"),
        ("discards { attack: 13 }", "field discards.attack is 13: it goes from 1 to 12"),
        ("discards { mission: 0 }", "field discards.mission is 0"),
        ("turn { road_blocks: 22 }", "field turn.road_blocks is 22"),
        ("turn { wilds {} }", "field turn.wilds.space is 0"),
        ("turn { dry: 5 }", "field turn.dry is 5"),
        ("turn { ditched: 0 }", "field turn.ditched is 0"),
        ("window {}", "field window.window is 0: it goes from 1 to 4"),
        ("window { window: 1 responding_to: 19 }", "field window.responding_to is 19"),
        ("queue {}", "field queue.card is 0"),
        ("fight {}", "field fight.card is 0"),
    ],
)
def test_an_observation_that_no_position_can_be_made_of_is_refused(change: str, complaint: str) -> None:
    message = games_pb2.Observation.FromString(CODEC.encode_observation(MATCH.observe(0)))
    message.wasteland.MergeFrom(Parse(change, wasteland_pb2.Observation()))
    with pytest.raises(UnreadableActionError, match=complaint):
        CODEC.decode_observation(message)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("space: 22", "field seats.space is 22"),
        ("caravan { card: 15 }", "field seats.caravan.card is 15"),
        ("resources: 1", "field seats.resources has 5 entries: 4 are needed"),
        ("hand: 19", "field seats.hand is 19"),
    ],
)
def test_a_seat_of_an_observation_that_is_none_is_refused(change: str, complaint: str) -> None:
    message = games_pb2.Observation.FromString(CODEC.encode_observation(MATCH.observe(0)))
    message.wasteland.seats[1].MergeFrom(Parse(change, wasteland_pb2.Seat()))
    with pytest.raises(UnreadableActionError, match=complaint):
        CODEC.decode_observation(message)


def test_an_action_that_is_none_is_not_written() -> None:
    with pytest.raises(TypeError, match=r"engine\.wasteland\.observation\.Observation is needed"):
        CODEC.encode_observation("a view")
    for number in (22 << 27, 1 << 40, -1):
        with pytest.raises(ValueError, match="no action of Wasteland"):
            CODEC.encode_action(number)
