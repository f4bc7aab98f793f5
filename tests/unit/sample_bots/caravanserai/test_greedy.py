"""The policy of docs/bots/caravanserai.md. Clauses: docs/rules/caravanserai.md."""

import pytest

from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.observation import Decision
from engine.randomness import Stream
from sample_bots.python.caravanserai.greedy import Greedy
from tests.unit.sample_bots.caravanserai.greedy_by_the_page import answer_by_the_page
from tests.unit.sample_bots.driver import a_seed, ask, play_match

EXPERT = {"expert": "true"}


@pytest.mark.parametrize("values", [{}, EXPERT])
@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5, 6])
def test_greedy_plays_legally_to_the_end(seats: int, values: dict[str, str]) -> None:
    """S48: the driver raises if a step of a plan is not legal."""
    played = play_match(CARAVANSERAI, [Greedy] * seats, seats, values=values)
    assert max(played.outcome.scores) >= 14


def test_greedy_alone_becomes_a_camel_driver() -> None:
    """S43: from 25 on; random alone stays far below."""
    scores = [play_match(CARAVANSERAI, [Greedy], seed).outcome.scores[0] for seed in range(4)]
    assert sum(scores) / len(scores) > 25


@pytest.mark.parametrize(("seats", "values"), [(1, {}), (2, {}), (4, EXPERT), (6, {})])
def test_the_bot_and_its_page_answer_the_same(seats: int, values: dict[str, str]) -> None:
    """From the opening on, and from positions that greedy itself would not come to."""
    state = CARAVANSERAI.new_match(seats, CARAVANSERAI.options(seats, values), a_seed(seats))
    stream, bot = Stream(a_seed(seats)), Greedy()
    compared = set()
    for _ in range(10_000):
        if state.outcome() is not None:
            break
        first_of_turn = state.decision is not Decision.STEP or not state.laid
        if first_of_turn:
            assert ask(CARAVANSERAI, bot, state) == answer_by_the_page(state)
            compared.add(state.decision)
        state.apply(CARAVANSERAI.sensible_action(state, stream))
    assert {Decision.OPEN_CELL, Decision.STEP, Decision.SEED_GOOD} <= compared


@pytest.mark.parametrize("number", [3, 16, 44])
def test_with_an_empty_market_the_camel_earns_what_the_placement_returns_to_it(number: int) -> None:
    """S26, S27 and S30: loose goods on every second inn; nobody to steal from."""
    state = CARAVANSERAI.new_match(1, CARAVANSERAI.options(1, {}), a_seed(number))
    state.apply(state.legal_actions()[number % 20])
    state.market = [0] * 5
    state.loose = state.setup.inns & ~state.occupied & int("10" * 80, 2)
    assert ask(CARAVANSERAI, Greedy(), state) == answer_by_the_page(state)
