"""The clauses of the rules are what the code and the tests cite, and each has a test."""

from __future__ import annotations

import re

from tests.checkout import python_files, text
from tests.engine.wasteland.tables import ATTACKS, CARAVAN, EVENTS

CLAUSES = {f"W{number}" for number in range(1, 77)}


def texts(*folders: str) -> str:
    return "\n".join(text(path) for path in python_files(*folders))


def names() -> str:
    """Of all tests of this folder."""
    return "\n".join(re.findall(r"def (test_\w+)", texts("tests/engine/wasteland")))


def test_every_clause_that_is_cited_is_one_of_the_rules() -> None:
    assert set(re.findall(r"\bW\d+\b", texts("engine/wasteland", "tests/engine/wasteland"))) <= CLAUSES


def test_every_clause_has_a_test_of_its_name() -> None:
    assert {f"W{number}" for number in re.findall(r"(?<=_w)\d+(?=_)", names())} == CLAUSES


def test_every_card_of_a_deck_has_a_test_of_its_name() -> None:
    """Missions and prices are tested by name as parameters: `test_w58_every_mission`, `test_w57_for_their_cost`."""
    tests = set(names().split())
    assert {f"test_{card}" for card in (*EVENTS, *ATTACKS, *CARAVAN)} <= tests


def test_every_worked_example_has_a_test() -> None:
    assert {int(number) for number in re.findall(r"test_example_(\d+)_", names())} == set(range(1, 13))
