"""The policy that greedy plays by. Clauses: docs/rules/wasteland.md."""

import pytest

from engine.game import TERMINAL, own
from engine.wasteland import WASTELAND
from engine.wasteland.actions import (
    BUY,
    PASS_ACTION,
    START_CITY,
    STOP_ACTION,
    card_of,
    deliver,
    hit,
    kind_of,
    play,
    space_of,
)
from engine.wasteland.attack_cards import ATTACKER_IDS
from engine.wasteland.board import SPACE_IDS, SPACE_KINDS, WILD
from engine.wasteland.caravan_cards import CARD_IDS, GUN_TRUCK, HEAD, MOBILE_GARRISON
from engine.wasteland.event_cards import AMBUSH, ATTACK_EVENT, ENCOUNTER, PICKPOCKETS
from engine.wasteland.missions import MISSION_IDS
from engine.wasteland.position import (
    ASK_EVENT,
    ASK_HIT,
    ASK_LOCATION,
    ASK_MOVE,
    ASK_NOTHING,
    DECISION_NAMES,
)
from engine.wasteland.quick.aims import MOST_WILDS
from engine.wasteland.quick.policy import play_on, quick_action, turn_number
from engine.wasteland.resources import FUEL, MUNITIONS
from engine.wasteland.state import WastelandState
from sample_bots.python.wasteland.greedy import WILDS, Greedy
from tests.unit.sample_bots.driver import ask, play_match, with_another_deal
from tests.unit.sample_bots.wasteland.positions import a_match, some_of_each_kind

ARMED = (MOBILE_GARRISON, GUN_TRUCK, CARD_IDS.index("armored_bus"))
"""With them a caravan is what the page calls strong (W7)."""


def space(name: str) -> int:
    return SPACE_IDS.index(name)


def at(place: str, decision: int, **resources: int) -> WastelandState:
    """Seat 0 of two is asked that in the middle of its turn; it has the bare Head and 5 Cash."""
    state = a_match()
    state.round, state.first, state.current, state.seat_to_act = 2, 0, 0, 0
    state.spaces, state.decision = [space(place), space("S")], decision
    state.missions = tuple(MISSION_IDS.index(name) for name in ("i2A", "b1C", "c1B", "d1C"))
    for name, units in resources.items():
        state.stores[0][{"fuel": FUEL, "munitions": MUNITIONS}[name]] = units
    return state


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_greedy_plays_to_the_goal(seats: int) -> None:
    """W65: nothing it chooses is illegal, and matches end by Cash long before the limit of rounds."""
    played = play_match(WASTELAND, [Greedy] * seats, seats)
    assert played.outcome.ending == "GOAL"
    assert max(played.outcome.scores) >= {2: 35, 3: 30, 4: 25}[seats]


def test_every_kind_of_decision_is_answered_from_what_the_seat_may_see() -> None:
    """W70: other hands, decks and dice to come change nothing."""
    positions = some_of_each_kind()
    for number, state in enumerate(positions):
        answer = ask(WASTELAND, Greedy(), state)
        for each in range(12):
            other = own(with_another_deal(WASTELAND, state, 12 * number + each), WastelandState)
            assert (quick_action(other, WILDS),) == answer
        assert (quick_action(state, WILDS),) == answer
    assert {state.decision for state in positions} == set(range(len(DECISION_NAMES))) - {ASK_NOTHING}


def test_it_delivers_what_it_can() -> None:
    """W58."""
    state = at("i2", ASK_LOCATION, fuel=1, munitions=1)
    assert quick_action(state) == deliver(MISSION_IDS.index("i2A"))


def test_its_movement_ends_where_a_mission_pays_at_once() -> None:
    """W32, W58: from Eastport at Saltworks, with what it wants on board; in a Sandstorm no Wild pays more."""
    state = at("E", ASK_MOVE, fuel=1, munitions=1)
    state.cash[0], state.sandstorm = 0, True
    while state.decision == ASK_MOVE and (action := quick_action(state)) != STOP_ACTION:
        state.apply(action)
    assert state.spaces[0] == space("i2")


def test_a_bare_head_enters_no_wild_and_an_armed_caravan_does() -> None:
    """W34: two Attack cards each, which pay what is dear to the weak and cheap to the strong."""
    for armed in (False, True):
        state = at("i1", ASK_MOVE)
        state.missions = tuple(MISSION_IDS.index(name) for name in ("c1A", "b2B", "c2A", "i3A"))
        for card in ARMED if armed else ():
            state.hits[0][card] = 0
        state.hits[0][HEAD] = 0 if armed else 3
        entered = False
        while state.decision == ASK_MOVE and (action := quick_action(state)) != STOP_ACTION:
            entered |= SPACE_KINDS[space_of(action)] == WILD
            state.apply(action)
        assert entered == armed


def test_greedy_enters_one_wild_in_a_movement_and_the_policy_as_many_as_pay() -> None:
    """W34: from Pumphouse back and forth, with a caravan that Attack cards feed."""
    entered = {}
    for most in (WILDS, MOST_WILDS):
        state = at("i1", ASK_MOVE)
        state.cash[0] = 0
        for card in ARMED:
            state.hits[0][card] = 0
        while state.decision == ASK_MOVE and (action := quick_action(state, most)) != STOP_ACTION:
            state.apply(action)
        entered[most] = len(state.wilds)
    assert entered == {WILDS: 1, MOST_WILDS: 2}


def test_it_buys_early_and_not_when_the_match_is_all_but_over() -> None:
    """W68: half of a price is lost."""
    state = at("N", ASK_LOCATION)
    assert kind_of(quick_action(state)) == BUY
    state.goal_reached = True
    assert kind_of(quick_action(state)) != BUY


def test_hits_go_where_they_destroy_nothing_and_on_the_head_last() -> None:
    """W47, W48."""
    state = at("N", ASK_HIT)
    state.fight, state.fight_round, state.to_assign = ATTACKER_IDS.index("rust_tank"), 1, 2
    state.hits[0][MOBILE_GARRISON], state.hits[0][HEAD] = 1, 3
    assert quick_action(state) == hit(MOBILE_GARRISON)
    state.hits[0][MOBILE_GARRISON] = 2
    assert quick_action(state) == hit(MOBILE_GARRISON)


def encounter(*, hurt: bool) -> WastelandState:
    """Seat 1 may play Attack! or Ambush! against seat 0, whose caravan is weak and hurt, or strong."""
    state = at("N", ASK_EVENT)
    state.window, state.seat_to_act, state.asked = ENCOUNTER, 1, 1
    for card in (ATTACK_EVENT, AMBUSH):
        state.hands[1][card] = 1
    for card in () if hurt else ARMED:
        state.hits[0][card] = 0
    state.hits[0][HEAD] = 2 if hurt else 0
    return state


def test_it_attacks_whom_fights_hurt_and_nobody_whom_they_feed() -> None:
    """W28, W37."""
    assert quick_action(encounter(hurt=True)) == play(AMBUSH)
    strong = encounter(hurt=False)
    assert quick_action(strong) == PASS_ACTION
    strong.hands[1][PICKPOCKETS], strong.legal = 1, None
    assert card_of(quick_action(strong)) == PICKPOCKETS


def test_playing_on_ends_where_the_turn_begins_that_was_named() -> None:
    """W24."""
    state = a_match(3, seed=5)
    while kind_of(state.legal_actions()[0]) == START_CITY:
        state.apply(quick_action(state))
    for turn in (2, 3, 7):
        play_on(state, turn)
        assert turn_number(state) == turn
    play_on(state, 10_000)
    assert state.seat_to_act == TERMINAL
