"""The policy of docs/bots/ahldarahd.md. Clauses: docs/rules/ahldarahd.md."""

import json
from random import Random

import pytest

from arena.codecs.ahldarahd.codec import CODEC
from arena.games.ahldarahd.v1 import ahldarahd_pb2 as ahldarahd
from arena.v1 import games_pb2
from engine.ahldarahd.actions import claim, setup_routes
from engine.ahldarahd.board import Commodity
from engine.ahldarahd.position import ASK_BUILD, ASK_REPLY, BUILDING, DECISION_NAMES, NOBODY, OFFERS
from engine.ahldarahd.state import AhldarahdState
from engine.game import TERMINAL
from sample_bots.python.ahldarahd.greedy import Greedy
from tests.unit.cli.screens import check_screen
from tests.unit.engine.ahldarahd.choosing import TABLES, a_match, choose
from tests.unit.sample_bots.driver import a_clock, a_seed


def on_the_wire(state: AhldarahdState) -> tuple[ahldarahd.Observation, list[ahldarahd.Action]]:
    data = CODEC.encode_observation(state.observe(state.seat_to_act))
    listed = [
        games_pb2.Action.FromString(CODEC.encode_action(action)).ahldarahd for action in state.legal_actions()
    ]
    return games_pb2.Observation.FromString(data).ahldarahd, listed


def greedy_action(state: AhldarahdState) -> ahldarahd.Action:
    view, listed = on_the_wire(state)
    choice = Greedy().choose(view, listed, a_clock())
    return listed[choice] if isinstance(choice, int) else choice


def packed(action: ahldarahd.Action, state: AhldarahdState) -> int:
    (read,) = CODEC.decode_action(games_pb2.Action(ahldarahd=action), state)
    return read


def test_its_choices_in_whole_matches_are_those_of_the_golden_file() -> None:
    """In matches in which every other action is not greedy's own, so that odd positions come up, offers among them."""
    asked: set[str] = set()
    kinds: set[str] = set()
    chosen = {}
    for number, (seats, values) in enumerate(TABLES):
        state, dice, choices = a_match(seats, values, a_seed(number)), Random(number), []
        while state.seat_to_act != TERMINAL:
            action = greedy_action(state)
            own = packed(action, state)
            assert state.is_legal(own)
            asked.add(DECISION_NAMES[state.decision])
            kinds.add(str(action.WhichOneof("kind")))
            choices.append(state.format_action(own))
            state.apply(own if dice.randrange(2) else choose(state, dice))
        options = ", ".join(name for name, value in values.items() if value)
        chosen[f"{seats} seats, {options or 'no options'}"] = "\n".join(choices)
    assert asked == set(DECISION_NAMES[1:])
    assert {"offer", "accept", "decline", "claim", "buy", "done", "bid", "avert"} <= kinds
    assert not {"destroy", "sell"} & kinds, "the page names neither"
    check_screen("bots/greedy_ahldarahd", chosen)


def building(seats: int = 3, *, seat: int = 0) -> AhldarahdState:
    """Return the building chance of that seat in turn 1: nobody has anything but 5 gold, and offers may be made."""
    state = a_match(seats, {"trading": True})
    state.turn, state.phase, state.decision = 1, BUILDING, ASK_BUILD
    state.seat_to_act, state.order, state.at, state.offers_left = seat, state.around(seat), 0, OFFERS
    state.hands = [[0] * 10 for _ in range(seats)]
    state.holders = [NOBODY] * len(state.holders)
    return state


def give(state: AhldarahdState, seat: int, commodity: int) -> None:
    """Give the seat such a card, won in the open."""
    state.hands[seat][commodity] += 1
    state.gained[seat][commodity] += 1


def owned(state: AhldarahdState, seat: int, *routes: int) -> None:
    """Routes on its own map."""
    for route in routes:
        state.owners[seat][route] = seat
        state.placed[seat] += 1


def chosen_text(state: AhldarahdState) -> str:
    return state.format_action(packed(greedy_action(state), state))


def test_it_sets_up_so_that_it_takes_pearls() -> None:
    """A8: routes 1 and 2."""
    assert packed(greedy_action(a_match(2)), a_match(2)) == setup_routes(1, 2)


def test_it_claims_what_takes_a_city() -> None:
    """A19, A23: the second route at Pearls takes it, and of equals the first is taken."""
    state = building()
    owned(state, 0, 1)
    give(state, 0, Commodity.PEARLS)
    state.offers_left = 0
    assert packed(greedy_action(state), state) == claim(0, 2, Commodity.PEARLS)


def test_without_gold_and_cards_it_is_done() -> None:
    state = building()
    state.gold = [0] * 3
    assert chosen_text(state) == '{"type":"done"}'


def an_offer_to(seat: int, card: str) -> str:
    sides = {
        "give": {"cards": [], "gold": 3, "items": []},
        "want": {"cards": [card], "gold": 0, "items": []},
    }
    return json.dumps({"type": "offer", "to": seat, **sides}, sort_keys=True, separators=(",", ":"))


def wants_salt(*, gold: int = 5) -> AhldarahdState:
    """Seat 0 has three of the six routes at Salt and lacks one (A23); it cannot buy it."""
    state = building()
    owned(state, 0, 12, 14, 16)
    state.gold[0] = gold
    return state


def test_it_offers_gold_for_the_card_that_takes_a_city_to_the_first_seat_known_to_hold_it() -> None:
    """A43, A44."""
    state = wants_salt()
    give(state, 1, Commodity.PEARLS)
    give(state, 2, Commodity.SALT)
    assert chosen_text(state) == an_offer_to(2, "salt")
    give(state, 1, Commodity.SALT)
    assert chosen_text(state) == an_offer_to(1, "salt")


def test_a_start_card_that_was_seen_and_not_spent_is_known_too() -> None:
    """A44: who offers a card has it."""
    state = wants_salt()
    state.hands[1][Commodity.SALT] = 1
    assert chosen_text(state) == '{"type":"done"}'
    state.show(1, Commodity.SALT)
    assert chosen_text(state) == an_offer_to(1, "salt")
    state.hands[1][Commodity.SALT], state.gained[1][Commodity.SALT] = 0, -1
    assert chosen_text(state) == '{"type":"done"}'


@pytest.mark.parametrize("change", ["gold", "offers"])
def test_it_offers_once_in_a_chance_and_only_with_gold_left_to_build(change: str) -> None:
    state = wants_salt(gold=3 if change == "gold" else 5)
    give(state, 2, Commodity.SALT)
    if change == "offers":
        state.offers_left = 1
    assert '"offer"' not in chosen_text(state)


def answered(state: AhldarahdState, offer: str) -> str:
    state.apply(state.parse_action(offer))
    assert state.decision == ASK_REPLY
    return chosen_text(state)


def test_it_accepts_what_is_worth_more_than_what_it_gives_and_can_be_given() -> None:
    """A45: a card is worth 2 at least, so 3 gold are enough for one that takes nothing."""
    state = building()
    state.hands[1][Commodity.SALT] = 1
    for map_ in range(3):
        state.owners[map_] = [2] * 22
    assert answered(state.clone(), an_offer_to(1, "salt")) == '{"type":"accept"}'
    assert answered(state.clone(), an_offer_to(1, "salt").replace(":3", ":2")) == '{"type":"decline"}'
    state.hands[1] = [0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    assert answered(state.clone(), an_offer_to(1, "salt")) == '{"type":"decline"}'
