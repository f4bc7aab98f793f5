"""A cluster for each test that asks for one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.cluster.machines import Machines


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    """Run the head of a cluster."""
    with Machines(tmp_path) as found:
        found.start_head()
        yield found
