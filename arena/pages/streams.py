"""Streams of what changes on a page: its part that changes, each time that it has changed."""

from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from arena.pages.answers import STREAM_HEADERS, Ending, EventStream, event
from arena.pages.freezes import is_of_freeze
from arena.pages.kept_pages import KeptPages, Make
from arena.pages.links import ID, NUMBER, Links
from arena.pages.live import LiveMatches
from arena.pages.reads import PageError
from arena.pages.site import Site
from arena.pages.templates import render

LOOK_S: Final = 1.0
"""How often a stream looks for changes."""
MATCH_LOOK_S: Final = 0.4
"""The same for a match in play."""
ALIVE_S: Final = 15.0
"""A stream without changes sends a comment after so long, so that a proxy does not close it."""
STREAMS: Final = 500
"""Streams at the same time."""


class Streams:
    """The handler of all streams. What they send is everybody's."""

    def __init__(self, ending: Ending, kept: KeptPages) -> None:
        """Send nothing yet. `ending`: ends them. `kept`: the pages that all readers share."""
        self._ending, self._kept = ending, kept
        self._streams = 0

    def open(self, site: Site, live: LiveMatches) -> None:
        """Begin to answer."""
        self._site, self._live = site, live

    async def answer(self, request: Request) -> Response:
        """Return the events of a place: its part that changes, each time that it has changed."""
        kind, _, name = request.path_params["place"].partition("/")
        site, links = self._site, Links(request.path_params["place"])
        makes: dict[str, Make] = {
            "ladders": lambda: site.ladder(links, name, part=True),
            "tournaments": lambda: site.tournament(links, name, part=True),
            "wall": lambda: site.wall(links, name, part=True),
            "wall-of-tournament": lambda: site.wall_of_tournament(links, name, part=True),
            "now": lambda: site.now(links, part=True),
            "matches": lambda: self._part_of_match(links, name),
        }
        fits = NUMBER if kind == "matches" else ID
        if kind not in makes or (kind != "now" and not fits.fullmatch(name)) or (kind == "now" and name):
            raise PageError(404, "Nothing here changes.")
        if self._streams >= STREAMS:
            raise PageError(503, "Too many pages are open. Reload this one in a moment.")
        if request.method == "HEAD":
            return Response(headers=STREAM_HEADERS, media_type="text/event-stream")
        first = await self._kept.get(f"live {kind}/{name}", makes[kind])  # an error has a status of its own
        if self._streams >= STREAMS:  # others may have come while it was made
            raise PageError(503, "Too many pages are open. Reload this one in a moment.")
        self._streams += 1
        events = self._events(f"live {kind}/{name}", makes[kind], first)
        return EventStream(events, self._stream_ended)

    async def _part_of_match(self, links: Links, number: str) -> str:
        """Return what of a match changes. Raises PageError, also if it is followed, but may not be shown any more."""
        name = f"matches/{number}"
        await self._kept.get(name, lambda: self._site.match(Links(name), number))
        return await self._live.part(links, name)

    def _stream_ended(self) -> None:
        self._streams -= 1

    async def _events(self, key: str, make: Make, first: str) -> AsyncIterator[str]:
        name = key.removeprefix("live ")
        is_match = name.startswith("matches/")
        shown, quiet = first, 0.0
        yield event("part", first)
        while not (is_match and self._live.is_over(name)):
            pause = MATCH_LOOK_S if is_match else LOOK_S
            if await self._ending.comes_within(pause):
                return
            try:
                part = await self._kept.get(key, make, pause / 2)
            except PageError as error:  # the arena may be restarting
                if is_of_freeze(error):
                    yield event("part", render("frozen_match", Links(name)))
                    yield event("end", "")
                    return
                part = shown
            quiet = quiet + pause if part == shown else 0.0
            if part != shown:
                shown = part
                yield event("part", part)
            elif quiet >= ALIVE_S:
                quiet = 0.0
                yield ": \n\n"
        with suppress(PageError):
            yield event("part", await make())
        yield event("end", "")
