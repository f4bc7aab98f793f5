"""What holds for all tests: the same examples each time, and no deadline that a busy machine breaks.

A test that asks for a `game` runs for every game. A test may be a coroutine function.
"""

from __future__ import annotations

import asyncio
import gc
import inspect
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from engine.game import Game
from engine.registry import GAMES
from tests.covering import counts
from tests.suites import suites_left_out
from tests.workers import make_scheduler, order_of, unit_of

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import Scheduling

settings.register_profile("dev", deadline=None, derandomize=True, database=None, max_examples=20)
settings.register_profile("ci", deadline=None, derandomize=True, database=None, max_examples=30)
settings.register_profile(
    "soak",
    deadline=None,
    derandomize=False,
    max_examples=1000,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

# The programs that tests start would inherit that a signal is ignored, and never hear it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as where tests run in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)
if (
    signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
):  # as under nohup, which the tests themselves are to outlive
    signal.signal(signal.SIGHUP, lambda *_: None)
os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # its own lines say nothing about a test
os.environ["ARENA_CONFIG"] = str(Path(tempfile.gettempdir()) / "arena-tests-have-no-accounts")
os.environ.pop("COLUMNS", None)  # tables are as wide as for a pipe


@pytest.fixture(params=GAMES.values(), ids=lambda game: game.spec.id)
def game(request: pytest.FixtureRequest) -> Game:
    """Each game of the registry."""
    value: Game = request.param
    return value


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database with its tables and nothing in them, to copy."""
    from tests.unit.store.store_fixture import open_store

    folder = tmp_path_factory.mktemp("tables")
    open_store(folder).close()
    return folder / "arena.db"


@pytest.fixture(scope="module", autouse=True)
def _left_open() -> Iterator[None]:
    """Collect garbage after each module, so that what its tests leave open is reported with it."""
    yield
    gc.collect()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Freeze what exists before the first test: collecting it again after each module would be slow."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine function: on the event loop of its fixture `runner`, or on one of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    test = pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})
    runner = pyfuncitem.funcargs.get("runner")
    if isinstance(runner, asyncio.Runner):
        runner.run(test)
    else:
        asyncio.run(test)
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """In a worker process pytest-cov measures twice, and what does not count ends only the second measurement.

    The first one is begun as in a process without workers; while it goes on below the other one, every test is slow.
    """
    if hasattr(session.config, "workerinput"):
        measuring = getattr(session.config.pluginmanager.getplugin("_cov"), "cov_controller", None)
        if measuring is not None:
            measuring.pause()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling | None:
    """Distribute tests as tests/workers.py says, unless another way is asked for."""
    return make_scheduler(config, log) if config.getoption("dist") == "load" else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the suites that a run of the default selection left out."""
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        terminalreporter.write_line(f"Left to `make check`: {', '.join(suites_left_out(config.args))}.")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Among several workers what takes longest begins first; and where coverage is asked for, some tests count."""
    if hasattr(config, "workerinput"):
        order = order_of(item.nodeid for item in items)
        items.sort(key=lambda item: order[unit_of(item.nodeid)])
    if config.pluginmanager.hasplugin("_cov"):
        for item in items:
            if not counts(item.nodeid):
                item.add_marker("no_cover")
