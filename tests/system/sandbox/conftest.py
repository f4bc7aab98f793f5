"""Fixtures for tests that start programs in a sandbox."""

from pathlib import Path

import pytest

from tests.system.sandbox.sandbox_fixture import SandboxFixture, need_sandbox


@pytest.fixture
def fixture(tmp_path: Path) -> SandboxFixture:
    """Return what runs programs in a sandbox, on a machine that can."""
    need_sandbox()
    tmp_path.chmod(0o755)
    return SandboxFixture(tmp_path)
