"""A52: the position as data; copies and digests."""

from collections.abc import Callable

import pytest

from engine.ahldarahd.state import AhldarahdState
from engine.game import SPECTATOR
from tests.unit.engine.ahldarahd import do
from tests.unit.engine.ahldarahd.choosing import TABLES, a_match
from tests.unit.engine.ahldarahd.naive import NaiveMatch
from tests.unit.engine.ahldarahd.positions import TRADING, a_position, asked, finish, form, play
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


def test_a52_offers_left_are_those_of_the_running_chance() -> None:
    state = a_match(2, TRADING)
    assert form(state)["offers_left"] == 0
    state = a_position(options=TRADING)
    play(state, do.offer(1, do.side(gold=1)))
    assert (asked(state), form(state)["offers_left"]) == (("trade_reply", 1), 1)
    finish(state)
    assert form(state)["offers_left"] == 0


def test_a52_after_the_end_the_rest_stays_as_it_was() -> None:
    state = a_match(3)
    events = finish(state)
    fields = form(state)
    assert events[-1]["event"] == "end"
    assert (fields["phase"], fields["decision"], fields["to_move"]) == ("over", None, None)
    assert (fields["order"], fields["at"], len(fields["auctioned"])) == ([], 0, 3)
    assert state.observe(0).seat_to_act is None


CHANGES: dict[str, Callable[[AhldarahdState], object]] = {
    "turn": lambda state: setattr(state, "turn", state.turn + 1),
    "phase": lambda state: setattr(state, "phase", 3 - state.phase),
    "decision": lambda state: setattr(state, "decision", 4),
    "seat": lambda state: setattr(state, "seat_to_act", 1 - state.seat_to_act),
    "order": lambda state: setattr(state, "order", state.order[::-1]),
    "at": lambda state: setattr(state, "at", 1 - state.at),
    "gold": lambda state: state.gold.__setitem__(0, 77),
    "camels": lambda state: setattr(state, "flipped", 3),
    "items": lambda state: state.holders.__setitem__(1, 1),
    "hands": lambda state: state.hands.reverse(),
    "shown": lambda state: state.shown.__setitem__(0, 512),
    "discards": lambda state: state.discards.__setitem__(0, 9),
    "deck": lambda state: setattr(state, "deck", [*state.deck[:-2], state.deck[-1], state.deck[-2]]),
    "revealed": lambda state: state.revealed.__setitem__(0, 1023),
    "row": lambda state: state.row.reverse(),
    "routes": lambda state: state.owners[1].__setitem__(21, 0),
    "cities": lambda state: state.cities[1].__setitem__(0, 0),
    "auctioned": lambda state: state.auctioned.append(64),
    "lot": lambda state: setattr(state, "lot", 66),
    "bid": lambda state: setattr(state, "bid", 4),
    "high": lambda state: setattr(state, "high", 1),
    "passed": lambda state: setattr(state, "passed", 1),
    "offers": lambda state: setattr(state, "offers_left", 2),
    "offer": lambda state: setattr(state, "offer", 1 << 124),
    "cup": lambda state: setattr(state, "cup_gold", 3),
    "black": lambda state: setattr(state, "cup_black", 0),
    "city": lambda state: setattr(state, "night_city", 3),
    "drawer": lambda state: setattr(state, "drawer", 0),
    "waiting": lambda state: state.waiting.append(1),
    "pledged": lambda state: state.pledged.__setitem__(0, 2),
    "seed": lambda state: setattr(state, "seed", b"x" * 32),
    "words": lambda state: setattr(state, "words", 90),
}


@pytest.mark.parametrize("part", CHANGES)
def test_a52_the_digest_changes_with_every_part_and_a_copy_does_not(part: str) -> None:
    state = a_position(bidding=True, options={"night_of_the_outsider": True, "trading": True})
    copy, before = state.clone(), state.digest()
    assert copy.digest() == before
    CHANGES[part](state)
    assert state.digest() != before
    assert copy.digest() == before


def test_a52_options_and_seats_are_in_the_digest() -> None:
    digests = {a_match(seats, options).digest() for seats, options in TABLES}
    assert len(digests) == len(TABLES)
