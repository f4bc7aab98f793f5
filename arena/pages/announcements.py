"""The announcements in force, on every page of a server."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from markupsafe import Markup

from arena.pages.links import Links
from arena.pages.reads import PageError, Reads
from arena.pages.templates import render
from arena.v1 import announcement_pb2

FRESH_S: Final = 5.0
"""They are read at most once in so long, for all readers."""
WITHIN_S: Final = 2.0
"""A page waits no longer for them."""


class Announcements:
    """What the arena announces. A page is shown without news if the arena does not answer."""

    def __init__(self, reads: Reads) -> None:
        self._reads = reads
        self._announcements: Sequence[announcement_pb2.Announcement] = ()
        self._read_at = -FRESH_S
        """Seconds of the event loop's clock."""
        self._reading = asyncio.Lock()

    async def part(self) -> Markup:
        """Return the part of a page that shows them, newest first; empty if there are none."""
        async with self._reading:
            now = asyncio.get_running_loop().time()
            if now - self._read_at >= FRESH_S:
                await self._read()
                self._read_at = now
        return Markup(render("announcements", Links(""), announcements=list(reversed(self._announcements))))

    async def _read(self) -> None:
        request = announcement_pb2.ListAnnouncementsRequest()
        with suppress(PageError, TimeoutError):  # the page itself shows what is wrong
            async with asyncio.timeout(WITHIN_S):
                listing = await self._reads.rows(self._reads.announcements.ListAnnouncements, request)
            self._announcements = listing.announcements
