"""What a person who is signed in may read and do: calls with their own token, which never sees more than they may."""

from collections.abc import AsyncIterable, Awaitable, Callable
from typing import Any, Final, TypeVar

import grpc
from google.protobuf.message import Message

from arena.pages.reads import CALL_SECONDS, PageError, Reads, page_error, refusal, signed
from arena.pages.sessions import Session
from arena.v1 import token_pb2

UPLOAD_SECONDS: Final = 300.0
"""How long the arena may take for an archive that the pages have already."""

R = TypeVar("R")

_OWN: Final = {
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
}


class SignedOutError(PageError):
    """The arena does not accept the person's token any more, so the session ends."""

    def __init__(self) -> None:
        super().__init__(
            401,
            "The arena does not accept your token any more: it was revoked, it has expired, or your account is "
            "disabled. Sign in with another token.",
        )


class OwnReads(Reads):
    """The calls for one session."""

    def __init__(self, channel: grpc.aio.Channel, session: Session) -> None:
        """Make calls for a session, one after the other."""
        super().__init__(channel, session.turns, session.turns)
        self._token = session.token

    async def upload(self, pieces: AsyncIterable[Message]) -> Any:
        """Send an archive. Raises PageError."""
        return await self._signed_call(
            lambda metadata: self.submissions.UploadArchive(pieces, metadata=metadata, timeout=UPLOAD_SECONDS)
        )

    async def _signed_call(self, call: Callable[[Any], Awaitable[R]]) -> R:
        try:
            return await call(signed(self._token))
        except grpc.aio.AioRpcError as error:
            raise own_error(error) from error


def own_error(error: grpc.aio.AioRpcError) -> PageError:
    """Return what a page shows a person in place of an answer of the arena: the arena's sentence."""
    if error.code() is grpc.StatusCode.UNAUTHENTICATED:
        return SignedOutError()
    if error.code() in _OWN:
        return refusal(_OWN[error.code()], error)
    return page_error(error)


async def token_of(reads: Reads, token: str) -> token_pb2.Token:
    """Return what the arena says of a token that a person has typed.

    Raises PageError: 401, the arena does not know it; 403, it is a bot's; or the arena does not answer.
    """
    try:
        answer = await reads.tokens.GetOwnToken(
            token_pb2.GetOwnTokenRequest(), metadata=signed(token), timeout=CALL_SECONDS
        )
    except grpc.aio.AioRpcError as error:
        if error.code() is grpc.StatusCode.UNAUTHENTICATED:
            raise PageError(
                401,
                "The arena does not know this token: it was revoked, it has expired, or it is another arena's.",
            ) from error
        if error.code() is grpc.StatusCode.PERMISSION_DENIED:
            raise PageError(
                403,
                "This is the token of a bot, which only plays. Use a token of its owner: `arena token create`.",
            ) from error
        raise own_error(error) from error
    found: token_pb2.Token = answer.token
    return found
