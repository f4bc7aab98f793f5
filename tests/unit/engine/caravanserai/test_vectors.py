"""S54 and S55: set-ups and whole matches from the seed of 32 zero bytes."""

import pytest

from engine.caravanserai.events import BoardLaid
from engine.game import TERMINAL
from tests.unit.engine.caravanserai.positions import a_match, view
from tests.unit.engine.pages import joined, rows

SET_UPS = rows("caravanserai", "| seats | first")
MATCHES = rows("caravanserai", "| seats | expert | ending")


def test_s54_s55_the_tables_have_all_numbers_of_seats() -> None:
    assert [row[0] for row in SET_UPS] == ["2", "3", "4", "5"]
    assert [row[:2] for row in MATCHES] == [
        [seats, expert] for expert in ("false", "true") for seats in "123456"
    ]


@pytest.mark.parametrize("row", SET_UPS, ids=lambda row: f"{row[0]} seats")
def test_s54_the_set_up_of_the_zero_seed_is_that_of_the_vectors(row: list[str]) -> None:
    match = a_match(int(row[0]))
    seen = view(match)
    (event,) = match.take_events()
    assert isinstance(event, BoardLaid)
    assert sorted(event.loose) == list(seen.loose)
    assert seen.first == event.first
    colours = ["WKPRY"[match.setup.inn_colour[match.setup.tables.numbers[cell]]] for cell in event.loose]
    loose = " ".join(f"{colour}{cell}" for colour, cell in zip(colours, event.loose, strict=True))
    market = " ".join(f"{letter}{count}" for letter, count in zip("WKPRY", seen.market, strict=True))
    assert row[1:] == [str(seen.first), " ".join(map(str, seen.tiles)), loose, market]


def test_s54_one_seat_has_the_set_up_of_two_and_six_the_board_of_five() -> None:
    assert view(a_match(1)).tiles == view(a_match(2)).tiles
    assert view(a_match(6)).tiles == view(a_match(5)).tiles
    assert (view(a_match(1)).first, view(a_match(6)).first) == (0, 0)


def test_s54_the_expert_set_up_differs_in_the_market_alone() -> None:
    basic, expert = view(a_match(4)), view(a_match(4, options={"expert": "true"}))
    assert (basic.tiles, basic.loose) == (expert.tiles, expert.loose)
    assert [count + 1 for count in basic.market] == list(expert.market)


@pytest.mark.parametrize("row", MATCHES, ids=lambda row: f"{row[0]} seats, expert {row[1]}")
def test_s55_a_match_by_rule_ends_as_the_table_says(row: list[str]) -> None:
    match, ply = a_match(int(row[0]), options={"expert": row[1]}), 0
    while match.seat_to_act != TERMINAL:
        listed = match.legal_actions()
        match.apply(listed[(7 * ply + 3) % len(listed)])
        ply += 1
    outcome = match.outcome()
    assert outcome is not None
    lists = [joined(outcome.scores), joined(outcome.placings)]
    assert row[2:] == [outcome.ending, str(view(match).round), str(ply), *lists]
