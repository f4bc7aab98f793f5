"""The policy for simulations: it makes for plausible matches."""

import pytest

from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.state import CaravanseraiState
from engine.game import TERMINAL, IllegalActionError
from engine.randomness import Stream
from tests.unit.engine.caravanserai.positions import OUT_OF_THE_WAY, a_match, a_position, finish
from tests.unit.engine.playing import play


def choice(state: CaravanseraiState, seed: int) -> str:
    return state.format_action(CARAVANSERAI.sensible_action(state, Stream(bytes([seed] * 32))))


def lengths(seats: int, *, sensible: bool) -> list[int]:
    """Of the caravans of some matches."""
    found: list[int] = []
    for number in range(6):
        match, stream = a_match(seats, seed=bytes([number] * 32)), Stream(bytes([number + 1] * 32))
        while match.seat_to_act != TERMINAL:
            listed = match.legal_actions()
            action = (
                CARAVANSERAI.sensible_action(match, stream)
                if sensible
                else listed[stream.uniform(len(listed))]
            )
            match.apply(action)
        outcome = match.outcome()
        assert outcome is not None
        found += outcome.scores
    return found


@pytest.mark.parametrize("seats", [1, 3])
def test_its_caravans_are_much_longer_than_those_of_random_steps(seats: int) -> None:
    sensible, random = lengths(seats, sensible=True), lengths(seats, sensible=False)
    assert sum(sensible) > 1.6 * sum(random)


def test_it_lays_a_block_over_an_inn_of_its_colour() -> None:
    state = a_position("-1,0c", OUT_OF_THE_WAY, tiles={(0, 0): "A-P/0"}, goods="PPPRRR")
    choices = [choice(state, seed) for seed in range(20)]
    assert choices.count("START(0,P,2)") + choices.count("START(0,P,1)") > 5


def test_it_does_not_lay_its_camel_into_a_dead_end() -> None:
    walls = "1,0c 0,1W -1,1W 0,-1W 1,-1W"
    state = a_position("-1,0c", walls, goods="")
    assert "CAMEL(0)" not in {choice(state, seed) for seed in range(20)}


def test_a_finished_match_has_no_sensible_action() -> None:
    with pytest.raises(IllegalActionError, match="the match is over"):
        CARAVANSERAI.sensible_action(finish(a_match(1)), Stream(bytes(32)))


def test_it_continues_a_block() -> None:
    state = play(a_position("-5,0c", OUT_OF_THE_WAY), "START(0,P,2)")
    assert choice(state, 1) == "CONTINUE(0)"
