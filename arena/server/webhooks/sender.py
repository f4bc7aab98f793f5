"""One request to the receiver of a webhook: to a checked address, bounded in time and size, redirects not followed."""

import asyncio
import ssl
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, urlsplit

import structlog

from arena.core.errors import invalid_field
from arena.server.webhooks.addresses import RefusedAddressError, Resolver, SystemResolver, check_addresses

if TYPE_CHECKING:  # only an arena that sends something needs it
    import httpx

WITHIN_S: Final = 10.0
"""Time for a whole request: name, connection, answer."""
MAX_URL: Final = 500
_CONNECT_S: Final = 4.0
"""Time for a connection to one of several addresses."""
_MOST_ADDRESSES: Final = 4
_ANSWER_BYTES: Final = 1_024
_ANSWER_CHARACTERS: Final = 200
_PORTS: Final = {"http": 80, "https": 443}

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request."""

    status: int = 0
    """0: there was no answer."""
    failure: str = ""
    """Why the receiver has not accepted it: a sentence part; empty if it has."""
    text: str = ""
    """The beginning of the answer's body, if it was asked for."""

    @property
    def accepted(self) -> bool:
        """Whether the receiver has accepted it."""
        return not self.failure


def check_url(field: str, url: str) -> SplitResult:
    """Return the parts of a URL that may be one of a webhook. Raises InvalidArgumentError (FIELD_INVALID)."""
    if not (url.isascii() and url.isprintable() and " " not in url and len(url) <= MAX_URL):
        raise invalid_field(field, f"{field} must be at most {MAX_URL} ASCII characters without spaces.")
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise invalid_field(field, f"{field} is not a URL: {error}.") from error
    if parts.scheme not in _PORTS or not parts.hostname:
        raise invalid_field(field, f"{field} must begin with https:// or http:// and name a host.")
    if parts.username is not None or parts.password is not None:
        raise invalid_field(
            field, f"{field} must not contain a user or password: requests are signed instead."
        )
    return parts


class Sender:
    """Sends requests to receivers. `httpx` is imported with the first one, on a thread."""

    def __init__(
        self, *, allow_private: bool, resolve: Resolver | None = None, within_s: float = WITHIN_S
    ) -> None:
        """`allow_private`: whether addresses that are not public are allowed; `within_s`: for a whole request."""
        self.allow_private = allow_private
        self._resolve = resolve or SystemResolver()
        self._within_s = within_s

    async def post(
        self, url: str, headers: dict[str, str], body: bytes, *, wants_text: bool = False
    ) -> Answer:
        """Send one request. `wants_text`: whether to read the beginning of the answer's body."""
        try:
            async with asyncio.timeout(self._within_s):
                return await self._post(urlsplit(url), headers, body, wants_text=wants_text)
        except TimeoutError:
            return Answer(failure=f"it has not answered within {self._within_s:g} s")
        except RefusedAddressError as error:
            return Answer(failure=str(error))
        except (OSError, UnicodeError) as error:  # a label of a name may be too long
            why = error.strerror if isinstance(error, OSError) else ""
            return Answer(failure=f"its name cannot be resolved: {why or _short(str(error))}")
        # A receiver must not end the arena, whatever it answers.
        except Exception as error:  # noqa: BLE001
            _log.exception("a notification could not be sent", host=urlsplit(url).hostname)
            return Answer(failure=f"the request failed: {_short(str(error)) or type(error).__name__}")

    async def _post(
        self, url: SplitResult, headers: dict[str, str], body: bytes, *, wants_text: bool
    ) -> Answer:
        context = await asyncio.to_thread(lambda: self._tls)
        import httpx

        assert url.hostname is not None, "checked when the webhook was created"
        port = url.port or _PORTS[url.scheme]
        addresses = await self._resolve(url.hostname, port)
        if not self.allow_private:
            check_addresses(url.hostname, addresses)
        answer = Answer(failure="its name has no address")
        for address in addresses[:_MOST_ADDRESSES]:
            target = httpx.URL(
                scheme=url.scheme,
                host=address,
                port=port,
                raw_path=f"{url.path or '/'}{f'?{url.query}' if url.query else ''}".encode("ascii"),
            )
            request = httpx.Request(
                "POST",
                target,
                headers={**headers, "host": url.netloc},
                content=body,
                extensions={
                    "sni_hostname": url.hostname,
                    "timeout": {"connect": _CONNECT_S if len(addresses) > 1 else None},
                },
            )
            # A transport knows no redirects. It is not kept: another webhook with the same address may have another
            # certificate.
            async with httpx.AsyncHTTPTransport(verify=context, trust_env=False) as transport:
                try:
                    response = await transport.handle_async_request(request)
                except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                    answer = Answer(
                        failure=f"no connection to {address}: {_short(str(error)) or 'no answer'}"
                    )
                    continue
                except httpx.HTTPError as error:
                    return Answer(
                        failure=f"its answer is not valid: {_short(str(error)) or type(error).__name__}"
                    )
                try:
                    text = await _beginning(response) if wants_text else ""
                    return Answer(response.status_code, _why_not_accepted(response.status_code), text)
                finally:
                    await response.aclose()
        return answer

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        """The authorities that the system trusts. The first use takes a while, and imports `httpx`."""
        import httpx  # noqa: F401 - so that the event loop need not

        return ssl.create_default_context()


async def _beginning(response: "httpx.Response") -> str:
    """Return the beginning of the body, on one line; it may be late or not come at all."""
    import httpx

    data = b""
    try:
        async with asyncio.timeout(1.0):
            async for piece in response.aiter_raw():
                data += piece
                if len(data) >= _ANSWER_BYTES:
                    break
    except (TimeoutError, httpx.HTTPError):
        pass
    return _short(data[:_ANSWER_BYTES].decode("utf-8", "replace"))


def _why_not_accepted(status: int) -> str:
    if 200 <= status < 300:
        return ""
    note = ": redirects are not followed" if 300 <= status < 400 else ""
    return f"it has answered with the status {status}{note}"


def _short(text: str) -> str:
    """Return the beginning of a text of somebody else, on one line."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())[:_ANSWER_CHARACTERS]
