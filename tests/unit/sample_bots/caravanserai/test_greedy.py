"""The policy of docs/bots/caravanserai.md. Clauses: docs/rules/caravanserai.md."""

import pytest

from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.actions import format_action
from engine.caravanserai.observation import Decision
from engine.caravanserai.state import CaravanseraiState
from engine.randomness import Stream
from sample_bots.python.caravanserai.greedy import Greedy
from tests.unit.cli.screens import check_screen
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


def answer(state: CaravanseraiState, bot: Greedy) -> str:
    """Return what the bot answers, in the notation of the rules."""
    return " ".join(map(format_action, ask(CARAVANSERAI, bot, state)))


def test_its_answers_are_those_of_the_golden_file() -> None:
    """From the opening on, and from positions that greedy itself would not come to."""
    answers = {}
    for seats, values in ((1, {}), (2, {}), (4, EXPERT), (6, {})):
        state = CARAVANSERAI.new_match(seats, CARAVANSERAI.options(seats, values), a_seed(seats))
        stream, bot, given = Stream(a_seed(seats)), Greedy(), []
        asked = set()
        while state.outcome() is None:
            if state.decision is not Decision.STEP or not state.laid:
                given.append(answer(state, bot))
                asked.add(state.decision)
            state.apply(CARAVANSERAI.sensible_action(state, stream))
        assert {Decision.OPEN_CELL, Decision.STEP, Decision.SEED_GOOD} <= asked
        answers[f"{seats} seats"] = "\n".join(given)
    for number in (3, 16, 44):
        answers[f"S26, S27, S30: an empty market, seed {number}"] = answer(an_empty_market(number), Greedy())
    check_screen("bots/greedy_caravanserai", answers)


def an_empty_market(number: int) -> CaravanseraiState:
    """Return a solo position with loose goods on every second inn: the camel earns what is returned to the market."""
    state = CARAVANSERAI.new_match(1, CARAVANSERAI.options(1, {}), a_seed(number))
    state.apply(state.legal_actions()[number % 20])
    state.market = [0] * 5
    state.loose = state.setup.inns & ~state.occupied & int("10" * 80, 2)
    return state
