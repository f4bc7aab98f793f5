"""An endpoint that speaks OpenAI's chat completions: one request, repeated while the clock allows."""

import asyncio
import concurrent.futures
import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final
from urllib.parse import urlsplit

import httpx

from arena.sdk.llm.answer import SCHEMA, one_line
from arena.sdk.llm.folder import SETTINGS, Folder, FolderError, Usage
from arena.sdk.llm.spending import Budget
from arena.sdk.settings import is_local

MOST_BYTES: Final = 1 << 20
"""Bytes of an answer that are read; a longer one is refused."""

ATTEMPTS: Final = 4
"""So often a request is sent, if the endpoint is busy or the connection fails."""

LEAST_S: Final = 0.2
"""A request is not sent with less time left."""

_CONNECT_S: Final = 10.0
_FIRST_PAUSE_S: Final = 0.5
_POLL_S: Final = 0.25
_MOST_TOKENS: Final = 1_000_000_000
_REPORT: Final = 300
"""Characters of an error of the endpoint that are shown."""

_TOO_MANY_REQUESTS: Final = 429
_SERVER_ERRORS: Final = 500
_CLIENT_ERRORS: Final = 400
_REDIRECTS: Final = 300
_OK: Final = 200

Message = Mapping[str, str]
"""One message of a chat: `role` and `content`."""


_NOTHING: Final = Usage()


class EndpointError(Exception):
    """No answer came. The message is one sentence for the bot's owner, without the key."""

    def __init__(self, sentence: str, used: Usage | None = None) -> None:
        """Keep the sentence. `used`: what the request has taken; None if that is not known."""
        super().__init__(sentence)
        self.used = used


class _PassingError(EndpointError):
    """Another attempt may do better."""

    def __init__(self, sentence: str, used: Usage | None, after_s: float | None = None) -> None:
        """`after_s`: when to try again, if the endpoint says it."""
        super().__init__(sentence, used)
        self.after_s = after_s


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model has answered."""

    text: str
    usage: Usage | None
    """None: the endpoint does not say it."""
    cut_off: bool = False
    """Whether it has reached the limit of tokens."""
    refusal: str = ""
    """Why the model or the endpoint refuses to answer; empty if it does not."""


class Endpoint:
    """The endpoint of a folder. Requests run on a thread of their own, so that no answer can outlast the clock."""

    def __init__(self, folder: Folder, key: str) -> None:
        """`key`: empty if none is needed. Raises FolderError: proxies or certificates of the environment are wrong."""
        self._folder = folder
        self._key = key
        host = urlsplit(folder.base_url).netloc
        headers = {
            "Accept": "application/json",
            # A compressed answer could be a thousand times as long as what was read of it.
            "Accept-Encoding": "identity",
            "Content-Type": "application/json",
            **({"Authorization": f"Bearer {key}"} if key else {}),
        }
        try:
            self._client = httpx.AsyncClient(
                headers=headers,
                timeout=httpx.Timeout(None, connect=_CONNECT_S),
                trust_env=not is_local(host),  # a proxy would take what is meant for this machine
                follow_redirects=False,
            )
        except (ImportError, OSError, ValueError, httpx.InvalidURL) as error:
            raise FolderError(
                "The environment names a proxy or certificates (HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE) that cannot be "
                f"used: {_reason(error)}. Correct or unset them."
            ) from None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="llm-endpoint", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Close the connections and end the thread."""
        asyncio.run_coroutine_threadsafe(self._finish(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _finish(self) -> None:
        """Wait until requests that were cancelled have closed their connections, and close the others."""
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        await self._client.aclose()

    def ask(
        self, messages: Sequence[Message], budget: Budget, *, until: float, is_wanted: Callable[[], bool]
    ) -> Reply:
        """Return the model's answer to a chat.

        `until`: on `time.monotonic()`. `is_wanted`: whether the answer is still wanted; looked at now and then.

        Raises EndpointError: there is none in time. Raises CapReachedError: it could cost more than allowed.
        """
        body = self._body(messages)
        most = Usage(len(body), self._folder.caps.answer_tokens)  # a token has at least one byte
        pause = _FIRST_PAUSE_S
        for attempt in range(1, ATTEMPTS + 1):
            if until - time.monotonic() < LEAST_S:
                raise EndpointError("There is no time left for a request.")
            budget.reserve(most)
            used: Usage | None = None
            try:
                reply = self._send(body, until, is_wanted)
                used = reply.usage
                return reply
            except EndpointError as error:
                used = error.used
                if not isinstance(error, _PassingError) or attempt == ATTEMPTS:
                    raise
                wait_s = pause if error.after_s is None else error.after_s
                if time.monotonic() + wait_s + LEAST_S > until:
                    raise EndpointError(f"{error} There is no time for another attempt.") from None
            finally:
                budget.settle(most, most if used is None else used)
            _wait(wait_s, until, is_wanted)
            pause *= 2
        raise AssertionError("the last attempt returns or raises")

    def _body(self, messages: Sequence[Message]) -> bytes:
        folder = self._folder
        body: dict[str, Any] = {
            **folder.request,
            "model": folder.model,
            "messages": list(messages),
            folder.tokens_field: folder.caps.answer_tokens,
        }
        if folder.temperature is not None:
            body["temperature"] = folder.temperature
        if folder.response_format == "json_object":
            body["response_format"] = {"type": "json_object"}
        elif folder.response_format == "json_schema":
            form = {"name": "choice", "strict": True, "schema": SCHEMA}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        return json.dumps(body).encode()

    def _send(self, body: bytes, until: float, is_wanted: Callable[[], bool]) -> Reply:
        """Send one request. Raises EndpointError, and _PassingError where another attempt may do better."""
        future = asyncio.run_coroutine_threadsafe(self._fetch(body), self._loop)
        while not future.done():
            left = until - time.monotonic()
            if left <= 0 or not is_wanted():
                future.cancel()
                why = (
                    "The model did not answer in time." if left <= 0 else "The answer is not wanted any more."
                )
                raise EndpointError(why)
            concurrent.futures.wait([future], timeout=min(left, _POLL_S))
        try:
            status, headers, data = future.result()
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            what = f"No endpoint answers at {self._folder.base_url} ({_reason(error)})."
            raise _PassingError(self.without_key(what), _NOTHING) from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            what = f"The connection to {self._folder.base_url} has failed ({_reason(error)})."
            raise _PassingError(self.without_key(what), None) from None
        return self._read(status, headers, data)

    async def _fetch(self, body: bytes) -> tuple[int, httpx.Headers, bytes]:
        """Return status, headers and body of the answer. Raises EndpointError: it is too long, or compressed."""
        url = f"{self._folder.base_url}/chat/completions"
        async with self._client.stream("POST", url, content=body) as response:
            if response.headers.get("content-encoding", "identity").lower() != "identity":
                raise EndpointError("The endpoint compresses its answer, although it was asked not to.")
            data = bytearray()
            async for piece in response.aiter_raw():
                data += piece
                if len(data) > MOST_BYTES:
                    raise EndpointError(f"The endpoint's answer has more than {MOST_BYTES} bytes.")
            return response.status_code, response.headers, bytes(data)

    def _read(self, status: int, headers: httpx.Headers, data: bytes) -> Reply:
        """Read a complete answer. Raises EndpointError."""
        try:
            document = json.loads(data.decode(errors="replace"))
        except (ValueError, RecursionError):
            document = None
        if status == _OK:
            return self._reply_of(document)
        message = one_line(self.without_key(_message_of(document)), _REPORT)
        said = f"The endpoint answered with status {status}{f' ({message})' if message else ''}."
        if status == _TOO_MANY_REQUESTS or status >= _SERVER_ERRORS:
            raise _PassingError(said, _NOTHING, _retry_after(headers.get("retry-after", "")))
        raise EndpointError(f"{said} {self._remedy(status)}", _NOTHING)

    def _reply_of(self, document: object) -> Reply:
        """Return the reply of a chat completion. Raises EndpointError: it is none."""
        try:
            choice = document["choices"][0]  # type: ignore[index] # whatever it is, the exceptions below catch it
            message = choice["message"]
            text, refusal = _text_of(message.get("content")), message.get("refusal")
            finish = choice.get("finish_reason")
        except (KeyError, IndexError, TypeError, AttributeError):
            raise EndpointError("The endpoint's answer is no chat completion. Check base_url.") from None
        if not isinstance(refusal, str):
            refusal = "a filter of the endpoint has stopped it" if finish == "content_filter" else ""
        return Reply(
            self.without_key(text),
            _usage_of(document),
            cut_off=finish == "length",
            refusal=one_line(self.without_key(refusal), _REPORT),
        )

    def _remedy(self, status: int) -> str:
        """Return what the owner can do about a refusal."""
        file, variable = self._folder.path / SETTINGS, self._folder.api_key_variable
        if status in {401, 403}:
            return (
                f"Check the key in {variable}." if variable else f"Name the variable with the key in {file}."
            )
        if _REDIRECTS <= status < _CLIENT_ERRORS:
            return f"Redirects are not followed, because they would take the key along: correct base_url in {file}."
        return f"Check base_url, model and [request] in {file}."

    def without_key(self, text: str) -> str:
        """Return a text of the endpoint, which may repeat the key, without it."""
        return text.replace(self._key, "[API key]") if self._key else text


def _wait(seconds: float, until: float, is_wanted: Callable[[], bool]) -> None:
    """Wait so long, as long as the answer is wanted. Raises EndpointError."""
    end = min(time.monotonic() + seconds, until)
    while (left := end - time.monotonic()) > 0:
        if not is_wanted():
            raise EndpointError("The answer is not wanted any more.")
        time.sleep(min(left, _POLL_S))


def _reason(error: Exception) -> str:
    return one_line(str(error), _REPORT) or type(error).__name__


def _retry_after(header: str) -> float | None:
    """Return the seconds of a header Retry-After, which has a number or a date; None if it says nothing usable."""
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError, OverflowError):
            return None
    return max(0.0, seconds)


def _message_of(document: object) -> str:
    """Return what an error says; empty if it says nothing."""
    error = document.get("error", document.get("message")) if isinstance(document, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) else ""


def _text_of(content: object) -> str:
    """Return the text of a message, which may be in parts."""
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _usage_of(document: object) -> Usage | None:
    """Return the tokens that the endpoint counts; None if it does not, or not plausibly."""
    usage = document.get("usage") if isinstance(document, dict) else None
    if not isinstance(usage, dict):
        return None
    counted = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    tokens = [each for each in counted if isinstance(each, int) and 0 <= each <= _MOST_TOKENS]
    return Usage(*tokens) if len(tokens) == len(counted) else None
