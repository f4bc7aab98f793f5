"""What an arena says before it opens its port, and the event loop that it runs on."""

import asyncio
import gc
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvloop
from structlog.testing import capture_logs

from arena.server import event_loop
from arena.server.serve import warn_of_plain_text
from arena.server.settings import Settings, TlsFiles


@pytest.mark.parametrize(
    ("host", "encrypted", "warns"),
    [
        ("127.0.0.1", False, False),
        ("::1", False, False),
        ("localhost", False, False),
        ("0.0.0.0", False, True),
        ("::", False, True),
        ("192.168.1.5", False, True),
        ("arena.example.org", False, True),
        ("0.0.0.0", True, False),
    ],
)
def test_a_public_port_without_encryption_is_warned_of(host: str, encrypted: bool, warns: bool) -> None:
    tls = TlsFiles(Path("cert.pem"), Path("key.pem")) if encrypted else None
    with capture_logs() as logs:
        warn_of_plain_text(Settings(data=Path("data"), host=host, tls=tls))
    assert [(each["log_level"], each["host"]) for each in logs] == ([("warning", host)] if warns else [])
    assert all("docs/operations.md" in each["event"] for each in logs)


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
def test_loaded_objects_are_exempt_from_garbage_collection() -> None:
    kept = [[] for _ in range(3)]  # type: ignore[var-annotated]
    event_loop.tune()
    assert not any(tracked is kept for tracked in gc.get_objects())


@pytest.mark.usefixtures("tuned")
def test_no_full_garbage_collection_begins_by_itself() -> None:
    event_loop.tune()
    young, passes, full = gc.get_threshold()
    assert full >= 1_000_000_000
    assert young * passes <= 20_000  # what is done on the way there must not take long either


@pytest.mark.usefixtures("tuned")
async def test_garbage_that_has_lived_for_long_is_collected_while_nothing_is_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Node:
        def __init__(self) -> None:
            self.itself = self

    async def collected(*, rests: bool, turns: int) -> bool:
        left = weakref.ref(Node())
        collecting = asyncio.create_task(event_loop.collect_at_rest(lambda: rests))
        for _ in range(turns):
            await asyncio.sleep(0)
            if left() is None:
                break  # each further turn would be a full pass over all that the tests have loaded
        collecting.cancel()
        return left() is None

    gc.disable()
    monkeypatch.setattr(event_loop, "_LOOK_S", 0)
    monkeypatch.setattr(event_loop, "_REST_BETWEEN_S", 0)
    assert not await collected(rests=False, turns=50)
    assert await collected(rests=True, turns=50)
    gc.enable()
