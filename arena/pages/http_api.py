"""Reads of the arena over HTTP as JSON: GET /v1/ and the resource name, for programs that have no gRPC."""

import asyncio
import hashlib
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import grpc
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.json_format import MessageToDict, ParseDict, ParseError
from google.protobuf.message import Message
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from arena.pages.api_methods import EVENTS, PREFIX, READS, ReadMethod
from arena.pages.openapi import openapi_document
from arena.pages.own_reads import own_error
from arena.pages.reads import CALL_SECONDS, ArenaReads, PageError, refusal, signed
from arena.pages.sign_in import SignIn
from arena.v1 import export_pb2

CALLS: Final = 4
"""Calls for the API at the same time, of all its readers together; further ones wait."""
WAITING: Final = 64
"""Requests that may wait."""

T = TypeVar("T")

_BOOLEANS: Final = {"true": True, "false": False, "1": True, "0": False}
_WHOLE: Final = (
    FieldDescriptor.CPPTYPE_INT32,
    FieldDescriptor.CPPTYPE_INT64,
    FieldDescriptor.CPPTYPE_UINT32,
    FieldDescriptor.CPPTYPE_UINT64,
)
_NUMBER: Final = re.compile(r"-?[0-9]{1,20}")
_BEARER: Final = re.compile(r"[Bb]earer +(\S+)")


@dataclass(frozen=True, slots=True)
class _Call:
    """A request of the API, read."""

    method: ReadMethod
    request: Any
    token: str
    """The caller's own; empty: the rights of the pages."""


class HttpApi:
    """The handlers of /v1."""

    def __init__(self, sign_in: SignIn) -> None:
        self._sign_in = sign_in
        self._turns = asyncio.Semaphore(CALLS)
        self._waiting = 0

    def open(self, reads: ArenaReads) -> None:
        """Begin to answer."""
        self._reads = reads

    def routes(self) -> list[Mount]:
        """Return the routes. Any website may read them, since no cookie counts here."""
        routes = [
            Route("/openapi.json", self._document),
            Route(EVENTS.path, self._events),
            *(Route(method.path, self._handler(method)) for method in READS),
            Route("/{rest:path}", self._unknown),
        ]
        cors = Middleware(
            CORSMiddleware,
            allow_origins=["*"],
            allow_methods=["GET"],
            allow_headers=["authorization", "if-none-match"],
            expose_headers=["etag"],
            max_age=86_400,
        )
        app = Starlette(
            routes=routes,
            middleware=[cors],
            exception_handlers={PageError: _refuse, HTTPException: _refuse_http},
        )
        app.router.redirect_slashes = False
        return [Mount(PREFIX, app)]

    # Answers

    def _handler(self, method: ReadMethod) -> Any:
        async def answer(request: Request) -> Response:
            call = self._read(request, method)
            return _tagged(request, _json(await self._answer_of(call)))

        return answer

    async def _document(self, request: Request) -> Response:
        return _tagged(request, _json_text(openapi_document()))

    async def _unknown(self, _request: Request) -> Response:
        raise PageError(404, f"There is no such resource. {PREFIX}/openapi.json lists all.")

    async def _events(self, request: Request) -> Response:
        """Answer with a line for each match and ledger entry that became final after a cursor, oldest first."""
        call = self._read(request, EVENTS)
        call.request.without_logs = True
        stub: Any = self._reads.channel.unary_stream(EVENTS.full_name, **_codecs(call))
        async with self._turn():
            if call.token:
                answers = await _with_token(call, lambda made: _collected(stub(call.request, **made)))
            else:
                answers = await self._reads.all_of(stub, call.request)
        body = b"".join(map(_event_line, answers))
        headers = {"cache-control": "no-store", "vary": "Authorization"}
        return Response(body, headers=headers, media_type="application/x-ndjson")

    async def _answer_of(self, call: _Call) -> Message:
        """Return the arena's answer. Raises PageError."""
        stub = self._reads.channel.unary_unary(call.method.full_name, **_codecs(call))
        async with self._turn():
            if call.token:
                return await _with_token(call, lambda made: stub(call.request, **made))
            return await self._reads.get(stub, call.request)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Wait for one of the calls that the API makes at the same time. Raises PageError: too many wait."""
        if self._waiting >= WAITING:
            raise PageError(503, "Too many requests wait. Try again in a moment.")
        self._waiting += 1
        try:
            await self._turns.acquire()
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._turns.release()

    # Requests

    def _read(self, request: Request, method: ReadMethod) -> _Call:
        """Return what a request asks for. Raises PageError."""
        token = self._token_of(request)
        if not token and not method.is_public:
            raise PageError(401, "This needs a token: send the header `Authorization: Bearer arn_...`.")
        document: dict[str, Any] = dict(_query_fields(request, method))
        if method.name_field:
            document[method.name_field] = method.resource_name(request.path_params)
        try:
            return _Call(method, ParseDict(document, method.request_class()), token)
        except ParseError as error:
            raise PageError(400, f"A parameter is not of its type: {error}.") from error

    def _token_of(self, request: Request) -> str:
        header = request.headers.get("authorization", "")
        if not header:
            return ""
        found = _BEARER.fullmatch(header.strip())
        if found is None or not found[1].isascii():
            raise PageError(401, "The header Authorization must be `Bearer` and a token.")
        if impossible := self._sign_in.why_impossible(request):
            raise PageError(403, impossible.replace("Nobody can sign in here", "No token is accepted here"))
        return found[1]


def _codecs(call: _Call) -> dict[str, Any]:
    return {
        "request_serializer": type(call.request).SerializeToString,
        "response_deserializer": call.method.response_class.FromString,
    }


async def _with_token(call: _Call, make: Callable[[dict[str, Any]], Awaitable[T]]) -> T:
    """Return what a call with the caller's own token returns. Raises PageError."""
    try:
        return await make({"metadata": signed(call.token), "timeout": CALL_SECONDS})
    except grpc.aio.AioRpcError as error:
        raise _own_error(error) from error


async def _collected(answers: AsyncIterator[T]) -> list[T]:
    return [answer async for answer in answers]


def _query_fields(request: Request, method: ReadMethod) -> Mapping[str, Any]:
    """Return the parameters as JSON has them. Raises PageError (400): one is unknown, or twice."""
    known = {field.name: field for field in method.parameters}
    fields: dict[str, Any] = {}
    for name in request.query_params:
        field, values = known.get(name), request.query_params.getlist(name)
        if field is None:
            raise PageError(
                400, f"There is no parameter {name[:40]!r}; known are: {', '.join(known) or 'none'}.", name
            )
        if field.is_repeated:
            fields[name] = [_value(field, value) for value in values]
        elif len(values) > 1:
            raise PageError(400, f"The parameter {name} is there {len(values)} times.", name)
        else:
            fields[name] = _value(field, values[0])
    return fields


def _value(field: FieldDescriptor, text: str) -> object:
    """Return a value as JSON has it. Raises PageError (400)."""
    if field.type == field.TYPE_BOOL:
        if text.lower() not in _BOOLEANS:
            raise PageError(400, f"{field.name} must be true or false.", field.name)
        return _BOOLEANS[text.lower()]
    if field.enum_type is not None and text not in field.enum_type.values_by_name:
        known = ", ".join(field.enum_type.values_by_name)
        raise PageError(400, f"{field.name} must be one of {known}.", field.name)
    if field.cpp_type in _WHOLE and not _NUMBER.fullmatch(text):
        raise PageError(400, f"{field.name} must be a whole number.", field.name)
    return text


def _own_error(error: grpc.aio.AioRpcError) -> PageError:
    """Return the error of a call with the caller's own token. There is no session that could end."""
    return refusal(401, error) if error.code() is grpc.StatusCode.UNAUTHENTICATED else own_error(error)


def _fields(message: Message) -> dict[str, Any]:
    """Return a message as JSON with the names of the .proto, as `--format json` prints it."""
    return MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)


def _json(message: Message) -> bytes:
    return _json_text(_fields(message))


def _json_text(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def _event_line(answer: export_pb2.ExportMatchesResponse) -> bytes:
    """Return a match or ledger entry with the cursor after it; of the last answer the cursor and the newest one."""
    kind = answer.WhichOneof("content")
    what: dict[str, Any] = (
        {"end": str(answer.end)} if kind is None else {kind: _fields(getattr(answer, kind))}
    )
    return _json_text({**what, "cursor": str(answer.cursor)}) + b"\n"


def _tagged(request: Request, body: bytes) -> Response:
    """Return a body with its tag, or only that the reader has it."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"etag": tag, "cache-control": "no-cache", "vary": "Authorization"}
    known = [each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")]
    if tag in known:
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type="application/json")


def _refusal(status: int, sentence: str, field: str = "", reason: str = "") -> Response:
    error = {"status": status, "reason": reason, "message": sentence, "field": field}
    headers = {"cache-control": "no-store"}
    if status == 401:
        headers["www-authenticate"] = "Bearer"
    return Response(_json_text({"error": error}), status, headers, media_type="application/json")


async def _refuse(_request: Request, error: Exception) -> Response:
    assert isinstance(error, PageError)
    return _refusal(error.status, error.sentence, error.field, error.reason)


async def _refuse_http(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentence = "Only GET is possible." if error.status_code == 405 else error.detail
    return _refusal(error.status_code, sentence)
