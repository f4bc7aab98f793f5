"""Parts of pages that are kept."""

import asyncio

import pytest

from arena.pages.kept_parts import KeptParts
from arena.pages.reads import PageError

FRESH_S = 5
OLD_S = 60


class Clock:
    """A part that counts how often it is made, on an event loop whose clock is set by hand."""

    def __init__(self, loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        self.made = 0
        self.fails = False
        monkeypatch.setattr(loop, "time", lambda: self.now)
        self.parts: KeptParts[int] = KeptParts(fresh_s=FRESH_S, old_s=OLD_S)

    async def make(self) -> int:
        self.made += 1
        if self.fails:
            raise PageError(503, "away")
        return self.made

    async def get(self, version: int) -> int:
        """Return what a reader gets, and let what was begun for the next one end."""
        part = await self.parts.get("a", version, self.make)
        for _ in range(3):
            await asyncio.sleep(0)
        return part


@pytest.mark.parametrize(
    ("age_s", "version", "shown", "made"),
    [
        (4, 1, 1, 1),
        (4, 2, 1, 1),  # fresh, whatever has happened since
        (59, 1, 1, 1),
        (6, 2, 1, 2),  # the next reader gets the new one
        (61, 1, 1, 2),
        (61, 2, 2, 2),  # the reader waits
    ],
)
def test_a_part_is_kept_while_it_is_fresh_or_nothing_has_happened(
    age_s: int, version: int, shown: int, made: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def read() -> None:
        clock = Clock(asyncio.get_running_loop(), monkeypatch)
        assert await clock.get(1) == 1
        clock.now += age_s
        assert await clock.get(version) == shown
        assert clock.made == made
        assert await clock.get(version) == made

    asyncio.run(read())


def test_a_part_is_made_once_for_many_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    async def read() -> None:
        clock = Clock(asyncio.get_running_loop(), monkeypatch)
        assert await asyncio.gather(*(clock.get(1) for _ in range(5))) == [1] * 5

    asyncio.run(read())


def test_who_waits_gets_the_error_and_who_does_not_the_old_part(monkeypatch: pytest.MonkeyPatch) -> None:
    async def read() -> None:
        clock = Clock(asyncio.get_running_loop(), monkeypatch)
        await clock.get(1)
        clock.fails = True
        clock.now += FRESH_S
        assert await clock.get(2) == 1
        assert clock.made == 2
        clock.now += OLD_S
        with pytest.raises(PageError):
            await clock.get(2)
        clock.fails = False
        assert await clock.get(2) == 4

    asyncio.run(read())
