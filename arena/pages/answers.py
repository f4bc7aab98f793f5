"""What all answers of the pages have: headers, and streams that end with the server."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
)
"""The content security policy of all pages but replays, which have their script and style within."""

HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"x-frame-options", b"SAMEORIGIN"),
    (b"content-security-policy", POLICY.encode()),
)
"""Of all answers; those that have one of them keep their own."""
PRIVATE_HEADERS: Final = {"cache-control": "no-store", "vary": "Cookie"}
"""Of what one person alone may see."""
STREAM_HEADERS: Final = {"cache-control": "no-store", "x-accel-buffering": "no"}
"""Of a stream of events."""


def tagged(request: Request, body: bytes, media_type: str, policy: str) -> Response:
    """Return a body with its tag, or only that the reader has it."""
    tag = f'W/"{hashlib.sha256(body).hexdigest()[:24]}"'
    headers = {"etag": tag, "cache-control": "no-cache", "content-security-policy": policy, "vary": "Cookie"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=media_type)


def attached(name: str) -> dict[str, str]:
    """Return the header of a file that a browser saves under this name."""
    return {"content-disposition": f'attachment; filename="{name}"'}


def event(name: str, html: str) -> str:
    """Return an event of a stream."""
    data = "".join(f"data: {line}\n" for line in html.splitlines())
    return f"event: {name}\n{data or 'data:' + chr(10)}\n"


class Ending:
    """Whether the server ends: then streams end too, so that nobody waits for them."""

    def __init__(self) -> None:
        """Not yet."""
        self._event = asyncio.Event()

    def begin(self) -> None:
        """End all streams."""
        self._event.set()

    async def comes_within(self, seconds: float) -> bool:
        """Return True as soon as the server ends, or False after so long."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._event.wait(), seconds)
        return self._event.is_set()


class EventStream(StreamingResponse):
    """Events, and what is called when they end, in whatever way."""

    def __init__(self, events: AsyncIterator[str], ended: Callable[[], None]) -> None:
        """Call `ended` once, also if nobody has read an event."""
        super().__init__(events, media_type="text/event-stream", headers=STREAM_HEADERS)
        self._ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ended()


class CommonHeaders:
    """Adds the headers that all answers have."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the application does, with these headers."""

        async def send_with(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}
                missing = (header for header in HEADERS if header[0] not in own)
                message["headers"] = [*message["headers"], *missing]
            await send(message)

        await self._app(scope, receive, send_with if scope["type"] == "http" else send)
