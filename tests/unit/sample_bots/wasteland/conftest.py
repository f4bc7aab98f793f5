"""Positions that all tests of these bots share."""

import pytest

from engine.wasteland.state import WastelandState
from tests.unit.sample_bots.wasteland.positions import some_of_each_kind


@pytest.fixture(scope="package")
def positions() -> list[WastelandState]:
    """Return a few of each kind of decision."""
    return some_of_each_kind()
