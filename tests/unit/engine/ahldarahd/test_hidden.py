"""A51: what is known of hidden cards, and that positions drawn from an observation are as likely as they should be.

That what is hidden changes nothing that a viewer is sent is tested in tests/system/contract/test_hidden_information.py.
"""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations
from math import sqrt
from random import Random
from typing import Any

import pytest

from engine.ahldarahd import AHLDARAHD
from engine.ahldarahd.state import AhldarahdState
from engine.game import SPECTATOR
from engine.randomness import Stream
from tests.unit.engine.ahldarahd import do
from tests.unit.engine.ahldarahd.choosing import OPTION_NAMES, a_match, choose, played_on
from tests.unit.engine.ahldarahd.naive import NaiveMatch
from tests.unit.engine.ahldarahd.positions import TRADING, a_position, play
from tests.unit.engine.ahldarahd.state_form import NAMES, full_form

TWO_WITH_ALL = dict.fromkeys(OPTION_NAMES, True)
DRAWS_A_WORLD = 12


def drawn_from(state: AhldarahdState, viewer: int, number: int = 0) -> AhldarahdState:
    """Return a position that fits what the viewer sees."""
    return AHLDARAHD.from_observation(state.observe(viewer), Stream(number.to_bytes(32, "big")))


def start_cards(state: AhldarahdState, seat: int) -> set[int]:
    """Those that are not in the block of the seat's colour (A6)."""
    return set(range(10)) - {card % 10 for card in state.deck if card // 10 == seat}


def test_a51_a_seat_sees_its_hand_and_how_many_cards_the_others_have() -> None:
    state = a_match(3)
    for viewer in (SPECTATOR, 0, 1, 2):
        seen = state.observe(viewer)
        assert [seat.hand is not None for seat in seen.seats] == [seat == viewer for seat in range(3)]
        assert [seat.cards for seat in seen.seats] == [3, 3, 3]
        assert seen.deck == 21


def shown(state: AhldarahdState, seat: int) -> list[str]:
    """Return the start cards that a spectator knows of."""
    return [NAMES[commodity] for commodity in state.observe(SPECTATOR).seats[seat].shown]


def test_a51_a_start_card_that_is_spent_is_known() -> None:
    state = a_position(hands=["dates incense pearls", "metals pearls textiles"], gold=9)
    play(state, do.claim(0, 2, "pearls"))
    assert (shown(state, 0), shown(state, 1)) == (["pearls"], [])
    assert all(0 in start_cards(drawn_from(state, 1, number), 0) for number in range(10))


@pytest.mark.parametrize(
    ("action", "cards"), [(do.claim(0, 1, "pearls"), []), (do.destroy(0, 2, "pearls", "pearls"), ["pearls"])]
)
def test_a51_two_of_a_kind_that_are_spent_show_a_start_card_if_one_was_won(
    action: dict[str, Any], cards: list[str]
) -> None:
    state = a_position(hands=["dates incense pearls pearls", ""], gold=9, routes={0: {1: [2]}})
    play(state, action)
    assert shown(state, 0) == cards


def test_a51_a_start_card_that_is_offered_is_known_even_if_the_offer_is_declined() -> None:
    """A44: the proposer has all that `give` names."""
    state = a_position(options=TRADING, hands=["dates incense pearls", "metals pearls textiles"])
    play(state, do.offer(1, do.side("dates"), do.side("metals")))
    assert all(8 in start_cards(drawn_from(state, 1, number), 0) for number in range(10))
    assert (shown(state, 0), shown(state, 1)) == (["dates"], [])
    play(state, do.DECLINE, do.offer(1, do.NOTHING, do.side("metals")), do.DECLINE, do.DONE)
    assert (shown(state, 0), shown(state, 1)) == (["dates"], [])


def test_a51_what_the_deck_has_shown_of_a_colour_is_not_among_its_start_cards() -> None:
    state = played_on(a_match(2, None, bytes(32)), Random(3), 60)
    seen = state.observe(1)
    assert seen.revealed[0]
    for number in range(30):
        assert not start_cards(drawn_from(state, 1, number), 0) & set(seen.revealed[0])


World = tuple[tuple[str, ...], tuple[str, ...]]
"""The start cards of the other seat, and the deck that is left."""


def worlds(seed: bytes, history: list[str], state: AhldarahdState, viewer: int) -> Iterator[World]:
    """All deals with which `naive` shows the viewer just what it has seen; the other seat's block is the lower one."""
    real = NaiveMatch(2, TWO_WITH_ALL, seed)
    other = 1 - viewer
    views = [json.dumps(real.view(viewer))]
    for text in history:
        real.apply(json.loads(text))
        views.append(json.dumps(real.view(viewer)))
    left = real.state["deck"]
    gone = NaiveMatch(2, TWO_WITH_ALL, seed).state["deck"][: -len(left)]
    assert all(card.endswith(f"-{other}") for card in left)
    for start in combinations(sorted(NAMES), 3):
        rest = [f"{name}-{other}" for name in NAMES if name not in start and f"{name}-{other}" not in gone]
        if len(rest) == len(left) and _fits(seed, history, views, other, start, [*gone, *rest]):
            yield from ((start, order) for order in permutations(rest))


def _fits(
    seed: bytes, history: list[str], views: list[str], other: int, start: tuple[str, ...], deck: list[str]
) -> bool:
    """Return whether the same actions could be played, and the viewer saw the same."""
    tried = NaiveMatch(2, TWO_WITH_ALL, seed)
    tried.state["hands"][other], tried.state["deck"] = list(start), deck
    for text, view in zip(history, views, strict=False):
        action = json.loads(text)
        if json.dumps(tried.view(1 - other)) != view or not tried.is_legal(action):
            return False
        tried.apply(action)
    return json.dumps(tried.view(1 - other)) == views[-1]


def a_history(seed: bytes, left: int) -> tuple[list[str], AhldarahdState]:
    """Return a match of two until so many cards are left in the deck."""
    dice, state, history = Random(seed), a_match(2, TWO_WITH_ALL, seed), []
    while state.deck_size > left:
        action = choose(state, dice)
        history.append(state.format_action(action))
        state.apply(action)
    return history, state


@pytest.mark.parametrize("number", [2, 5, 9])
def test_a51_every_position_that_fits_is_as_likely_as_any_other(number: int) -> None:
    """Chi-square against all deals that the slow rules allow; the streams are fixed."""
    seed = bytes([number]) * 32
    history, state = a_history(seed, left=3)
    viewer = state.deck[0] // 10
    possible = list(worlds(seed, history, state, viewer))
    found: Counter[World] = Counter()
    for draw in range(DRAWS_A_WORLD * len(possible)):
        drawn = drawn_from(state, viewer, draw)
        start = tuple(sorted(NAMES[card] for card in start_cards(drawn, 1 - viewer)))
        found[start, tuple(full_form(drawn)["deck"])] += 1
    assert set(found) <= set(possible)
    check_even(found, len(possible))


def test_a51_at_the_start_all_hands_and_all_cards_of_a_block_are_as_likely() -> None:
    """For a spectator; a hand is one of 120, and each card of a block one of ten."""
    state = a_match()
    hands: list[Counter[tuple[int, ...]]] = [Counter(), Counter()]
    places: list[Counter[int]] = [Counter() for _ in state.deck]
    for draw in range(DRAWS_A_WORLD * 120):
        drawn = drawn_from(state, SPECTATOR, draw)
        for seat, found in enumerate(hands):
            found[tuple(drawn.hands[seat])] += 1
        for place, card in enumerate(drawn.deck):
            places[place][card] += 1
    for found in hands:
        check_even(found, 120)
    for cards in places:
        check_even(cards, 10)


def check_even(found: Counter[Any], kinds: int) -> None:
    """Chi-square of so many kinds that should be equally frequent, within four standard deviations of its mean."""
    expected = found.total() / kinds
    square = sum((count - expected) ** 2 / expected for count in found.values())
    square += (kinds - len(found)) * expected
    freedom = kinds - 1
    assert len(found) <= kinds
    assert abs(square - freedom) < 4 * sqrt(2 * freedom)
