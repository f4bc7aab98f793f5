"""A52: the position as data; copies and digests."""

from engine.game import SPECTATOR
from tests.unit.engine.ahldarahd import do
from tests.unit.engine.ahldarahd.choosing import TABLES, a_match
from tests.unit.engine.ahldarahd.naive import NaiveMatch
from tests.unit.engine.ahldarahd.positions import a_position, asked, form, play
from tests.unit.engine.ahldarahd.state_form import view_form


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
