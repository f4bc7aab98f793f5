"""A47-A50: who is asked, the packing and the text of actions, legal lists, defaults, refusals."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ahldarahd import actions
from engine.ahldarahd.notation import format_action, parse_action
from engine.ahldarahd.offers import Offer, Side, make_offer, offer_of
from engine.game import UnreadableActionError
from tests.unit.engine.ahldarahd import do
from tests.unit.engine.ahldarahd.choosing import a_match
from tests.unit.engine.ahldarahd.positions import a_position, legal, play, refused
from tests.unit.engine.naive import Json, canonical

maps = st.integers(0, 4)
routes = st.integers(1, 21)
commodities = st.integers(0, 9)
gold = st.integers(0, actions.MOST_GOLD)
items = st.integers(0, 7)
sides = st.builds(
    Side,
    st.tuples(*[st.integers(0, 5)] * 10),
    gold,
    st.sets(items).map(lambda chosen: tuple(sorted(chosen))),
)
offers = st.builds(make_offer, st.builds(Offer, maps, sides, sides))


def test_a47_one_seat_is_asked_even_if_one_action_is_legal() -> None:
    state = a_position(gold=0, hands=["", ""])
    assert legal(state) == [do.DONE]
    assert state.seat_to_act == 0


def test_a48_an_offer_is_its_fields() -> None:
    fields = do.offer(3, do.side("gems gems salt", 7, "right:4 shah"), do.side("dates", 0, "eyes queen"))
    packed = parse_action(canonical(fields))
    assert format_action(packed) == canonical(fields)
    assert actions.is_offer(packed)


def test_a48_the_packing_is_the_documented_one() -> None:
    assert actions.setup_routes(3, 21) == 3 << 8 | 21
    assert actions.open_auction(64 + 3 + 2, 9) == 1 << 28 | 69 << 21 | 9
    assert actions.card_lot(3, 2) == 23
    assert actions.claim(2, 10, 6) == 5 << 28 | 2 << 16 | 10 << 8 | 8
    assert actions.destroy(1, 14, 8, 6) == 7 << 28 | 1 << 16 | 14 << 8 | 6 << 4 | 8
    assert actions.lose_route(4, 21) == 14 << 28 | 4 << 16 | 21 << 8
    one = Offer(5, Side((0,) * 8 + (2, 0), 3, (0,)), Side((0, 0, 0, 1) + (0,) * 6, 0, (7,)))
    packed = 1 << 124 | 5 << 120 | (2 | 3 << 30 | 1 << 51) << 60 | 1 << 3 | 1 << 58
    assert make_offer(one) == packed


@given(offers, st.permutations(["type", "to", "give", "want"]))
def test_a48_offers_are_read_back_from_fields_in_any_order(packed: int, order: list[str]) -> None:
    fields = json.loads(format_action(packed))
    assert canonical(fields) == format_action(packed)
    assert parse_action(json.dumps({name: fields[name] for name in order})) == packed


@given(st.integers(0, (1 << 123) - 1))
def test_a48_every_int_of_an_offers_bits_is_an_offer(bits: int) -> None:
    """So an offer that is judged has no bits without a meaning."""
    packed = actions.OFFER | bits
    assert actions.is_offer(packed)
    assert make_offer(offer_of(packed)) == packed


REFUSALS = [
    ("", "no action of Caravans of Ahldarahd"),
    ("DONE", "no action of Caravans of Ahldarahd"),
    ("[]", "no action of Caravans of Ahldarahd"),
    ("{}", 'a "type"'),
    ('{"type":7}', 'a "type"'),
    ('{"type":["done"]}', 'a "type"'),
    ("[" * 2000, "no action of Caravans of Ahldarahd"),
    (" " * 5000 + '{"type":"done"}', "no action of Caravans of Ahldarahd"),
    ('{"type":"done"', "no action of Caravans of Ahldarahd"),
    ('{"type":"resign"}', 'field type is "resign"'),
    ('{"type":"done","seat":1}', "type done has the fields type alone"),
    ('{"type":"bid"}', "type bid has the fields bid"),
    ('{"type":"bid","bid":1,"lot":"eyes"}', "type bid has the fields bid"),
    ('{"type":"bid","bid":"2"}', "field bid is a whole number"),
    ('{"type":"bid","bid":true}', "field bid is a whole number"),
    ('{"type":"bid","bid":1.0}', "field bid is a whole number"),
    ('{"type":"bid","bid":-1}', "field bid is a whole number"),
    ('{"type":"bid","bid":2097152}', "field bid is a whole number"),
    ('{"type":"bid","bid":NaN}', "field bid is a whole number"),
    ('{"type":"pledge","gold":null}', "field gold is a whole number"),
    ('{"type":"give_shah","to":5}', "field to is a whole number from 0 to 4"),
    ('{"type":"sell","right":-1}', "field right is a whole number from 0 to 4"),
    ('{"type":"buy","map":5,"route":1}', "field map is a whole number from 0 to 4"),
    ('{"type":"buy","map":0,"route":22}', "field route is a whole number from 1 to 21"),
    ('{"type":"claim","map":0,"route":1,"card":"camel"}', "field card names a commodity"),
    ('{"type":"claim","map":0,"route":1,"card":["gems"]}', "field card names a commodity"),
    ('{"type":"setup_routes","routes":5}', "field routes is a list"),
    ('{"type":"setup_routes","routes":[2,1]}', "field routes is two routes, the lower one first"),
    ('{"type":"setup_routes","routes":[1,1]}', "field routes is two routes"),
    ('{"type":"setup_routes","routes":[1,2,3]}', "field routes is two routes"),
    ('{"type":"setup_routes","routes":[0,2]}', "field routes is a whole number from 1 to 21"),
    ('{"type":"open_auction","lot":"gems-2","bid":0}', "field lot names shah, eyes, queen or right:MAP"),
    ('{"type":"open_auction","lot":"card:gems","bid":0}', "field lot names a card as card:COMMODITY-COLOUR"),
    (
        '{"type":"open_auction","lot":"card:gems-5","bid":0}',
        "field lot names a card as card:COMMODITY-COLOUR",
    ),
    ('{"type":"open_auction","lot":"card:camel-1","bid":0}', "field lot names a commodity"),
    ('{"type":"open_auction","lot":"right:5","bid":0}', "field lot names shah"),
    ('{"type":"open_auction","lot":"right:00","bid":0}', "field lot names shah"),
    ('{"type":"open_auction","lot":3,"bid":0}', "field lot names shah"),
    ('{"type":"destroy","map":0,"route":1,"pay":["buy"]}', "field pay is two payments"),
    (
        '{"type":"destroy","map":0,"route":1,"pay":["spices","buy"]}',
        "field pay is two payments in alphabetical",
    ),
    ('{"type":"destroy","map":0,"route":1,"pay":["buy","gold"]}', "field pay names a commodity"),
]


@pytest.mark.parametrize(("text", "complaint"), REFUSALS)
def test_a48_what_is_no_action_is_refused_with_its_field(text: str, complaint: str) -> None:
    with pytest.raises(UnreadableActionError, match=complaint) as caught:
        parse_action(text)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"to": 5}, "field to is a whole number from 0 to 4"),
        ({"give": []}, "field give has cards, gold and items, and nothing else"),
        ({"want": {"cards": [], "gold": 0}}, "field want has cards, gold and items"),
        ({"give": {"cards": "gems", "gold": 0, "items": []}}, "field cards is a list"),
        ({"give": {"cards": ["camel"], "gold": 0, "items": []}}, r"field give\.cards names a commodity"),
        ({"want": {"cards": ["gems"] * 6, "gold": 0, "items": []}}, r"field want\.cards has at most 5 cards"),
        ({"want": {"cards": [], "gold": -1, "items": []}}, "field gold is a whole number"),
        (
            {"want": {"cards": [], "gold": 0, "items": ["eyes", "eyes"]}},
            r"field want\.items names each item once",
        ),
        ({"give": {"cards": [], "gold": 0, "items": ["route"]}}, r"field give\.items names shah, eyes"),
        ({"give": {"cards": [], "gold": 0, "items": [1]}}, r"field give\.items names shah, eyes"),
    ],
)
def test_a48_unreadable_offers_are_refused_with_their_field(change: Json, complaint: str) -> None:
    with pytest.raises(UnreadableActionError, match=complaint):
        parse_action(json.dumps({**do.offer(1, do.side("gems")), **change}))


def test_a47_an_int_that_is_no_action_is_illegal() -> None:
    bits = (
        -1,
        -(2**124),
        1 << 27 | 1 << 20,
        3 << 28 | 1,
        15 << 28,
        1 << 32,
        6 << 28 | 1 << 8 | 3,
        9 << 28 | 1,
    )
    for packed in (*bits, 1 << 123, 1 << 124 | 1 << 123, 1 << 124 | 1 << 125, 10**5000, -(10**5000)):
        refused(a_position(), packed, "no action Ahldarahd")


def test_a48_routes_of_the_setup_that_do_not_exist() -> None:
    for a, b in ((0, 1), (2, 2), (3, 1), (1, 22)):
        refused(a_match(), actions.setup_routes(a, b), "A8 two different routes")


EVERY_KIND: dict[str, list[Json]] = {
    "setup_routes": [do.setting(1, 2)],
    "open_auction": [do.opening("eyes")],
    "bid": [do.bid(2)],
    "give_shah": [do.shah_to(0)],
    "build": [do.claim(0, 1, "pearls"), do.buy(0, 1), do.destroy(0, 1, "buy", "buy"), do.sell(0), do.DONE],
    "trade_reply": [do.ACCEPT, do.DECLINE],
    "avert": [do.AVERT],
    "pledge": [do.pledge(0)],
    "lose_route": [do.lose(0, 1)],
}


def test_a48_an_answer_to_another_question_is_illegal() -> None:
    asked = {"setup_routes": a_match(), "open_auction": a_position(bidding=True), "build": a_position()}
    asked["bid"] = a_position(bidding=True)
    play(asked["bid"], do.opening("eyes"))
    for decision, state in asked.items():
        for kind, answers in EVERY_KIND.items():
            for answer in answers if kind != decision else ():
                refused(state, answer, f"A48 {decision}")


@pytest.mark.parametrize(
    ("row", "auctioned", "lot"),
    [
        ("gems-1 dates-0", "card:gems-1", "card:dates-0"),
        ("", "right:0", "right:1"),
        ("", "right:0 right:1", "shah"),
    ],
)
def test_a50_the_default_is_the_first_open_lot_for_nothing(row: str, auctioned: str, lot: str) -> None:
    state = a_position(bidding=True, row=row, auctioned=auctioned)
    assert state.format_action(state.default_action()) == canonical(do.opening(lot))
