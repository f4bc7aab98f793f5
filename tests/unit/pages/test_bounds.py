"""What readers who leave at once can make the pages keep: pages and replays that wait to be made are limited."""

import asyncio
from types import SimpleNamespace
from typing import cast

import pytest

from arena.pages import kept_pages, replays
from arena.pages.kept_pages import KeptPages
from arena.pages.reads import ArenaReads, PageError
from arena.pages.replays import Replays


async def test_a_page_is_refused_while_too_many_others_are_being_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kept_pages, "MOST_MAKING", 2)
    made, pages = asyncio.Event(), KeptPages()

    async def make() -> str:
        await made.wait()
        return "a page"

    gone = [asyncio.create_task(pages.get(f"matches?{number}", make)) for number in range(2)]
    await asyncio.sleep(0)
    for reader in gone:
        reader.cancel()
    await asyncio.sleep(0)
    with pytest.raises(PageError) as refused:
        async with asyncio.timeout(60):
            await pages.get("matches?2", make)
    assert refused.value.status == 503
    another = asyncio.create_task(pages.get("matches?1", make))  # it is being made
    await asyncio.sleep(0)
    made.set()
    assert await another == "a page"
    assert await pages.get("matches?2", make) == "a page"


class StoredLogs:
    """Gives logs, and counts those that are being read and turned into replays."""

    def __init__(self) -> None:
        self.matches = SimpleNamespace(DownloadMatchLog=None)
        self.given = 0

    async def bytes_of(self, _method: object, _request: object) -> bytes:
        self.given += 1
        return b""


async def test_replays_that_wait_hold_no_logs_and_further_ones_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replays, "MOST_MAKING", 5)
    logs, made = StoredLogs(), asyncio.Event()
    pages = Replays(cast(ArenaReads, logs))

    async def compressed(*_: object) -> bytes:
        await made.wait()
        return b"a replay"

    monkeypatch.setattr(Replays, "_pool", lambda _self: None)
    monkeypatch.setattr(asyncio.get_running_loop(), "run_in_executor", compressed)
    gone = [asyncio.create_task(pages.page(f"matches/{number}")) for number in range(5)]
    for _ in range(5):
        await asyncio.sleep(0)
    for reader in gone:
        reader.cancel()
    await asyncio.sleep(0)
    assert logs.given == 2
    with pytest.raises(PageError) as refused:
        async with asyncio.timeout(60):
            await pages.page("matches/5")
    assert refused.value.status == 503
    another = asyncio.create_task(pages.page("matches/4"))
    made.set()
    assert await another == b"a replay"
    assert logs.given == 5
