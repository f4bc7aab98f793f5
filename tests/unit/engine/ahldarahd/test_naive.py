"""A52: the position as data; the engine and the slow rules of `naive` play the same matches, side by side."""

import json
from random import Random

import pytest

from engine.ahldarahd.state import AhldarahdState
from engine.game import SPECTATOR, TERMINAL
from tests.unit.engine.ahldarahd import do
from tests.unit.engine.ahldarahd.choosing import TABLES, a_match, an_offer, choose
from tests.unit.engine.ahldarahd.naive import NaiveMatch
from tests.unit.engine.ahldarahd.positions import a_position, asked, form, play
from tests.unit.engine.ahldarahd.state_form import consequences, form_of, full_form, view_form
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


def test_a52_a_view_has_sizes_for_what_is_hidden() -> None:
    state = a_match()
    fields = view_form(state.observe(1))
    assert (fields["hands"], fields["deck"]) == ([3, ["metals", "pearls", "textiles"]], 14)
    assert "seed" not in fields
    assert "words" not in fields
    assert view_form(state.observe(SPECTATOR))["hands"] == [3, 3]


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
