"""A52: the position as data, what holds in every position, and that engine and slow rules play the same matches."""

import json
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ahldarahd import AHLDARAHD
from engine.ahldarahd.events import Night, Stall, TurnBegan
from engine.ahldarahd.position import ASK_BUILD, ASK_REPLY
from engine.ahldarahd.state import AhldarahdState
from engine.game import SPECTATOR, TERMINAL
from tests.unit.engine.ahldarahd import do
from tests.unit.engine.ahldarahd.choosing import TABLES, a_match, an_offer, cards_of, choose, walk
from tests.unit.engine.ahldarahd.naive import NaiveMatch
from tests.unit.engine.ahldarahd.naive_legal import has_majority
from tests.unit.engine.ahldarahd.positions import a_position, asked, form, play
from tests.unit.engine.ahldarahd.state_form import NAMES, consequences, form_of, full_form, view_form
from tests.unit.engine.matches import examples
from tests.unit.engine.naive import canonical

EVERYTHING = """
setup_routes turn open bid pass won shah control removed lost stall claim buy destroy sell done offer reply night avert
pledge ransom open_auction give_shah build trade_reply lose_route end
"""
"""Events (A53) and decisions (A48)."""


def check_equal(match: AhldarahdState, naive: NaiveMatch) -> None:
    """Compare the position of A52, who is asked what, and the legal list in the order of A49."""
    assert full_form(match) == naive.state
    texts = [match.format_action(action) for action in match.legal_actions()]
    assert sorted(texts) == [canonical(action) for action in naive.legal()]
    if match.seat_to_act != TERMINAL:
        assert match.format_action(match.default_action()) == canonical(naive.default())


def check_views(match: AhldarahdState, naive: NaiveMatch) -> None:
    """Compare what a seat may see (A51, A52)."""
    for viewer in range(naive.state["seats"]):
        assert view_form(match.observe(viewer)) == naive.view(viewer)
    assert view_form(match.observe(SPECTATOR)) == naive.view(None)
    assert [seat.score for seat in match.observe(SPECTATOR).seats] == naive.scores()


def check_offers(match: AhldarahdState, naive: NaiveMatch, dice: Random) -> None:
    """A44: offers of all sorts are judged alike."""
    if match.seat_to_act == TERMINAL:
        return
    offer = an_offer(match, dice)
    assert match.is_legal(match.parse_action(json.dumps(offer))) == naive.is_legal(offer), offer


def make_rich(match: AhldarahdState, naive: NaiveMatch) -> None:
    """Gold for everybody, and a cup with few chips: what is rare then happens."""
    match.gold = [15] * naive.state["seats"]
    naive.state["gold"] = list(match.gold)
    if naive.state["cup"]:
        match.cup_gold = naive.state["cup"]["gold"] = 9
    match.legal = None


def play_both(
    seats: int, options: dict[str, bool], seed: bytes, *, every: int = 1, rich: bool = False
) -> set[str]:
    """Play with both and return the kinds of events, decisions included; every so many plies all is compared."""
    dice = Random(seed)
    match, naive = a_match(seats, options, seed), NaiveMatch(seats, options, seed)
    ply, told = 0, set()
    while match.seat_to_act != TERMINAL:
        if rich and ply == seats:
            make_rich(match, naive)
        told.add(naive.state["decision"])
        if ply % every == 0:
            check_equal(match, naive)
            check_views(match, naive)
            check_offers(match, naive, dice)
        action = choose(match, dice)
        match.apply(action)
        events = naive.apply(json.loads(match.format_action(action)))
        assert [form_of(event) for event in match.take_events()] == consequences(events)
        assert match.seat_to_act == (TERMINAL if naive.state["to_move"] is None else naive.state["to_move"])
        told |= {event["event"] for event in events}
        ply += 1
    check_equal(match, naive)
    check_views(match, naive)
    return told


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_a49_a52_both_play_the_same_matches(seats: int, options: dict[str, bool]) -> None:
    play_both(seats, options, bytes([seats, *options.values()]) * 8, every=3)


def test_a53_rich_matches_have_every_event_and_every_decision() -> None:
    told = set()
    for number, (seats, options) in enumerate(TABLES):
        if options["night_of_the_outsider"] and options["trading"]:
            told |= play_both(seats, options, bytes([number]) * 32, every=5, rich=True)
    assert told == set(EVERYTHING.split())


def test_a52_the_form_of_the_start() -> None:
    for seats, options in TABLES:
        assert form(a_match(seats, options)) == NaiveMatch(seats, options, bytes(32)).state


def test_a52_an_auction_is_seen_while_bids_are_asked_for() -> None:
    state = a_position(3, bidding=True)
    assert form(state)["auction"] is None
    play(state, do.opening("shah", 1))
    assert form(state)["auction"] == {"lot": "shah", "bid": 1, "high": 0, "live": [1, 2]}
    play(state, do.bid(2), do.PASS)
    assert form(state)["auction"] == {"lot": "shah", "bid": 2, "high": 1, "live": [0]}
    play(state, do.PASS)
    assert (asked(state), form(state)["auction"]) == (("give_shah", 1), None)
    play(state, do.shah_to(0))


seeds = st.integers(0, 2**32)


@st.composite
def matches(draw: st.DrawFn) -> tuple[AhldarahdState, Random]:
    seats, options = draw(st.sampled_from(TABLES))
    dice = Random(draw(seeds))
    return a_match(seats, options, dice.randbytes(32)), dice


def check(state: AhldarahdState) -> None:
    """Gold, cards, markers, control, offers."""
    fields = form(state)
    seats = fields["seats"]
    assert min(fields["gold"]) >= 0
    assert min(min(hand) for hand in state.hands) >= 0
    assert dict(cards_of(state)) == dict.fromkeys(range(10), seats)
    owned = [owner for owners in fields["routes"] for owner in owners.values()]
    for seat in range(seats):
        assert owned.count(seat) == state.placed[seat] <= 21
    for owners, cities in zip(fields["routes"], fields["cities"], strict=True):
        assert all(1 <= int(route) <= 21 for route in owners)
        expected = {city: seat for city in NAMES for seat in range(seats) if has_majority(owners, city, seat)}
        assert cities == expected
    if fields["cup"]:
        assert fields["cup"]["gold"] >= 0
        assert 0 <= fields["cup"]["black"] <= 3
    if fields["auction"]:
        assert fields["auction"]["bid"] <= fields["gold"][fields["auction"]["high"]]


@examples(12)
@given(matches())
def test_a23_gold_cards_markers_and_control_are_right_everywhere(
    drawn: tuple[AhldarahdState, Random],
) -> None:
    """A2, A4, A5, A22, A23, A36."""
    for state in walk(*drawn):
        check(state)
    assert state.outcome() is not None


@examples(25)
@given(matches())
def test_a28_a31_turns_and_plies_are_bounded(drawn: tuple[AhldarahdState, Random]) -> None:
    """A9, A28-A31, A43: at most 6n + 1 turns, at least 7 without the Night, each of which takes cards from the deck."""
    match, dice = drawn
    seats, options = match.setup.seats, match.setup.options
    turns, plies, in_chance, stalls, nights, chance = 0, -1, 0, 0, 0, (0, 0)
    offers: Counter[tuple[int, int]] = Counter()
    for state in walk(match, dice):
        for event in state.take_events():
            turns += isinstance(event, TurnBegan)
            stalls += isinstance(event, Stall)
            nights += isinstance(event, Night)
        in_chance = in_chance + 1 if chance == (state.turn, state.at) else 0
        chance = (state.turn, state.at)
        offers[chance] += state.decision == ASK_REPLY
        if state.decision == ASK_BUILD:
            assert in_chance <= 42 * state.setup.maps + seats + 2 * 2 + 3 * 3 * seats + 2 * seats
        plies += 1
    assert max(offers.values()) <= (2 if options.trading else 0)
    assert turns <= 6 * seats + 1
    assert turns >= 7 or options.night_of_the_outsider
    assert nights <= 3
    assert stalls < turns
    assert plies <= AHLDARAHD.max_plies(seats, options)
