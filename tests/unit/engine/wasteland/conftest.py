"""Every clause is tested on each implementation."""

from functools import partial

import pytest

from tests.unit.engine.wasteland.mapping import IMPLEMENTATIONS, Implementation
from tests.unit.engine.wasteland.positions import Positions, a_position


@pytest.fixture(params=sorted(IMPLEMENTATIONS))
def rules(request: pytest.FixtureRequest) -> Implementation:
    return IMPLEMENTATIONS[request.param]


@pytest.fixture
def at(rules: Implementation) -> Positions:
    return partial(a_position, rules)
