"""Signing in and out, and whose request it is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final
from urllib.parse import quote

import structlog
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.core.tokens import parse_token
from arena.pages.announcements import Announcements
from arena.pages.answers import POLICY, PRIVATE_HEADERS
from arena.pages.failed_sign_ins import FailedSignIns
from arena.pages.forms import read_form
from arena.pages.guard import (
    check_csrf,
    check_same_origin,
    client_of,
    cookie_name,
    is_encrypted,
    local_place,
    why_no_sign_in,
)
from arena.pages.links import Links
from arena.pages.own_reads import OwnReads, token_of
from arena.pages.reads import ArenaReads, PageError
from arena.pages.sessions import LONGEST_S, REQUESTS_OF_ONE, Session, Sessions
from arena.pages.templates import fill_slots, render
from arena.v1 import invite_pb2, token_pb2
from arena.wire.owner_wording import format_role
from arena.wire.wording import short

ACCOUNT: Final = "/account"
"""Where a person is after signing in."""

_log = structlog.get_logger(__name__)


class SignInRequiredError(Exception):
    """A page that is only for people who are signed in."""


class SignIn:
    """The pages for signing in and out, and the sessions."""

    def __init__(self, *, plaintext: bool = False, now: Callable[[], float] = monotonic) -> None:
        """`plaintext`: sign-in is possible without encryption, because the network is trusted."""
        self._plaintext = plaintext
        self.failed = FailedSignIns(now)
        """By address; codes of invites that were wrong count, too."""
        self.sessions = Sessions(now)

    def open(self, reads: ArenaReads, announcements: Announcements) -> None:
        """Begin to answer."""
        self._reads, self._announcements = reads, announcements

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/sign-in", self._form),
            Route("/sign-in", self._sign_in, methods=["POST"]),
            Route("/sign-out", self._sign_out, methods=["POST"]),
        ]

    # Who asks

    def session_of(self, request: Request) -> Session | None:
        """Return the session of the request's cookie; None: nobody is signed in."""
        session_id = request.cookies.get(cookie_name(request), "")
        return self.sessions.find(session_id) if session_id else None

    @contextmanager
    def signed_in(self, request: Request) -> Iterator[tuple[Session, OwnReads]]:
        """Return the session and what it may read. Raises SignInRequiredError; PageError: it asks too much at once."""
        session = self.session_of(request)
        if session is None:
            raise SignInRequiredError
        if session.requests >= REQUESTS_OF_ONE:
            raise PageError(503, "You have many pages loading. Try again in a moment.")
        session.requests += 1
        try:
            yield session, OwnReads(self._reads.channel, session)
        finally:
            session.requests -= 1

    async def form_of(self, request: Request, session: Session) -> dict[str, str]:
        """Return the fields of a form of this session. Raises PageError: it is none, or it is unreadable."""
        check_same_origin(request)
        fields = await read_form(request)
        check_csrf(session, fields.pop("csrf", ""))
        return fields

    def why_impossible(self, request: Request) -> str:
        """Return why nobody may sign in by this connection; empty if they may."""
        return why_no_sign_in(request, plaintext=self._plaintext)

    # What pages have for the person

    async def page(self, request: Request, html: str, session: Session | None = None, **parts: str) -> str:
        """Return a page with what is announced, and what its reader alone sees.

        `parts`: further ones, by the name of their slot.
        """
        session = session or self.session_of(request)
        place = quote(local_place(request.scope["path"], ACCOUNT))
        return fill_slots(
            html,
            account=render("account_nav", Links(""), session=session, place=place),
            announcements=await self._announcements.part(),
            **parts,
        )

    async def answer(
        self, request: Request, html: str, session: Session | None, status: int = 200, **parts: str
    ) -> Response:
        """Return a page that no cache keeps."""
        headers = {**PRIVATE_HEADERS, "content-security-policy": POLICY}
        html = await self.page(request, html, session, **parts)
        return Response(html, status, headers, media_type="text/html")

    def sign_out(self, request: Request, answer: Response) -> None:
        """End the session of a request, and let the browser forget it."""
        session = self.session_of(request)
        if session is not None:
            self.sessions.end(session)
        if cookie_name(request) in request.cookies:
            self._set_cookie(request, answer, "", 0)

    # Pages

    async def _form(self, request: Request) -> Response:
        return await self._form_page(request, request.query_params.get("next", ""))

    async def _form_page(self, request: Request, place: str, error: str = "", status: int = 200) -> Response:
        html = render(
            "sign_in",
            Links("sign-in"),
            place=local_place(place, ACCOUNT),
            error=error,
            impossible=self.why_impossible(request),
            session=self.session_of(request),
            hours=round(LONGEST_S / 3600),
        )
        return await self.answer(request, html, None, status)

    async def _sign_in(self, request: Request) -> Response:
        """Begin a session for the token of a form; the session that the browser had ends."""
        check_same_origin(request)
        if impossible := self.why_impossible(request):
            raise PageError(403, impossible)
        fields = await read_form(request)
        place, caller = fields.get("next", ""), client_of(request)
        if wait_s := self.failed.wait_s(caller):
            said = f"Too many sign-ins have failed from your address. Try again in {int(wait_s) + 1} seconds."
            return await self._form_page(request, place, said, 429)
        token = fields.get("token", "").strip()
        self.failed.note(caller)
        if parse_token(token) is None:
            said = "This is not a token. A token begins with arn_ and is one long word; copy all of it."
            return await self._form_page(request, place, said, 401)
        try:
            about = await token_of(self._reads, token)
        except PageError as error:
            if error.status == 503:
                self.failed.forgive(caller)
            else:
                _log.info("sign-in refused", token=token.split("_")[1], address=caller)
            return await self._form_page(request, place, error.sentence, error.status)
        self.failed.forgive(caller)
        session_id, _session = self._begin(request, token, about)
        answer = RedirectResponse(local_place(place, ACCOUNT), 303, PRIVATE_HEADERS)
        self._set_cookie(request, answer, session_id, round(LONGEST_S))
        return answer

    async def joined(self, request: Request, joined: invite_pb2.AcceptInviteResponse) -> Response:
        """Begin a session for a person who has joined, and show them their token."""
        session_id, session = self._begin(request, joined.secret, joined.token)
        html = render("joined", Links("join"), session=session, secret=joined.secret, team=joined.user.team)
        answer = await self.answer(request, html, session)
        self._set_cookie(request, answer, session_id, round(LONGEST_S))
        return answer

    def _begin(self, request: Request, token: str, about: token_pb2.Token) -> tuple[str, Session]:
        """Begin a session, and end the one that the browser had. Return its id, and the session."""
        old = self.session_of(request)
        if old is not None:
            self.sessions.end(old)
        session_id, session = self.sessions.begin(token, about)
        _log.info("signed in", user=session.user, role=format_role(about.role), token=short(about.name))
        return session_id, session

    async def _sign_out(self, request: Request) -> Response:
        session = self.session_of(request)
        if session is not None:
            await self.form_of(request, session)
        else:
            check_same_origin(request)
        answer = RedirectResponse("/", 303, PRIVATE_HEADERS)
        self.sign_out(request, answer)
        return answer

    def _set_cookie(self, request: Request, answer: Response, value: str, seconds: int) -> None:
        answer.set_cookie(
            cookie_name(request),
            value,
            max_age=seconds,
            path="/",
            secure=is_encrypted(request),
            httponly=True,
            samesite="strict",
        )
