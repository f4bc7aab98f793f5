"""Fixtures for tests that start programs in a sandbox."""

import inspect
from pathlib import Path

import pytest

from tests.system.sandbox.sandbox_fixture import SandboxFixture, need_sandbox, run


@pytest.fixture
def fixture(tmp_path: Path) -> SandboxFixture:
    """Return what runs programs in a sandbox, on a machine that can."""
    need_sandbox()
    tmp_path.chmod(0o755)
    return SandboxFixture(tmp_path)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine function within the time limit of these tests."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True
