"""Worked example 11: whole matches from the seed of 32 zero bytes, played by two simple rules."""

import pytest

from engine.caravan.actions import PICK_UP, kind_of
from engine.game import TERMINAL
from tests.unit.engine.caravan.positions import a_match, view
from tests.unit.engine.pages import joined, rows

MATCHES = rows("caravan", "| rule | seats")


def choices(listed: list[int], rule: str) -> list[int]:
    """Return all actions for rule (a), and those with goods, if there are any, for rule (b)."""
    with_goods = [action for action in listed if kind_of(action) >= PICK_UP]
    return with_goods if rule == "(b)" and with_goods else listed


@pytest.mark.parametrize("row", MATCHES, ids=lambda row: f"{row[0]} {row[1]} seats")
def test_example_11_a_match_by_rule_ends_as_the_table_says(row: list[str]) -> None:
    match, ply = a_match(int(row[1])), 0
    while match.seat_to_act != TERMINAL:
        among = choices(list(match.legal_actions()), row[0])
        match.apply(among[(7 * ply + 3) % len(among)])
        ply += 1
    outcome, seen = match.outcome(), view(match)
    assert outcome is not None
    delivered = joined(tuple(sum(seat.delivered) for seat in seen.seats))
    lists = [joined(outcome.scores), delivered, joined(outcome.placings)]
    assert row[2:] == [outcome.ending, str(ply), str(seen.turn), *lists]


def test_example_11_has_both_rules_and_all_numbers_of_seats() -> None:
    assert [row[:2] for row in MATCHES] == [[f"({rule})", seats] for rule in "ab" for seats in "234"]
