"""Each test that asks for a `case` runs for every match of every game."""

import pytest

from tests.unit.contract.cases import CASES, Case


@pytest.fixture(params=CASES, ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    value: Case = request.param
    return value
