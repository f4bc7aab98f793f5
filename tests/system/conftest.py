"""An arena process with a new data folder, for tests that need no other options."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.play.arena_process import ArenaProcess


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[ArenaProcess]:
    with ArenaProcess(tmp_path / "data") as process:
        yield process
