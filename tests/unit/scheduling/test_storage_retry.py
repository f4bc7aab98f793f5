"""What has to be stored is tried until it is, and one outage is told once, when it is over (row 48)."""

import asyncio

import pytest

from arena.core.errors import ErrorReason, UnavailableError
from arena.scheduling import result_recorder as module
from arena.scheduling.result_recorder import StorageRefusals
from arena.store.audit.entries import AuditKind
from tests.unit.runner.fakes import FakeTimers
from tests.unit.store.audit_recorder import AuditRecorder


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TRY_AGAIN_S", 0)


class Disk:
    """Refuses so often; each refusal takes a second."""

    def __init__(self, refusals: int, timers: FakeTimers) -> None:
        self._refusals = refusals
        self._timers = timers

    async def store(self) -> str:
        if self._refusals:
            self._refusals -= 1
            self._timers.move(1_000)
            raise UnavailableError(ErrorReason.STORAGE, "The disk is full.")
        return "stored"


async def test_an_outage_has_one_audit_entry_with_its_length_and_matches() -> None:
    timers, recorder = FakeTimers(), AuditRecorder()
    refusals = StorageRefusals(recorder, timers.now)
    steps = [(number, Disk(count, timers).store) for number, count in ((1, 1), (2, 3))]
    assert (await asyncio.gather(*(refusals.until_stored(*step) for step in steps))) == ["stored", "stored"]
    [told] = recorder.told
    assert (told.kind, told.about) == (AuditKind.STORAGE, ("matches/1", "matches/2"))
    assert told.facts == {"matches": "2"}
    assert told.length_ns == 3 * 10**9
    assert "after 3000 ms" in told.what


def test_what_is_stored_at_once_is_nothing_to_tell() -> None:
    timers, recorder = FakeTimers(), AuditRecorder()
    asyncio.run(StorageRefusals(recorder, timers.now).until_stored(1, Disk(0, timers).store))
    assert recorder.told == []


async def test_an_arena_that_gives_up_says_that_it_was_not_stored() -> None:
    timers, recorder = FakeTimers(), AuditRecorder()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await StorageRefusals(recorder, timers.now).until_stored(1, Disk(10**9, timers).store)
    [told] = recorder.told
    assert "had not taken it" in told.what
