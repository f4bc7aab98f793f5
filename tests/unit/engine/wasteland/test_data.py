"""W3-W9: the engine's data files against the tables on the page of the rules, and the odds of the fights there."""

import re
from functools import cache
from math import comb

import pytest

from engine.wasteland import attack_cards, board, caravan_cards, event_cards, missions
from engine.wasteland.resources import NAMES, SLOT_NAMES
from tests.checkout import text
from tests.unit.engine.wasteland.tables import (
    ATTACKS,
    CARAVAN,
    CITIES,
    EVENTS,
    MISSIONS,
    NEW_DECKS,
    NEXT_TO,
    ODDS,
    OFFERS,
    RESOURCES,
    SPACE_TITLES,
    SPACES,
    TOWNS,
)


def counted(numbers: list[int], names: tuple[str, ...] = RESOURCES) -> dict[str, int]:
    """Those that are not 0."""
    return {name: number for name, number in zip(names, numbers, strict=True) if number}


def test_w3_the_resources() -> None:
    assert (RESOURCES, (*RESOURCES, "any")) == (NAMES, SLOT_NAMES)


def test_w4_spaces_links_and_offers() -> None:
    assert sorted(board.SPACE_IDS) == sorted(SPACES)
    assert dict(zip(board.SPACE_IDS, board.SPACE_NAMES, strict=True)) == SPACE_TITLES
    for space, name in enumerate(board.SPACE_IDS):
        assert sorted(board.SPACE_IDS[other] for other in board.LINKED[space]) == NEXT_TO[name]
        assert {NAMES[resource] for resource in board.OFFERS[space]} == {*OFFERS.get(name, ())}
        kind = board.CITY if name in CITIES else board.TOWN if name in TOWNS else board.WILD
        assert board.SPACE_KINDS[space] == kind


def test_w5_caravan_cards() -> None:
    assert list(CARAVAN) == caravan_cards.CARD_IDS
    for card, row in enumerate(CARAVAN.values()):
        assert caravan_cards.CARD_NAMES[card] == row.title
        assert (caravan_cards.COST[card], caravan_cards.HEALTH[card]) == (row.cost, row.health)
        assert (caravan_cards.ATTACK[card], caravan_cards.DEFENSE[card]) == (row.attack, row.defense)
        assert caravan_cards.MOVEMENT[card] == row.movement
        assert counted(caravan_cards.SLOTS[card], SLOT_NAMES) == row.storage


def test_w6_missions() -> None:
    assert list(MISSIONS) == missions.MISSION_IDS
    for mission, row in enumerate(MISSIONS.values()):
        assert board.SPACE_IDS[missions.MISSION_TOWN[mission]] == row.town
        assert (counted(missions.NEEDS[mission]), missions.REWARD[mission]) == (row.demand, row.reward)


def test_w7_attack_cards() -> None:
    assert list(ATTACKS) == attack_cards.ATTACKER_IDS
    does = ("", "discard", "bounty", "shuffle", "defense")
    for card, row in enumerate(ATTACKS.values()):
        assert attack_cards.ATTACKER_NAMES[card] == row.title
        assert attack_cards.ATTACKER_COPIES[card] == row.copies
        assert attack_cards.ATTACKER_ATTACK[card] == row.attack
        assert attack_cards.ATTACKER_DEFENSE[card] == row.defense
        assert attack_cards.ATTACKER_HEALTH[card] == row.health
        assert (attack_cards.CHECK[card], attack_cards.BOUNTY[card]) == (row.check or 0, row.bounty)
        price = counted(attack_cards.PAY_RESOURCES[card])
        price |= {"any": attack_cards.PAY_ANY[card], "cash": attack_cards.PAY_CASH[card]}
        assert {what: number for what, number in price.items() if number} == row.price
        assert does[attack_cards.PAY_DOES[card]] == row.paid


def test_w8_event_cards() -> None:
    assert list(EVENTS) == event_cards.EVENT_IDS
    for card, row in enumerate(EVENTS.values()):
        assert event_cards.EVENT_NAMES[card] == row.title
        assert event_cards.EVENT_COPIES[card] == row.copies
        assert ("O", "C", "all")[event_cards.WHO[card]] == row.who
        assert event_cards.TARGET_NAMES[event_cards.TARGET[card]] == row.target
        listed = zip(event_cards.WINDOW_NAMES, event_cards.PLAYED_IN, strict=True)
        played_in = [name for name, cards in listed if card in cards]
        assert tuple(played_in) == row.windows


def test_w9_decks_before_the_first_shuffle() -> None:
    assert [event_cards.EVENT_IDS[card] for card in event_cards.FIRST_EVENT_DECK] == NEW_DECKS["event"]
    assert [attack_cards.ATTACKER_IDS[card] for card in attack_cards.FIRST_DECK] == NEW_DECKS["attack"]


def test_every_event_card_has_a_test_or_a_row_of_its_name() -> None:
    """The others are parameters: `test_w7_...each_card`, `test_w58_every_mission`."""
    tests = text("tests/unit/engine/wasteland/test_event_cards.py")
    assert set(EVENTS) <= set(re.findall(r"^(?:def test_)?(\w+)", tests, re.MULTILINE))


CARAVANS = ((3, 3, 4), (3, 4, 7), (5, 5, 13))
"""Attack, Defense and Health: the bare Head, Head and Garrison, a strong caravan."""


@cache
def hits(dice: int, defense: int) -> tuple[float, ...]:
    """Return the chance of each number of dice above the Defense."""
    above = (6 - defense) / 6
    return tuple(
        comb(dice, number) * above**number * (1 - above) ** (dice - number) for number in range(dice + 1)
    )


def fought(card: str, caravan: tuple[int, int, int]) -> tuple[float, float]:
    """Win chance, and Hits that the caravan takes until one side or both have fallen."""
    row, (attack, defense, health) = ATTACKS[card], caravan
    won, taken, standing = 0.0, 0.0, {(row.health, health): 1.0}
    for _ in range(50):
        later: dict[tuple[int, int], float] = {}
        for (foe, own), chance in standing.items():
            for given, p in enumerate(hits(attack, row.defense)):
                for got, q in enumerate(hits(row.attack, defense)):
                    left = (max(0, foe - given), max(0, own - got))
                    likely = chance * p * q
                    taken += likely * (own - left[1])
                    if left[0] and left[1]:
                        later[left] = later.get(left, 0.0) + likely
                    elif left[1]:
                        won += likely
        standing = later
    return won, taken


@pytest.mark.parametrize("row", ODDS.strip().splitlines())
def test_w7_win_chances_and_hits(row: str) -> None:
    """Rounded as the table is."""
    card, *numbers = row.split()
    for place, caravan in enumerate(CARAVANS):
        won, taken = fought(card, caravan)
        assert abs(100 * won - float(numbers[2 * place])) <= 0.5001, (card, caravan)
        assert abs(taken - float(numbers[2 * place + 1])) <= 0.0501, (card, caravan)


def test_w7_the_table_is_complete() -> None:
    assert [row.split()[0] for row in ODDS.strip().splitlines()] == list(ATTACKS)
