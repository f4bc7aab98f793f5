"""What an arena runs on."""

import asyncio
import gc
import sys
from collections.abc import Iterator

import pytest
import uvloop

from arena.server import event_loop


async def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


def test_an_arena_runs_on_uvloop_where_it_is_installed() -> None:
    assert isinstance(event_loop.run(_loop()), uvloop.Loop)


def test_an_arena_runs_on_asyncio_where_uvloop_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvloop", None)
    assert isinstance(event_loop.run(_loop()), asyncio.SelectorEventLoop)


@pytest.fixture
def tuned() -> Iterator[None]:
    """Let the garbage collector and the threads be as in an arena."""
    before, switch_s = gc.get_threshold(), sys.getswitchinterval()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)
    sys.setswitchinterval(switch_s)


@pytest.mark.usefixtures("tuned")
def test_what_is_loaded_is_never_looked_at_again_for_garbage() -> None:
    kept = [[] for _ in range(3)]  # type: ignore[var-annotated]
    event_loop.tune()
    assert not any(tracked is kept for tracked in gc.get_objects())


@pytest.mark.usefixtures("tuned")
def test_full_garbage_collections_are_rare() -> None:
    event_loop.tune()
    young, passes, full = gc.get_threshold()
    assert young * passes * full == 2_000_000
    assert young * passes <= 20_000  # what is done on the way there must not take long either
