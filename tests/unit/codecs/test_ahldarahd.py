"""Ahldarahd's codec: answers out of range (row 17 of docs/bad_inputs.md), offers, hidden hands, words for people."""

from random import Random

import pytest
from google.protobuf.text_format import Parse
from hypothesis import given
from hypothesis import strategies as st

from arena.codecs.ahldarahd.codec import CODEC
from arena.games.ahldarahd.v1 import ahldarahd_pb2
from arena.v1 import games_pb2
from engine.ahldarahd import actions, events
from engine.ahldarahd.actions import ITEM_LOT, MOST_GOLD, RIGHTS
from engine.ahldarahd.board import KINDS, Commodity
from engine.ahldarahd.observation import Observation
from engine.ahldarahd.offers import Offer, Side, make_offer, offer_of
from engine.ahldarahd.options import MAX_SEATS
from engine.game import Event, InvalidOptionsError, UnreadableActionError
from tests.unit.cli.screens import check_screen
from tests.unit.codecs.screens import an_action, answers, bad_answers, bad_events, bad_observations, in_words
from tests.unit.engine.ahldarahd.choosing import a_match, played_on

SEATS = st.integers(0, MAX_SEATS - 1)
GOLD = st.integers(0, MOST_GOLD)
SIDES = st.builds(
    Side,
    st.tuples(*[st.integers(0, MAX_SEATS)] * KINDS),
    GOLD,
    st.sets(st.integers(0, RIGHTS + MAX_SEATS - 1)).map(lambda items: tuple(sorted(items))),
)
OFFERS = st.builds(Offer, SEATS, SIDES, SIDES)

SALT, GEMS = events.Card(Commodity.SALT, 1), events.Card(Commodity.GEMS, 0)
ANSWERS = """
setup_routes { routes: [3, 21] }
open_auction { lot { card { commodity: COMMODITY_GEMS colour: 2 } } gold: 7 }
open_auction { lot { item { favour: FAVOUR_EYES } } }
open_auction { lot { item { right: 4 } } gold: 1 }
bid { gold: 3 }
pass_action {}
give_shah { to: 2 }
claim { on_map: 1 route: 14 card: COMMODITY_SALT }
buy { on_map: 4 route: 5 }
destroy { route: 14 }
destroy { route: 14 cards: COMMODITY_SALT }
destroy { route: 14 cards: [COMMODITY_METALS, COMMODITY_SALT] }
sell { right: 3 }
done {}
accept {}
decline {}
avert {}
pledge { gold: 10 }
lose_route { on_map: 2 route: 1 }
offer { to: 1 give { gold: 3 items { favour: 1 } items { right: 0 } } want { cards: [0, 0, 0, 2, 0, 0, 0, 0, 1, 0] } }
"""

BAD_ANSWERS = """
setup_routes {}
setup_routes { routes: [1, 2, 3] }
setup_routes { routes: [0, 2] }
setup_routes { routes: [1, 22] }
open_auction {}
open_auction { lot { item {} } }
open_auction { lot { item { favour: 0 } } }
open_auction { lot { item { favour: 4 } } }
open_auction { lot { item { right: 5 } } }
open_auction { lot { card {} } }
open_auction { lot { card { commodity: 11 } } }
open_auction { lot { card { commodity: 1 colour: 5 } } }
open_auction { lot { item { right: 0 } } gold: 2097152 }
bid { gold: 4294967295 }
give_shah { to: 5 }
claim { on_map: 5 route: 1 card: 1 }
claim { card: 1 }
claim { route: 1 }
claim { route: 1 card: -1 }
buy { on_map: 4294967295 route: 1 }
buy { route: 22 }
destroy { route: 1 cards: [1, 2, 3] }
destroy { route: 1 cards: [0] }
destroy { on_map: 6 route: 1 }
destroy { route: 0 }
sell { right: 5 }
offer { to: 5 }
offer { give { gold: 2097152 } }
offer { want { cards: 1 } }
offer { want { cards: [0, 0, 0, 0, 0, 0, 0, 0, 0, 6] } }
offer { give { items {} } }
offer { give { items { right: 8 } } }
offer { give { items { favour: 9 } } }
offer { give { items { right: 1 } items { right: 1 } } }
pledge { gold: 2097152 }
lose_route { on_map: 5 route: 1 }
lose_route {}
"""

BAD_OBSERVATIONS = """
seats {} seats {} seats {}
phase: 5
decision: 10
ending: 2
maps {}
options { neutral_board: true }
holders { favours: 0 }
holders { rights: 0 }
blocks: 0
revealed {}
discards: 0
row { commodity: 11 }
row { commodity: 1 colour: 7 }
auctioned {}
auction { gold: 1 }
night { city: 0 }
offer { to: 7 }
"""
BAD_EVENTS = """
won {}
control { seat: 1 }
turn_began { revealed {} }
night { card { colour: 1 } }
stall {}
ended { ending: 2 }
"""
EVENTS: list[Event] = [
    events.TurnBegan(3, (SALT, GEMS)),
    events.TurnBegan(9, ()),
    events.Won(1, ITEM_LOT + RIGHTS + 2, 4),
    events.Won(1, 16, 0),
    events.Control(0, 2, Commodity.SALT, 6),
    events.Removed(3, 1, 14),
    events.Lost(4, 0, Commodity.PEARLS),
    events.Paid(2, 9),
    events.Destroyed(0, 1, 14, 1, 11),
    events.Sold(2, 5),
    events.Night(1, 1, SALT),
    events.Night(1, 2, None),
    events.Ransom((2, 0, 8)),
    events.Ransom((0, 10)),
    events.Stall(GEMS),
    events.Ended(events.Ending.DECK_EMPTY, (7, 5), (2, 9), (1, 2)),
]


def test_row_17_what_is_read_and_what_is_refused_with_the_field_named() -> None:
    check_screen(
        "codecs/ahldarahd",
        {
            "answers": answers(CODEC, a_match(), ANSWERS),
            "bad answers": bad_answers(CODEC, a_match(), BAD_ANSWERS),
            "bad observations": bad_observations(CODEC, a_match(3).observe(0), BAD_OBSERVATIONS),
            "bad events": bad_events(CODEC, BAD_EVENTS),
            "events": in_words(CODEC, EVENTS),
        },
    )


def on_the_wire(seen: object) -> ahldarahd_pb2.Observation:
    return games_pb2.Observation.FromString(CODEC.encode_observation(seen)).ahldarahd


@given(OFFERS)
def test_an_offer_is_unpacked_as_it_was_packed_and_is_never_taken_for_a_listed_action(offer: Offer) -> None:
    """A44: an offer is wider than what a list can hold."""
    packed = make_offer(offer)
    assert offer_of(packed) == offer
    assert actions.is_offer(packed)
    assert packed >= 1 << 32


def test_payments_of_a_destruction_may_come_in_any_order() -> None:
    """A26: no payment comes first."""
    orders = ["[COMMODITY_METALS, COMMODITY_SALT]", "[COMMODITY_SALT, COMMODITY_METALS]"]
    texts = [an_action("ahldarahd", f"destroy {{ route: 14 cards: {order} }}") for order in orders]
    assert len({CODEC.decode_action(text, a_match()) for text in texts}) == 1


def test_row_17_an_offer_of_very_many_items_is_refused_without_reading_them_all() -> None:
    """A message may hold a megabyte of them."""
    side = ahldarahd_pb2.Side(items=[ahldarahd_pb2.Item(right=item % 5) for item in range(50_000)])
    message = games_pb2.Action(ahldarahd=ahldarahd_pb2.Action(offer=ahldarahd_pb2.Offer(give=side)))
    with pytest.raises(UnreadableActionError, match=r"offer\.give\.items "):
        CODEC.decode_action(message, a_match())


def test_a_setup_of_one_route_twice_can_be_read_and_is_illegal() -> None:
    """A8: whether two routes are different is the rules' question."""
    match = a_match()
    (same,) = CODEC.decode_action(an_action("ahldarahd", "setup_routes { routes: [4, 4] }"), match)
    assert not match.is_legal(same)


def test_options_that_do_not_fit_are_refused() -> None:
    """A3."""
    message = Parse("ahldarahd { neutral_board: true }", games_pb2.GameOptions())
    with pytest.raises(InvalidOptionsError, match="neutral_board"):
        CODEC.decode_options(message, 5)


def test_a_seat_of_an_observation_that_is_none_is_refused() -> None:
    message = games_pb2.Observation.FromString(CODEC.encode_observation(a_match(3).observe(0)))
    del message.ahldarahd.seats[0].hand[3:]
    with pytest.raises(UnreadableActionError, match=r"seats\.hand .* 10"):
        CODEC.decode_observation(message)


def test_what_may_be_missing_is_missing_on_the_wire() -> None:
    """A36: no cup at set-up; no auction, offer or events.Night that runs."""
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
