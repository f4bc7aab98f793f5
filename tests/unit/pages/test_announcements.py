"""Announcements on pages: read once for many readers, and no reason for a page to fail."""

import asyncio
from typing import Any

import pytest

from arena.pages.announcements import FRESH_S, Announcements
from arena.pages.reads import PageError
from arena.v1 import announcement_pb2 as pb


class FakeReads:
    """An arena that announces `texts`, or does not answer."""

    def __init__(self, *texts: str) -> None:
        self.texts = texts
        self.asked = 0
        self.answers = True
        self.announcements: Any = self
        self.ListAnnouncements = "the method"

    async def rows(self, _method: object, _request: object) -> pb.ListAnnouncementsResponse:
        self.asked += 1
        await asyncio.sleep(0)
        if not self.answers:
            raise PageError(503, "away")
        return pb.ListAnnouncementsResponse(announcements=[pb.Announcement(text=text) for text in self.texts])


def test_many_readers_cost_one_call_and_a_change_is_seen_when_what_was_read_is_old(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 1000.0

    async def read() -> None:
        nonlocal now
        monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now)
        reads: Any = FakeReads("one", "two")
        shown = Announcements(reads)
        parts = await asyncio.gather(*(shown.part() for _ in range(5)))
        assert reads.asked == 1
        assert len(set(parts)) == 1
        assert parts[0].index("two") < parts[0].index("one"), "the newest comes first"
        reads.texts = ()
        assert await shown.part() == parts[0]
        now += FRESH_S
        assert (await shown.part()).strip() == ""

    asyncio.run(read())


def test_while_the_arena_does_not_answer_pages_have_what_was_read_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 1000.0

    async def read() -> None:
        nonlocal now
        monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now)
        reads: Any = FakeReads("one")
        shown = Announcements(reads)
        assert "one" in await shown.part()
        reads.answers = False
        now += FRESH_S
        assert "one" in await shown.part()
        assert "one" in await shown.part()
        assert reads.asked == 2, "it is not asked again at once"

    asyncio.run(read())
