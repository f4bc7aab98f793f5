"""Ahldarahd's codec: answers out of range (row 17 of docs/bad_inputs.md), offers, hidden hands, words for people."""

from __future__ import annotations

import json
from random import Random

import pytest
from google.protobuf.text_format import Parse
from hypothesis import given
from hypothesis import strategies as st

from arena.codecs.ahldarahd.codec import CODEC
from arena.games.ahldarahd.v1 import ahldarahd_pb2
from arena.v1 import games_pb2
from engine.ahldarahd import AHLDARAHD, actions
from engine.ahldarahd.actions import ITEM_LOT, KIND_NAMES, MOST_GOLD, RIGHTS, Offer, Side
from engine.ahldarahd.board import KINDS, ROUTES, Commodity
from engine.ahldarahd.events import (
    Card,
    Control,
    Destroyed,
    Ended,
    Ending,
    Lost,
    Night,
    Paid,
    Ransom,
    Removed,
    Sold,
    Stall,
    TurnBegan,
    Won,
)
from engine.ahldarahd.notation import parse_action
from engine.ahldarahd.observation import Observation
from engine.ahldarahd.options import MAX_SEATS
from engine.game import SPECTATOR, Event, InvalidOptionsError, UnreadableActionError
from tests.unit.engine.ahldarahd.choosing import TABLES, a_match, played_on

SEATS = st.integers(0, MAX_SEATS - 1)
GOLD = st.integers(0, MOST_GOLD)
SIDES = st.builds(
    Side,
    st.tuples(*[st.integers(0, MAX_SEATS)] * KINDS),
    GOLD,
    st.sets(st.integers(0, RIGHTS + MAX_SEATS - 1)).map(lambda items: tuple(sorted(items))),
)
OFFERS = st.builds(Offer, SEATS, SIDES, SIDES)
LOTS = st.integers(0, KINDS * MAX_SEATS - 1) | st.integers(ITEM_LOT, ITEM_LOT + RIGHTS + MAX_SEATS - 1)
ROUTE = st.integers(1, ROUTES)
PAYMENTS = st.integers(0, KINDS)
ACTIONS = st.one_of(
    st.builds(actions.setup_routes, ROUTE, ROUTE),
    st.builds(actions.open_auction, LOTS, GOLD),
    st.builds(actions.raise_to, GOLD),
    st.builds(actions.give_shah, SEATS),
    st.builds(actions.claim, SEATS, ROUTE, st.integers(0, KINDS - 1)),
    st.builds(actions.buy, SEATS, ROUTE),
    st.builds(actions.destroy, SEATS, ROUTE, PAYMENTS, PAYMENTS),
    st.builds(actions.sell, SEATS),
    st.builds(actions.pledge, GOLD),
    st.builds(actions.lose_route, SEATS, ROUTE),
    st.builds(actions.make_offer, OFFERS),
    st.sampled_from(
        [
            actions.PASS_ACTION,
            actions.DONE_ACTION,
            actions.ACCEPT_ACTION,
            actions.DECLINE_ACTION,
            actions.AVERT_ACTION,
        ]
    ),
)
"""Every action that can be written, whether a match knows it or not."""


def an_action(text: str) -> games_pb2.Action:
    return Parse(f"ahldarahd {{ {text} }}", games_pb2.Action())


def on_the_wire(seen: object) -> ahldarahd_pb2.Observation:
    return games_pb2.Observation.FromString(CODEC.encode_observation(seen)).ahldarahd


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("setup_routes { routes: [3, 21] }", {"type": "setup_routes", "routes": [3, 21]}),
        (
            "open_auction { lot { card { commodity: COMMODITY_GEMS colour: 2 } } gold: 7 }",
            {"type": "open_auction", "lot": "card:gems-2", "bid": 7},
        ),
        (
            "open_auction { lot { item { favour: FAVOUR_EYES } } }",
            {"type": "open_auction", "lot": "eyes", "bid": 0},
        ),
        (
            "open_auction { lot { item { right: 4 } } gold: 1 }",
            {"type": "open_auction", "lot": "right:4", "bid": 1},
        ),
        ("bid { gold: 3 }", {"type": "bid", "bid": 3}),
        ("pass_action {}", {"type": "pass"}),
        ("give_shah { to: 2 }", {"type": "give_shah", "to": 2}),
        (
            "claim { on_map: 1 route: 14 card: COMMODITY_SALT }",
            {"type": "claim", "map": 1, "route": 14, "card": "salt"},
        ),
        ("buy { on_map: 4 route: 5 }", {"type": "buy", "map": 4, "route": 5}),
        ("destroy { route: 14 }", {"type": "destroy", "map": 0, "route": 14, "pay": ["buy", "buy"]}),
        (
            "destroy { route: 14 cards: COMMODITY_SALT }",
            {"type": "destroy", "map": 0, "route": 14, "pay": ["buy", "salt"]},
        ),
        (
            "destroy { route: 14 cards: [COMMODITY_METALS, COMMODITY_SALT] }",
            {"type": "destroy", "map": 0, "route": 14, "pay": ["metals", "salt"]},
        ),
        ("sell { right: 3 }", {"type": "sell", "right": 3}),
        ("done {}", {"type": "done"}),
        ("accept {}", {"type": "accept"}),
        ("decline {}", {"type": "decline"}),
        ("avert {}", {"type": "avert"}),
        ("pledge { gold: 10 }", {"type": "pledge", "gold": 10}),
        ("lose_route { on_map: 2 route: 1 }", {"type": "lose_route", "map": 2, "route": 1}),
        (
            """offer { to: 1 give { gold: 3 items { favour: FAVOUR_SHAH } items { right: 0 } }
               want { cards: [0, 0, 0, 2, 0, 0, 0, 0, 1, 0] } }""",
            {
                "type": "offer",
                "to": 1,
                "give": {"cards": [], "gold": 3, "items": ["right:0", "shah"]},
                "want": {"cards": ["dates", "gems", "gems"], "gold": 0, "items": []},
            },
        ),
    ],
)
def test_an_answer_is_read_by_its_fields(text: str, fields: dict[str, object]) -> None:
    """A48."""
    packed = parse_action(json.dumps(fields))
    assert CODEC.decode_action(an_action(text), a_match()) == (packed,)
    assert games_pb2.Action.FromString(CODEC.encode_action(packed)) == an_action(text)


def test_every_kind_of_action_has_its_field() -> None:
    fields = [field.name for field in ahldarahd_pb2.Action.DESCRIPTOR.fields]
    assert [name.removesuffix("_action") for name in sorted(fields)] == sorted([*KIND_NAMES, "offer"])


@given(ACTIONS)
def test_every_action_that_can_be_written_comes_back_from_the_wire(action: int) -> None:
    message = games_pb2.Action.FromString(CODEC.encode_action(action))
    assert CODEC.decode_action(message, a_match()) == (action,)


@given(OFFERS)
def test_an_offer_is_unpacked_as_it_was_packed_and_is_never_taken_for_a_listed_action(offer: Offer) -> None:
    """A44: an offer is wider than what a list can hold."""
    packed = actions.make_offer(offer)
    assert actions.offer_of(packed) == offer
    assert actions.is_offer(packed)
    assert packed >= 1 << 32


def test_payments_of_a_destruction_may_come_in_any_order() -> None:
    """A26: no payment comes first."""
    orders = ["[COMMODITY_METALS, COMMODITY_SALT]", "[COMMODITY_SALT, COMMODITY_METALS]"]
    texts = [an_action(f"destroy {{ route: 14 cards: {order} }}") for order in orders]
    assert len({CODEC.decode_action(text, a_match()) for text in texts}) == 1


LARGEST = 2**32 - 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("setup_routes {}", "setup_routes.routes has 0 entries: 2 are needed"),
        ("setup_routes { routes: [1, 2, 3] }", "setup_routes.routes has 3 entries"),
        ("setup_routes { routes: [0, 2] }", "setup_routes.routes is 0: it goes from 1 to 21"),
        ("setup_routes { routes: [1, 22] }", "setup_routes.routes is 22"),
        ("open_auction {}", "open_auction.lot is empty: set card or item"),
        ("open_auction { lot { item {} } }", "open_auction.lot.item is empty: set favour or right"),
        (
            "open_auction { lot { item { favour: 0 } } }",
            "open_auction.lot.item.favour is 0: it goes from 1 to 3",
        ),
        ("open_auction { lot { item { favour: 4 } } }", "open_auction.lot.item.favour is 4"),
        (
            "open_auction { lot { item { right: 5 } } }",
            "open_auction.lot.item.right is 5: it goes from 0 to 4",
        ),
        ("open_auction { lot { card {} } }", "open_auction.lot.card.commodity is 0: a commodity is 1 to 10"),
        ("open_auction { lot { card { commodity: 11 } } }", "open_auction.lot.card.commodity is 11"),
        ("open_auction { lot { card { commodity: 1 colour: 5 } } }", "open_auction.lot.card.colour is 5"),
        (
            "open_auction { lot { item { right: 0 } } gold: 2097152 }",
            "open_auction.gold is 2097152: it goes from 0 to 2097151",
        ),
        (f"bid {{ gold: {LARGEST} }}", f"bid.gold is {LARGEST}"),
        ("give_shah { to: 5 }", "give_shah.to is 5: it goes from 0 to 4"),
        ("claim { on_map: 5 route: 1 card: 1 }", "claim.on_map is 5"),
        ("claim { card: 1 }", "claim.route is 0"),
        ("claim { route: 1 }", "claim.card is 0"),
        ("claim { route: 1 card: -1 }", "claim.card is -1"),
        (f"buy {{ on_map: {LARGEST} route: 1 }}", "buy.on_map"),
        ("buy { route: 22 }", "buy.route is 22"),
        ("destroy { route: 1 cards: [1, 2, 3] }", "destroy.cards has 3 cards: there are two payments"),
        ("destroy { route: 1 cards: [0] }", "destroy.cards is 0"),
        ("destroy { on_map: 6 route: 1 }", "destroy.on_map is 6"),
        ("destroy { route: 0 }", "destroy.route is 0"),
        ("sell { right: 5 }", "sell.right is 5"),
        ("offer { to: 5 }", "offer.to is 5"),
        ("offer { give { gold: 2097152 } }", "offer.give.gold is 2097152"),
        ("offer { want { cards: 1 } }", "offer.want.cards has 1 entries: 10 are needed"),
        (
            "offer { want { cards: [0, 0, 0, 0, 0, 0, 0, 0, 0, 6] } }",
            "offer.want.cards is 6: it goes from 0 to 5",
        ),
        ("offer { give { items {} } }", "offer.give.items is empty"),
        ("offer { give { items { right: 8 } } }", "offer.give.items.right is 8"),
        ("offer { give { items { favour: 9 } } }", "offer.give.items.favour is 9"),
        ("offer { give { items { right: 1 } items { right: 1 } } }", "offer.give.items names an item twice"),
        ("pledge { gold: 2097152 }", "pledge.gold is 2097152"),
        ("lose_route { on_map: 5 route: 1 }", "lose_route.on_map is 5"),
        ("lose_route {}", "lose_route.route is 0"),
        ("", "has no kind: set one of setup_routes, open_auction"),
    ],
)
def test_row_17_an_answer_out_of_range_is_refused_with_the_field_named(text: str, complaint: str) -> None:
    with pytest.raises(UnreadableActionError, match=complaint):
        CODEC.decode_action(an_action(text), a_match())


def test_row_17_an_offer_of_very_many_items_is_refused_without_reading_them_all() -> None:
    """A message may hold a megabyte of them."""
    side = ahldarahd_pb2.Side(items=[ahldarahd_pb2.Item(right=item % 5) for item in range(50_000)])
    message = games_pb2.Action(ahldarahd=ahldarahd_pb2.Action(offer=ahldarahd_pb2.Offer(give=side)))
    with pytest.raises(UnreadableActionError, match=r"offer\.give\.items names an item twice"):
        CODEC.decode_action(message, a_match())


def test_a_setup_of_one_route_twice_can_be_read_and_is_illegal() -> None:
    """A8: whether two routes are different is the rules' question."""
    match = a_match()
    (same,) = CODEC.decode_action(an_action("setup_routes { routes: [4, 4] }"), match)
    assert not match.is_legal(same)


@pytest.mark.parametrize(("seats", "values"), TABLES)
def test_options_come_back_from_the_wire(seats: int, values: dict[str, bool]) -> None:
    """A3."""
    options = AHLDARAHD.options(seats, {name: str(value).lower() for name, value in values.items()})
    assert CODEC.decode_options(CODEC.encode_options(options), seats) == options


def test_options_that_are_not_set_are_off_and_those_that_do_not_fit_are_refused() -> None:
    """A3."""
    message = Parse("ahldarahd {}", games_pb2.GameOptions())
    assert CODEC.decode_options(message, 5) == AHLDARAHD.options(5, {})
    with pytest.raises(InvalidOptionsError, match="6"):
        CODEC.decode_options(message, 6)
    message.ahldarahd.neutral_board = True
    with pytest.raises(InvalidOptionsError, match="neutral_board"):
        CODEC.decode_options(message, 5)


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_observations_of_all_viewers_come_back_from_the_wire_and_hold_no_hand_that_is_hidden(
    number: int,
) -> None:
    """A51."""
    seats, values = TABLES[number]
    match, dice = a_match(seats, values, bytes([number] * 32)), Random(number)
    for _ in range(12):
        for viewer in (*range(seats), SPECTATOR):
            seen = match.observe(viewer)
            message = games_pb2.Observation.FromString(CODEC.encode_observation(seen))
            assert CODEC.decode_observation(message) == seen
            wire = message.ahldarahd
            assert wire.HasField("viewer") == (viewer != SPECTATOR)
            hands = [tuple(seat.hand) for seat in wire.seats]
            assert hands == [tuple(match.hands[seat]) if seat == viewer else () for seat in range(seats)]
            assert [seat.cards for seat in wire.seats] == [sum(hand) for hand in match.hands]
        match = played_on(match, dice, 20)


def test_what_is_hidden_does_not_change_a_byte() -> None:
    """A51: hands of others and the order of the deck."""
    match = played_on(a_match(4, {"trading": True}), Random(1), 120)
    for viewer in (*range(4), SPECTATOR):
        other = match.clone()
        others = [seat for seat in range(4) if seat != viewer]
        other.deck = [*other.deck[: other.top], *reversed(other.deck[other.top :])]
        one, two = others[:2]
        other.hands[one], other.hands[two] = other.hands[one][::-1], other.hands[two][::-1]
        other.seed, other.words = bytes(32), 0
        assert other.digest() != match.digest()
        assert CODEC.encode_observation(other.observe(viewer)) == CODEC.encode_observation(
            match.observe(viewer)
        )


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("seats {} seats {} seats {}", "field seats is 6: it goes from 2 to 5"),
        ("phase: 5", "field phase is 5: it goes from 1 to 4"),
        ("decision: 10", "field decision is 10: it goes from 0 to 9"),
        ("ending: 2", "field ending is 2"),
        ("maps {}", "field maps.owners has 0 entries: 21 are needed"),
        ("options { neutral_board: true }", "field maps has 3 entries: 4 are needed"),
        ("holders { favours: 0 }", "field holders.favours has 4 entries: 3 are needed"),
        ("holders { rights: 0 }", "field holders.rights has 4 entries: 3 are needed"),
        ("blocks: 0", "field blocks has 4 entries: 3 are needed"),
        ("revealed {}", "field revealed has 4 entries: 3 are needed"),
        ("discards: 0", "field discards has 11 entries: 10 are needed"),
        ("row { commodity: 11 }", "field row.commodity is 11"),
        ("row { commodity: 1 colour: 7 }", "field row.colour is 7"),
        ("auctioned {}", "field auctioned is empty"),
        ("auction { gold: 1 }", "field auction.lot is empty"),
        ("night { city: 0 }", "field night.city is 0"),
        ("offer { to: 7 }", "field offer.to is 7"),
    ],
)
def test_an_observation_that_no_position_can_be_made_of_is_refused(change: str, complaint: str) -> None:
    message = games_pb2.Observation.FromString(CODEC.encode_observation(a_match(3).observe(0)))
    message.ahldarahd.MergeFrom(Parse(change, ahldarahd_pb2.Observation()))
    with pytest.raises(UnreadableActionError, match=complaint):
        CODEC.decode_observation(message)


def test_a_seat_of_an_observation_that_is_none_is_refused() -> None:
    message = games_pb2.Observation.FromString(CODEC.encode_observation(a_match(3).observe(0)))
    del message.ahldarahd.seats[0].hand[3:]
    with pytest.raises(UnreadableActionError, match=r"seats\.hand has 3 entries: 10 are needed"):
        CODEC.decode_observation(message)


SALT, GEMS = Card(Commodity.SALT, 1), Card(Commodity.GEMS, 0)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (TurnBegan(3, (SALT, GEMS)), "Turn 3 begins; turned up: salt-1, gems-0."),
        (TurnBegan(9, ()), "Turn 9 begins; turned up: no card."),
        (Won(1, ITEM_LOT + RIGHTS + 2, 4), "Seat 1 wins right:2 for 4 gold."),
        (Won(1, 16, 0), "Seat 1 wins card:salt-1 for 0 gold."),
        (Control(0, 2, Commodity.SALT, 6), "Seat 0 takes salt on map 2: 6 gold."),
        (Removed(3, 1, 14), "Route 14 of seat 3 on map 1 comes off."),
        (Lost(4, 0, Commodity.PEARLS), "Seat 4 loses pearls on map 0."),
        (Paid(2, 9), "Seat 2 pays 9 gold."),
        (Destroyed(0, 1, 14, 1, 11), "Seat 0 destroys route 14 of seat 1 on map 1 for 11 gold."),
        (Sold(2, 5), "Seat 2 gets 5 gold for it."),
        (Night(1, 1, SALT), "Seat 1 draws a black chip: the Night comes to salt."),
        (Night(1, 2, None), "Seat 1 draws 2 black chips, but the deck is empty: no Night comes."),
        (Ransom((2, 0, 8)), "The ransom is paid: seat 0 2, seat 1 0, seat 2 8."),
        (Stall(GEMS), "Nobody has auctioned a card: gems-0 is discarded."),
        (
            Ended(Ending.DECK_EMPTY, (7, 5), (2, 9), (1, 2)),
            "The match ends (DECK_EMPTY): seat 0 7, seat 1 5.",
        ),
    ],
)
def test_an_event_is_told_in_one_sentence(event: Event, sentence: str) -> None:
    """A53."""
    assert CODEC.describe_event(event) == sentence
    message = games_pb2.GameEvent.FromString(CODEC.encode_event(event))
    assert CODEC.decode_event(message) == event


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no kind that is known here"),
        ("won {}", "field lot is empty"),
        ("control { seat: 1 }", "field city is 0"),
        ("turn_began { revealed {} }", "field revealed.commodity is 0"),
        ("night { card { colour: 1 } }", "field card.commodity is 0"),
        ("stall {}", "field card.commodity is 0"),
        ("ended { ending: 2 }", "field ending is 2: it goes from 1 to 1"),
    ],
)
def test_an_event_that_is_not_known_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(UnreadableActionError, match=complaint):
        CODEC.decode_event(Parse(f"ahldarahd {{ {text} }}", games_pb2.GameEvent()))


def test_values_of_other_games_are_refused() -> None:
    with pytest.raises(TypeError, match=r"engine\.ahldarahd\.observation\.Observation is needed"):
        CODEC.encode_observation("a view")
    with pytest.raises(TypeError, match="no event of Caravans of Ahldarahd"):
        CODEC.encode_event(Event())
    with pytest.raises(TypeError, match="no event of Caravans of Ahldarahd"):
        CODEC.describe_event(Event())
    for number in (15 << 28, 1 << 40, 1 << 130, -1):
        with pytest.raises(ValueError, match="no action of Caravans of Ahldarahd"):
            CODEC.encode_action(number)


def test_what_may_be_missing_is_missing_on_the_wire() -> None:
    """A36: no cup at set-up; no auction, offer or Night that runs."""
    wire = on_the_wire(a_match(2, {"night_of_the_outsider": True}).observe(0))
    assert not any(wire.HasField(name) for name in ("auction", "offer", "cup", "night"))
    assert wire.HasField("seat_to_act")


def test_an_empty_cup_is_a_cup() -> None:
    """A36, A37: it is filled only when gold is drawn from it."""
    match = played_on(a_match(2, {"night_of_the_outsider": True}), Random(0), 4)
    match.cup_gold, match.cup_black = 0, 0
    seen = CODEC.decode_observation(
        games_pb2.Observation.FromString(CODEC.encode_observation(match.observe(0)))
    )
    assert isinstance(seen, Observation)
    assert seen.cup == (0, 0)
