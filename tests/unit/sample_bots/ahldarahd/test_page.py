"""The bot that trades on docs/bots/ahldarahd.md, as it stands there: who copies it has one that works."""

import json
from collections import Counter
from typing import Any

import pytest

from arena.codecs.ahldarahd.codec import CODEC
from arena.games.ahldarahd.v1 import ahldarahd_pb2 as ahldarahd
from arena.v1 import games_pb2
from engine.ahldarahd import AHLDARAHD
from engine.ahldarahd.state import AhldarahdState
from engine.game import TERMINAL
from engine.randomness import Stream
from tests.unit.engine.ahldarahd.choosing import a_match
from tests.unit.sample_bots.ahldarahd.test_greedy import on_the_wire, packed
from tests.unit.sample_bots.driver import a_clock, a_seed, program_on

SEATS, TRADER = 3, 1


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    return program_on("docs/bots/ahldarahd.md", "trader", monkeypatch)


def test_it_plays_whole_matches_legally_with_offers_and_replies_of_both_kinds(page: dict[str, Any]) -> None:
    done: Counter[str] = Counter()
    for number in range(4):
        state, stream = a_match(SEATS, {"trading": True}, a_seed(number)), Stream(a_seed(number))
        while state.seat_to_act != TERMINAL:
            if state.seat_to_act != TRADER:
                state.apply(_bots_move(state, stream))
                continue
            view, listed = on_the_wire(state)
            choice = page["Trader"]().choose(view, listed, a_clock())
            action = listed[choice] if isinstance(choice, int) else choice
            done[str(action.WhichOneof("kind"))] += 1
            state.apply(packed(action, state))
    assert min(done["offer"], done["accept"], done["decline"]) > 0


def _bots_move(state: AhldarahdState, stream: Stream) -> int:
    """Return an offer of gold for nothing to the trader, or the reverse, if it is legal; else something sensible."""
    give, want = ahldarahd.Side(gold=1), ahldarahd.Side()
    for one, other in ((give, want), (want, give)):
        offer = ahldarahd.Action(offer=ahldarahd.Offer(to=TRADER, give=one, want=other))
        action = packed(offer, state)
        if state.is_legal(action) and stream.uniform(2):
            return action
    return AHLDARAHD.sensible_action(state, stream)


def test_a_side_holds_what_its_words_say_and_a_misspelt_word_is_no_side(page: dict[str, Any]) -> None:
    offer = page["offer"]
    side = page["side"](gold=3, salt=1, gems=2, items=[ahldarahd.Item(right=0)])
    [packed_offer] = CODEC.decode_action(
        games_pb2.Action(ahldarahd=offer(1, give=side, want=page["side"]())), a_match(2)
    )
    fields = json.loads(a_match(2).format_action(packed_offer))
    assert (fields["to"], fields["give"]) == (
        1,
        {"cards": ["gems", "gems", "salt"], "gold": 3, "items": ["right:0"]},
    )
    with pytest.raises(ValueError, match="COMMODITY_SLAT"):
        page["side"](slat=1)
