"""What pages read of an arena: calls of its management services, with a spectator's token."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Self, TypeVar

import grpc
from google.protobuf.message import Message

from arena.v1 import (
    announcement_pb2_grpc,
    audit_pb2_grpc,
    bot_pb2_grpc,
    game_pb2_grpc,
    ladder_pb2_grpc,
    match_pb2_grpc,
    season_pb2_grpc,
    submission_pb2_grpc,
    team_pb2_grpc,
    token_pb2,
    token_pb2_grpc,
    tournament_pb2_grpc,
    user_pb2_grpc,
)
from arena.wire.error_info import error_info

CALL_SECONDS: Final = 20.0
"""The time limit of a call. While matches are in play the arena may delay calls."""
CALLS: Final = 1
"""Calls at the same time; further ones wait. One after the other they are as fast, since the arena answers them on one
event loop, and matches in play come in between: its loop is late half as much as with three."""
DOWNLOADS: Final = 2
"""Downloads of logs at the same time."""
ROWS: Final = 200
"""Rows of a listing per call."""
TOKEN_DAYS: Final = 30
"""How long a token lasts that pages have made for themselves."""
TOKEN_NOTE: Final = "web pages"

_OPTIONS: Final = (
    ("grpc.enable_http_proxy", 0),
    ("grpc.max_receive_message_length", 32 * 1024 * 1024),
    ("grpc.initial_reconnect_backoff_ms", 500),
    ("grpc.min_reconnect_backoff_ms", 500),
    ("grpc.max_reconnect_backoff_ms", 2_000),  # after an absence of the arena pages are back soon
)

_HTTP: Final = {
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.FAILED_PRECONDITION: 409,
    grpc.StatusCode.DATA_LOSS: 410,
    grpc.StatusCode.UNAVAILABLE: 503,
    grpc.StatusCode.DEADLINE_EXCEEDED: 503,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 503,
}

P = TypeVar("P", bound=Message)
R = TypeVar("R")


class PageError(Exception):
    """A page that cannot be shown."""

    def __init__(self, status: int, sentence: str, field: str = "", reason: str = "") -> None:
        """`status`: of HTTP. `sentence`: for the reader. `field`: what of the request is wrong, by its name.

        `reason`: that of the arena (docs/errors.md), for programs; empty if it has none.
        """
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.field = field
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Connection:
    """Where the arena is and how to call it."""

    address: str
    """host:port or unix:///path."""
    token: str | None
    """Of any role; pages never use more than the rights of a spectator."""
    credentials: grpc.ChannelCredentials | None = None
    """How to encrypt the connection; None: not at all."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """What a bot's program on this machine needs in its environment to reach the arena, but for its token."""


class Reads:
    """The calls that pages make, all with one token. Subclasses say with which one, and what a refusal means."""

    def __init__(
        self, channel: grpc.aio.Channel, turns: asyncio.Semaphore, downloads: asyncio.Semaphore
    ) -> None:
        """Create the stubs. `turns` bounds the calls at the same time, `downloads` those of logs."""
        self._turns = turns
        self._downloads = downloads
        self.announcements: Any = announcement_pb2_grpc.AnnouncementServiceStub(channel)
        self.games: Any = game_pb2_grpc.GameServiceStub(channel)
        self.bots: Any = bot_pb2_grpc.BotServiceStub(channel)
        self.ladders: Any = ladder_pb2_grpc.LadderServiceStub(channel)
        self.seasons: Any = season_pb2_grpc.SeasonServiceStub(channel)
        self.tournaments: Any = tournament_pb2_grpc.TournamentServiceStub(channel)
        self.matches: Any = match_pb2_grpc.MatchServiceStub(channel)
        self.submissions: Any = submission_pb2_grpc.SubmissionServiceStub(channel)
        self.audit: Any = audit_pb2_grpc.AuditServiceStub(channel)
        self.users: Any = user_pb2_grpc.UserServiceStub(channel)
        self.teams: Any = team_pb2_grpc.TeamServiceStub(channel)
        self.tokens: Any = token_pb2_grpc.TokenServiceStub(channel)

    async def get(self, method: Callable[..., Awaitable[P]], request: Message) -> P:
        """Return the answer to a request. Raises PageError."""
        async with self._turns:
            return await self._signed_call(
                lambda metadata: method(request, metadata=metadata, timeout=CALL_SECONDS)
            )

    async def bytes_of(self, method: Callable[..., Any], request: Message) -> bytes:
        """Return the chunks of a download as one. Raises PageError."""

        async def download(metadata: Any) -> bytes:
            chunks = [
                answer.chunk async for answer in method(request, metadata=metadata, timeout=CALL_SECONDS)
            ]
            return b"".join(chunks)

        async with self._downloads:
            return await self._signed_call(download)

    async def all_of(self, method: Callable[..., Any], request: Message) -> list[Any]:
        """Return all answers of a stream that is short. Raises PageError."""

        async def read(metadata: Any) -> list[Any]:
            return [answer async for answer in method(request, metadata=metadata, timeout=CALL_SECONDS)]

        async with self._turns:
            return await self._signed_call(read)

    async def rows(self, method: Callable[..., Awaitable[P]], request: Any, limit: int = 0) -> P:
        """Return the pages of a listing as one message, at most `limit` rows (0: all). Raises PageError.

        Its next_page_token is empty iff nothing was left out.
        """
        request.page_size = min(limit, ROWS) if limit else ROWS
        listing: Any = await self.get(method, request)
        rows = getattr(listing, listing.DESCRIPTOR.fields[0].name)
        while listing.next_page_token and (not limit or len(rows) < limit):
            request.page_size = min(limit - len(rows), ROWS) if limit else ROWS
            request.page_token = listing.next_page_token
            page: Any = await self.get(method, request)
            rows.extend(getattr(page, page.DESCRIPTOR.fields[0].name))
            listing.next_page_token = page.next_page_token
        return listing  # type: ignore[no-any-return]

    async def _signed_call(self, call: Callable[[Any], Awaitable[R]]) -> R:
        """Make a call with the metadata that it is given. Raises PageError."""
        raise NotImplementedError


class ArenaReads(Reads):
    """An open connection of pages to an arena. Use it in an `async with` statement, on one event loop."""

    def __init__(self, connection: Connection) -> None:
        """Create the stubs; the first call connects."""
        self._connection = connection
        self._token = connection.token
        self._own_token = ""
        """The name of the spectator's token that these pages have made; empty if they were given one."""
        self.environment = connection.environment
        self._renewing = asyncio.Lock()
        address, credentials = connection.address, connection.credentials
        self.channel = (
            grpc.aio.insecure_channel(address, options=_OPTIONS)
            if credentials is None
            else grpc.aio.secure_channel(address, credentials, options=_OPTIONS)
        )
        super().__init__(self.channel, asyncio.Semaphore(CALLS), asyncio.Semaphore(DOWNLOADS))

    async def __aenter__(self) -> Self:
        """Take the rights of a spectator, and no others. Raises grpc.aio.AioRpcError: the arena refuses."""
        await self._become_spectator()
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Revoke the token that the pages have made, and close the connection."""
        if self._own_token:
            request = token_pb2.RevokeTokenRequest(name=self._own_token)
            with suppress(grpc.aio.AioRpcError):  # otherwise it expires
                await self.tokens.RevokeToken(request, metadata=signed(self._connection.token), timeout=2.0)
        await self.channel.close()

    async def _become_spectator(self) -> None:
        """Make a spectator's token if the given one has more rights, so that no page can show what these show."""
        given = signed(self._connection.token)
        own = await self.tokens.GetOwnToken(
            token_pb2.GetOwnTokenRequest(), metadata=given, timeout=CALL_SECONDS
        )
        if own.token.role == token_pb2.ROLE_SPECTATOR:
            return
        request = token_pb2.CreateTokenRequest(
            role=token_pb2.ROLE_SPECTATOR,
            expire_days=TOKEN_DAYS,
            note=TOKEN_NOTE,
            scopes=[token_pb2.SCOPE_READ],
        )
        made = await self.tokens.CreateToken(request, metadata=given, timeout=CALL_SECONDS)
        self._token, self._own_token = made.secret, made.token.name

    def watch(self, request: Message) -> Any:
        """Return the stream of WatchMatch; it raises grpc.aio.AioRpcError."""
        return self.matches.WatchMatch(request, metadata=signed(self._token))

    async def _signed_call(self, call: Callable[[Any], Awaitable[R]]) -> R:
        """Make a call; once more with a new token if the one that pages have made has expired."""
        used = self._token
        try:
            return await call(signed(used))
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.UNAUTHENTICATED or not self._own_token:
                raise page_error(error) from error
        try:
            async with self._renewing:
                if self._token == used:
                    await self._become_spectator()
            return await call(signed(self._token))
        except grpc.aio.AioRpcError as error:
            raise page_error(error) from error


def signed(token: str | None) -> tuple[tuple[str, str], ...]:
    """Return the metadata of a call with a token."""
    return (("authorization", f"Bearer {token}"),) if token else ()


def page_error(error: grpc.aio.AioRpcError) -> PageError:
    """Return what a page shows in place of an answer of the arena."""
    status = _HTTP.get(error.code(), 502)
    if error.code() in (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED):
        return PageError(status, "The arena does not accept the token of these pages any more. Restart them.")
    if error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
        return PageError(status, "The arena does not answer now. Try again in a moment.")
    return refusal(status, error)


def refusal(status: int, error: grpc.aio.AioRpcError) -> PageError:
    """Return the arena's own sentence, reason and field as an error of a page."""
    reason, about = error_info(error.trailing_metadata())
    sentence = error.details() or f"The arena answered {error.code().name}."
    return PageError(status, sentence, about.get("field", ""), reason)
