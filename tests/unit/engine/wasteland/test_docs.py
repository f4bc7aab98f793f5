"""The tables on the page of the rules are those of the tests."""

from __future__ import annotations

import re

from tests.checkout import text
from tests.unit.engine.wasteland.tables import ATTACKS, CARAVAN, EVENTS, MISSIONS, RESOURCES, TOWNS

PAGE = text("docs/rules/wasteland.md")


def rows(first: str) -> list[str]:
    """Return the other cells of the rows of the page that begin so, without daggers."""
    starts = (f"| {first} ", f"| `{first}` ")
    found = [line for line in PAGE.splitlines() if line.startswith(starts)]
    return [cell.replace("†", "").strip() for line in found for cell in line.strip("| ").split("|")[1:]]


def test_w5_the_page_has_the_numbers_of_the_caravan_cards() -> None:
    for card, row in CARAVAN.items():
        numbers = [row.cost, row.health, row.attack, row.defense, row.movement]
        assert rows(card)[:6] == [row.title, *map(str, numbers)]


def test_w6_the_page_has_the_missions() -> None:
    for town in TOWNS:
        cells = rows(town)[-6:]
        for letter, wanted, pays in zip("ABC", cells[::2], cells[1::2], strict=True):
            row = MISSIONS[town + letter]
            units = [cell.rpartition(" ")[::2] for cell in wanted.split(", ")]
            demand = {resource: int(number or 1) for number, resource in units if resource in RESOURCES}
            assert (demand or dict.fromkeys(RESOURCES, 1)) == row.demand, town + letter
            assert int(pays) == row.reward


def test_w7_the_page_has_the_numbers_of_the_attack_cards() -> None:
    for card, row in ATTACKS.items():
        check = "" if row.check is None else str(row.check)
        numbers = [
            str(row.copies),
            str(row.attack),
            str(row.defense),
            str(row.health),
            check,
            str(row.bounty),
        ]
        assert rows(card)[:7] == [row.title, *numbers]


def test_w8_the_page_has_the_event_cards() -> None:
    for card, row in EVENTS.items():
        line = next(line for line in PAGE.splitlines() if line.startswith(f"| `{card}` ({row.title})"))
        copies, who, window = (cell.strip() for cell in line.split("|")[2:5])
        assert (int(copies), who) == (row.copies, {"O": "opponent", "C": "current", "all": "all"}[row.who])
        windows = {0: "none, W29", 4: "any"}.get(len(row.windows), f"`{''.join(row.windows)}`")
        assert window == windows
        assert (f"`{row.target}`" in line) == bool(row.target)


def test_every_event_card_has_a_test_of_its_name() -> None:
    """The others are parameters: `test_w5_every_card`, `test_w7_...each_card`, `test_w58_every_mission`."""
    tests = text("tests/unit/engine/wasteland/test_event_cards.py")
    assert {f"test_{card}" for card in EVENTS} <= set(re.findall(r"def (test_\w+)", tests))
