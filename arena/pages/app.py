"""The pages as a web application: routes, headers and errors.

Pages are made for everybody, with a spectator's rights, and kept for a moment. What one person alone may see is read
with their token and put into a slot of the page that is sent to them; it is never kept.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from gzip import decompress
from typing import Final
from urllib.parse import quote

import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route

from arena.pages import downloads, tournament_downloads
from arena.pages.account import Account
from arena.pages.answers import (
    HEADERS,
    POLICY,
    PRIVATE_HEADERS,
    CommonHeaders,
    Ending,
    attached,
    tagged,
)
from arena.pages.by_hand import ByHand
from arena.pages.http_api import HttpApi
from arena.pages.join import Join
from arena.pages.kept_pages import KeptPages, Make
from arena.pages.links import ID, NUMBER, Links
from arena.pages.live import LiveMatches
from arena.pages.organiser import Organiser
from arena.pages.own_parts import own_debug_lines, own_part_of_bot, own_part_of_match
from arena.pages.own_reads import OwnReads, SignedOutError
from arena.pages.reads import ArenaReads, Connection, PageError
from arena.pages.replays import Replays
from arena.pages.sessions import Session
from arena.pages.sign_in import SignIn, SignInRequiredError
from arena.pages.site import Site
from arena.pages.streams import Streams
from arena.pages.teams import Teams
from arena.pages.templates import shared_file
from arena.v1 import match_pb2
from arena.viewer.debug_lines import with_debug_lines

WHOLE_LISTS: Final = 2
"""Downloads of all matches of an event at the same time."""

_FILES: Final = {
    "site.css": "text/css",
    "pictures.css": "text/css",
    "site.js": "text/javascript",
    "htmx.min.js": "text/javascript",
    "htmx-sse.min.js": "text/javascript",
}
_REPLAY_POLICY: Final = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]*)"')

_log = structlog.get_logger(__name__)

Own = Callable[[Session, OwnReads, str], Awaitable[str]]
"""What the person of a session alone sees on a page, which is given as HTML."""


def pages_app(connection: Connection, ending: Ending, *, plaintext: bool = False) -> Starlette:
    """Return the application; it connects to the arena when it starts.

    `ending`: ends its streams. `plaintext`: people may sign in without encryption, because the network is trusted.
    """
    pages = _Pages(ending, plaintext=plaintext)

    @asynccontextmanager
    async def running(_app: Starlette) -> AsyncIterator[None]:
        async with ArenaReads(connection) as reads:
            pages.open(reads)
            try:
                yield
            finally:
                await pages.close()

    app = Starlette(
        routes=pages.routes(),
        lifespan=running,
        middleware=[
            Middleware(CommonHeaders),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
        ],
        exception_handlers={
            PageError: pages.refuse,
            SignInRequiredError: pages.ask_to_sign_in,
            HTTPException: pages.refuse_http,
            Exception: pages.fail,
        },
    )
    app.router.redirect_slashes = False  # its answer would name the server that the reader has named
    return app


class _Pages:
    """The handlers of all routes."""

    def __init__(self, ending: Ending, *, plaintext: bool) -> None:
        self._sign_in = SignIn(plaintext=plaintext)
        self._account, self._organiser = Account(self._sign_in), Organiser(self._sign_in)
        self._teams, self._by_hand = Teams(self._sign_in), ByHand(self._sign_in)
        self._join = Join(self._sign_in)
        self._api = HttpApi(self._sign_in)
        self._kept = KeptPages()
        self._streams = Streams(ending, self._kept)
        self._whole_lists = asyncio.Semaphore(WHOLE_LISTS)

    def open(self, reads: ArenaReads) -> None:
        """Begin to answer with what is read."""
        self._reads, self._site = reads, Site(reads)
        self._live, self._replays = LiveMatches(reads), Replays(reads)
        self._streams.open(self._site, self._live)
        self._sign_in.open(reads, self._site.announcements)
        self._account.open(self._site)
        self._teams.open(self._site)
        self._organiser.open(self._site, reads)
        self._join.open(reads)
        self._api.open(reads)
        self._by_hand.open(self._site, reads)

    async def close(self) -> None:
        """End what runs beside the requests."""
        await self._by_hand.close()
        await self._live.close()
        self._replays.close()

    def routes(self) -> list[Route | Mount]:
        """Return all routes."""
        return [
            Route("/", self._home),
            Route("/ladders", self._ladders),
            Route("/ladders/{id}", self._ladder),
            Route("/ladders/{id}/{file}", self._ladder_file),
            Route("/ladders/{id}/seasons/{number}", self._season),
            Route("/bots", self._bots),
            Route("/bots/{id}", self._bot),
            Route("/matches", self._matches),
            Route("/matches/{number}.arenalog", self._log),
            Route("/matches/{number}", self._match),
            Route("/matches/{number}/replay", self._replay),
            Route("/tournaments", self._tournaments),
            Route("/tournaments/{id}", self._tournament),
            Route("/tournaments/{id}/{file}", self._tournament_file),
            Route("/now", self._now),
            Route("/wall", self._wall),
            Route("/live/{place:path}", self._streams.answer),
            Route("/files/{name}", self._file),
            Route("/favicon.ico", self._no_content),
            *self._sign_in.routes(),
            *self._join.routes(),
            *self._api.routes(),
            *self._account.routes(),
            *self._teams.routes(),
            *self._organiser.routes(),
            *self._by_hand.routes(),
        ]

    # Pages

    async def _home(self, request: Request) -> Response:
        return await self._page(request, "", lambda: self._site.home(Links("")))

    async def _ladders(self, request: Request) -> Response:
        archived = _with_archived(request)
        return await self._page(
            request,
            f"ladders?{archived}",
            lambda: self._site.ladders(Links("ladders"), archived=archived),
        )

    async def _ladder(self, request: Request) -> Response:
        ladder, token = _id(request), request.query_params.get("page", "")
        links = Links(f"ladders/{ladder}")
        return await self._page(
            request, f"ladders/{ladder}?{token}", lambda: self._site.ladder(links, ladder, token)
        )

    async def _season(self, request: Request) -> Response:
        ladder, number = _id(request), _number(request)
        place = f"ladders/{ladder}/seasons/{number}"
        return await self._page(request, place, lambda: self._site.season(Links(place), ladder, number))

    async def _bots(self, request: Request) -> Response:
        token = request.query_params.get("page", "")
        return await self._page(request, f"bots?{token}", lambda: self._site.bots(Links("bots"), token))

    async def _bot(self, request: Request) -> Response:
        bot = _id(request)

        async def own(session: Session, reads: OwnReads, _html: str) -> str:
            return await own_part_of_bot(reads, session, bot)

        return await self._page(
            request, f"bots/{bot}", lambda: self._site.bot(Links(f"bots/{bot}"), bot), own
        )

    async def _matches(self, request: Request) -> Response:
        given = request.query_params
        filters = {name: given.get(name, "")[:60] for name in ("ladder", "tournament", "bot", "state")}
        token = given.get("page", "")
        key = f"matches?{filters}{token}"
        return await self._page(request, key, lambda: self._site.matches(Links("matches"), filters, token))

    async def _match(self, request: Request) -> Response:
        number = _number(request)
        links = Links(f"matches/{number}")
        token = request.query_params.get("lines", "")

        async def own(session: Session, reads: OwnReads, html: str) -> str:
            return await own_part_of_match(
                reads, session, number, token, has_replay='<iframe id="replay"' in html
            )

        return await self._page(request, f"matches/{number}", lambda: self._site.match(links, number), own)

    async def _tournaments(self, request: Request) -> Response:
        archived = _with_archived(request)
        return await self._page(
            request,
            f"tournaments?{archived}",
            lambda: self._site.tournaments(Links("tournaments"), archived=archived),
        )

    async def _tournament(self, request: Request) -> Response:
        name = _id(request)
        links = Links(f"tournaments/{name}")
        return await self._page(request, f"tournaments/{name}", lambda: self._site.tournament(links, name))

    async def _now(self, request: Request) -> Response:
        return await self._page(request, "now", lambda: self._site.now(Links("now")))

    async def _wall(self, request: Request) -> Response:
        tournament = request.query_params.get("tournament", "")
        if tournament:
            if not ID.fullmatch(tournament):
                raise PageError(404, "There is no such tournament.")
            links, key = Links("wall"), f"wall?tournament={tournament}"
            return await self._page(request, key, lambda: self._site.wall_of_tournament(links, tournament))
        ladder = request.query_params.get("ladder", "")
        if ladder and not ID.fullmatch(ladder):
            raise PageError(404, "There is no such ladder.")
        return await self._page(request, f"wall?{ladder}", lambda: self._site.wall(Links("wall"), ladder))

    async def _page(self, request: Request, key: str, make: Make, own: Own | None = None) -> Response:
        """Return a page, made anew if it is not fresh; without its body if the reader has the same one.

        `own`: reads what a person who is signed in alone sees of it.
        """
        html = await self._kept.get(key, make)
        if self._sign_in.session_of(request) is None:
            page = await self._sign_in.page(request, html)
            return tagged(request, page.encode(), "text/html; charset=utf-8", POLICY)
        with self._sign_in.signed_in(request) as (session, reads):
            part = "" if own is None else await own(session, reads, html)
            return await self._sign_in.answer(request, html, session, own=part)

    # Replays, logs, downloads

    async def _replay(self, request: Request) -> Response:
        number = _number(request)
        place = f"matches/{number}"
        # A replay is kept, but the standings of its ladder may have frozen since it was made.
        await self._kept.get(place, lambda: self._site.match(Links(place), number))
        compressed = await self._replays.page(place)
        page = decompress(compressed)
        found = _REPLAY_POLICY.search(page[:4000].decode(errors="replace"))
        policy = f"{found[1]}; frame-ancestors 'self'" if found else POLICY
        if self._sign_in.session_of(request) is not None:
            with self._sign_in.signed_in(request) as (session, reads):
                if lines := await own_debug_lines(reads, session, number):
                    html = with_debug_lines(page.decode(), lines)
                    headers = {**PRIVATE_HEADERS, "content-security-policy": policy}
                    return Response(html, headers=headers, media_type="text/html")
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return tagged(request, page, "text/html; charset=utf-8", policy)
        answer = tagged(request, compressed, "text/html; charset=utf-8", policy)
        answer.headers["content-encoding"] = "gzip"
        answer.headers["vary"] = "Accept-Encoding, Cookie"
        return answer

    async def _log(self, request: Request) -> Response:
        number = _number(request)
        wanted = match_pb2.DownloadMatchLogRequest(name=f"matches/{number}")
        data = await self._reads.bytes_of(self._reads.matches.DownloadMatchLog, wanted)
        return Response(data, media_type="application/octet-stream", headers=attached(f"{number}.arenalog"))

    async def _ladder_file(self, request: Request) -> Response:
        name, file = f"ladders/{_id(request)}", request.path_params["file"]
        what, _, form = file.partition(".")
        if form in downloads.FORMS and what == "standings":
            return _file_answer(request, file, await downloads.ladder_standings(self._reads, name, form))
        if form in downloads.FORMS and what == "matches":
            await self._site.ladder(
                Links(""), _id(request)
            )  # an unknown ladder is an error, not an empty list
            return self._all_matches(request, form, ladder=name)
        raise PageError(404, "There is no such download.")

    async def _tournament_file(self, request: Request) -> Response:
        name, file = f"tournaments/{_id(request)}", request.path_params["file"]
        what, _, form = file.partition(".")
        if form in tournament_downloads.FORMS and what in tournament_downloads.PARTS:
            content = await tournament_downloads.tournament_file(self._reads, name, what, form)
            return _file_answer(request, file, content)
        if form in downloads.FORMS and what == "matches":
            await self._site.tournament(Links(""), _id(request))
            return self._all_matches(request, form, tournament=name)
        raise PageError(404, "There is no such download.")

    def _all_matches(self, request: Request, form: str, **filters: str) -> Response:
        if self._whole_lists.locked():
            raise PageError(503, "Others are downloading all matches now. Try again in a moment.")

        async def pieces() -> AsyncIterator[str]:
            async with self._whole_lists:
                async for piece in downloads.matches(self._reads, form, **filters):
                    yield piece

        name = f"{request.path_params['id']}-matches.{form}"
        if request.method == "HEAD":
            return Response(media_type=downloads.MEDIA_TYPES[form], headers=attached(name))
        return StreamingResponse(pieces(), media_type=downloads.MEDIA_TYPES[form], headers=attached(name))

    # Files and errors

    async def _file(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _FILES:
            raise PageError(404, "There is no such file.")
        answer = tagged(request, _content(name), f"{_FILES[name]}; charset=utf-8", POLICY)
        answer.headers["cache-control"] = "max-age=60"
        del answer.headers["vary"]
        return answer

    async def _no_content(self, _request: Request) -> Response:
        return Response(status_code=204)

    async def refuse(self, request: Request, error: Exception) -> Response:
        """Return the page of an error."""
        assert isinstance(error, PageError)
        answer = Response(status_code=error.status, headers=PRIVATE_HEADERS, media_type="text/html")
        if isinstance(error, SignedOutError):
            self._sign_in.sign_out(request, answer)
        html = await self._sign_in.page(request, await self._site.error(Links(""), error))
        answer.body = html.encode()
        answer.headers["content-length"] = str(len(answer.body))
        if error.status in (429, 503):
            answer.headers["retry-after"] = "2"
        return answer

    async def ask_to_sign_in(self, request: Request, _error: Exception) -> Response:
        """Send a reader who is not signed in to the form, and from there back; the browser forgets an ended session."""
        place = quote(str(request.scope["path"])) if request.method in ("GET", "HEAD") else ""
        answer = RedirectResponse(f"/sign-in?next={place}", 303, PRIVATE_HEADERS)
        self._sign_in.sign_out(request, answer)
        return answer

    async def refuse_http(self, request: Request, error: Exception) -> Response:
        """Return the page of an error that the router has found."""
        assert isinstance(error, HTTPException)
        path = str(request.scope["path"])
        if error.status_code == 404 and path != "/" and path.endswith("/"):
            # One slash: with two, a browser takes what follows for another server.
            return RedirectResponse("/" + path.strip("/"), 308)
        sentences = {
            404: "Look at the address, or begin with the first page.",
            405: "This page can only be read.",
        }
        return await self.refuse(
            request, PageError(error.status_code, sentences.get(error.status_code, error.detail))
        )

    async def fail(self, request: Request, error: Exception) -> Response:
        """Return the page of a fault of the pages; the log has the traceback."""
        _log.error("a page failed", path=request.scope["path"][:200], exc_info=error)
        answer = await self.refuse(request, PageError(500, "These pages have a fault. Their log says which."))
        answer.raw_headers.extend(HEADERS)  # this answer does not pass the middleware
        return answer


@cache
def _content(name: str) -> bytes:
    return shared_file(name).encode()


def _file_answer(request: Request, file: str, content: str) -> Response:
    name, form = f"{request.path_params['id']}-{file}", file.rpartition(".")[2]
    return Response(content, media_type=downloads.MEDIA_TYPES[form], headers=attached(name))


def _with_archived(request: Request) -> bool:
    """Return whether a list is to have archived ladders or tournaments, too."""
    return request.query_params.get("archived", "") == "1"


def _id(request: Request) -> str:
    """Return the id in the path. Raises PageError if no resource can have it."""
    found = str(request.path_params["id"])
    if not ID.fullmatch(found):
        raise PageError(404, "Names have 1 to 32 of a-z, 0-9 and -.")
    return found


def _number(request: Request) -> str:
    """Return the number of a match or season in the path. Raises PageError if there is no such number."""
    found = str(request.path_params["number"])
    if not NUMBER.fullmatch(found):
        raise PageError(404, "Matches and seasons have numbers.")
    return found
