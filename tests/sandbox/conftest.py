"""Fixtures for tests that start programs in a sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sandbox.grounds import Ground, need_sandbox


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    """A place to run programs, on a machine that can."""
    need_sandbox()
    tmp_path.chmod(0o755)
    return Ground(tmp_path)
