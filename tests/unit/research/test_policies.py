"""Named policies see what their seat sees."""

import pytest

from arena.research.policies import POLICY_NAMES, choose
from engine.randomness import Stream
from tests.unit.contract.cases import CASES, Case
from tests.unit.research.settings import setting_of, some_states


@pytest.mark.parametrize("policy", POLICY_NAMES)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_named_policy_plays_legal_actions_that_depend_on_what_its_seat_sees_alone(
    case: Case, policy: str
) -> None:
    """A51, W70: in a position that looks the same to the seat it plays the same."""
    setting = setting_of(case)
    for number, state in enumerate(some_states(case)[::3]):
        seed = number.to_bytes(32, "big")
        action = choose(setting, state, policy, Stream(seed))
        assert action in state.legal_actions()
        other = case.rules.from_observation(state.observe(state.seat_to_act), Stream(bytes(range(32))))
        assert choose(setting, other, policy, Stream(seed)) == action
