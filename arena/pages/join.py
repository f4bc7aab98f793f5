"""The page on which a person joins with the code of an invite, and gets a token."""

from typing import Any

import grpc
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.core.invite_codes import parse_code
from arena.pages.failed_sign_ins import FailedSignIns
from arena.pages.forms import read_form
from arena.pages.guard import check_same_origin, client_of
from arena.pages.links import Links
from arena.pages.own_reads import own_error
from arena.pages.reads import CALL_SECONDS, ArenaReads, PageError
from arena.pages.sign_in import SignIn
from arena.pages.templates import render
from arena.v1 import invite_pb2, invite_pb2_grpc

TOKEN_NOTE = "joined on the web pages"


class Join:
    """The handlers of this page. Its calls need no token; a code that is guessed counts as a sign-in that failed."""

    def __init__(self, sign_in: SignIn) -> None:
        self._sign_in = sign_in

    def open(self, reads: ArenaReads) -> None:
        """Begin to answer."""
        self._invites: Any = invite_pb2_grpc.InviteServiceStub(reads.channel)

    def routes(self) -> list[Route]:
        """Return the routes. A link with a code only fills in the form: what follows links for a chat joins nobody."""
        return [
            Route("/join", self._form),
            Route("/join/{code}", self._form),
            Route("/join", self._join, methods=["POST"]),
        ]

    @property
    def _failed(self) -> FailedSignIns:
        return self._sign_in.failed

    async def _form(self, request: Request) -> Response:
        code = str(request.path_params.get("code", ""))
        if not code or self._sign_in.why_impossible(request):
            return await self._page(request, code)
        try:
            return await self._page(request, code, user=await self._user_of(request, code))
        except PageError as error:
            return await self._page(request, code, error=error)

    async def _user_of(self, request: Request, code: str) -> str:
        """Return the user that a code is for; empty: the person chooses a name. Raises PageError."""
        invite = await self._call(
            request, code, self._invites.LookUpInvite, invite_pb2.LookUpInviteRequest(code=code)
        )
        return str(invite.user).rpartition("/")[2]

    async def _join(self, request: Request) -> Response:
        check_same_origin(request)
        if impossible := self._sign_in.why_impossible(request):
            raise PageError(403, impossible)
        fields = await read_form(request)
        code, user = fields.get("code", "").strip(), fields.get("user", "").strip()
        wanted = invite_pb2.AcceptInviteRequest(code=code, user_id=user, note=TOKEN_NOTE)
        try:
            if not user and not await self._user_of(request, code):
                raise PageError(
                    400, "Choose a name: 1 to 32 of a-z, 0-9 and -, beginning with a letter.", "user"
                )
            joined = await self._call(request, code, self._invites.AcceptInvite, wanted)
        except PageError as error:
            return await self._page(request, code, name=user, error=error)
        return await self._sign_in.joined(request, joined)

    async def _call(self, request: Request, code: str, method: Any, wanted: Any) -> Any:
        """Return the answer to a call with a code. Raises PageError."""
        caller = client_of(request)
        if wait_s := self._failed.wait_s(caller):
            raise PageError(
                429, f"Too many codes from your address were wrong. Try again in {int(wait_s) + 1} seconds."
            )
        self._failed.note(caller)
        if parse_code(code) is None:
            raise PageError(
                400, "This is not the code of an invite: JOIN- and 20 letters and digits. Check each.", "code"
            )
        try:
            answer = await method(wanted, timeout=CALL_SECONDS)
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.NOT_FOUND:
                self._failed.forgive(caller)
            raise own_error(error) from error
        self._failed.forgive(caller)
        return answer

    async def _page(
        self, request: Request, code: str, *, user: str = "", name: str = "", error: PageError | None = None
    ) -> Response:
        """Return the form. `user`: who joins, if the invite says so; `name`: the name that was typed."""
        html = render(
            "join",
            Links("join"),
            code=code,
            user=user,
            name=name,
            error=error,
            impossible=self._sign_in.why_impossible(request),
            session=self._sign_in.session_of(request),
        )
        return await self._sign_in.answer(request, html, None, error.status if error else 200)
