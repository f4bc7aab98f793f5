"""The interceptor of every call: it authenticates, limits, charges and counts, and keeps faults of the arena inside."""

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, nullcontext
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, Final

import grpc
import structlog
from google.protobuf.message import DecodeError, Message

from arena.core import errors
from arena.core.endings.arena_faults import exception_facts
from arena.core.errors import ArenaError, ErrorReason
from arena.server import limits
from arena.server.announcements_in_force import ANNOUNCED_KEY
from arena.server.auth.admission_control import AdmissionControl, Metadata, token_source
from arena.server.auth.limiters import CallSlots, CallSource
from arena.server.auth.permissions import RULES, Right, act_as, check_rule, current_caller
from arena.server.context import Context
from arena.server.errors import abort, as_arena_error, internal_error
from arena.server.metrics import Metrics
from arena.server.nearest_names import NearestNames
from arena.server.receiving import incomplete
from arena.store.accounts.tokens import Scope
from arena.store.audit.entries import AuditKind
from arena.store.audit.writer import AuditSink, tell_nobody
from arena.store.database import ReadWork, read_work

_ARENA: Final = "/arena.v1."
_WATCH: Final = "/arena.v1.MatchService/WatchMatch"
_WORD: Final = re.compile(r"[A-Z][a-z]*")
_CODES: Final[Mapping[object, str]] = {code.value[0]: code.name for code in grpc.StatusCode}

_FLOODS: Final = {ErrorReason.REQUEST_INCOMPLETE, ErrorReason.RATE_LIMITED}
"""A call that one of these ends before its handler runs stays charged."""

_log = structlog.get_logger("arena.server")


@dataclass(frozen=True, slots=True)
class _Call:
    """One call of any method but Play."""

    method: str
    handler: Any
    """Of the service; with each kind of stream gRPC has an attribute of its own for the function."""
    source: CallSource | None
    """The token in the metadata, valid or not."""
    context: Context

    @property
    def of_arena(self) -> bool:
        """Whether `RULES` has the method; health and reflection need no token, and gRPC reads their requests."""
        return self.method.startswith(_ARENA)


class CallInterceptor(grpc.aio.ServerInterceptor):
    """Authenticates, charges and counts every call. Calls of Play are only counted: Play does the rest itself."""

    def __init__(
        self,
        admission_control: AdmissionControl,
        new_error_id: Callable[[], str],
        metrics: Metrics,
        audit: AuditSink = tell_nobody,
        nearest: NearestNames | None = None,
        announced_us: Callable[[], int | None] = lambda: None,
    ) -> None:
        """`new_error_id`: fresh ids under which faults of the arena are logged; `audit`: for the audit trail.

        `nearest`: adds what the caller may have meant to errors about names; None: nothing does.
        `announced_us`: when the newest announcement in force was created, in microseconds since 1970 UTC; None: there
        is none.
        """
        self._admission_control = admission_control
        self._new_error_id = new_error_id
        self._calls = metrics.calls
        for method in RULES:  # there from the start, so that an alert sees the first fault as an increase
            self._calls.labels(method, grpc.StatusCode.INTERNAL.name)
        self._audit = audit
        self._nearest = nearest
        self._announced_us = announced_us
        self._uploads = CallSlots("uploads", limits.UPLOADS, limits.UPLOADS_OF_ONE)

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """Return a handler around the method's own; None for an unknown method.

        For gRPC every handler takes a stream: it runs those at once, and others only when their request is complete.
        """
        handler = await continuation(handler_call_details)
        method = handler_call_details.method
        if handler is None:
            return None
        metadata = handler_call_details.invocation_metadata or ()
        try:
            _check_metadata(metadata)
            run = self._runner(method, handler, metadata)
        except errors.ResourceExhaustedError as error:
            handler = refusing(error)
            run = handler.stream_stream

        async def count(requests: object, context: Context) -> Any:
            cancelled = False
            try:
                return await run(requests, context)
            except asyncio.CancelledError:
                cancelled = True
                raise
            finally:
                code: object = context.code()
                status = code.name if isinstance(code, grpc.StatusCode) else _CODES.get(code, "OK")
                self._calls.labels(method, "CANCELLED" if cancelled else status).inc()

        if handler.response_streaming:
            as_stream = grpc.stream_stream_rpc_method_handler
        else:
            as_stream = grpc.stream_unary_rpc_method_handler
        deserializer = None if method.startswith(_ARENA) else handler.request_deserializer
        return as_stream(count, deserializer, handler.response_serializer)

    def _runner(
        self, method: str, handler: Any, metadata: Metadata
    ) -> Callable[[Any, Context], Awaitable[Any]]:
        """Return what carries the call out."""
        rule = RULES.get(method)
        if rule is not None and rule.right is Right.PLAYER:
            play: Callable[[Any, Context], Awaitable[Any]] = handler.stream_stream
            return play
        source = token_source(metadata)
        return lambda requests, context: self._charge(_Call(method, handler, source, context), requests)

    async def _charge(self, call: _Call, requests: Any) -> Any:
        """Carry the call out. It stays charged if the caller cancels it, or floods the arena."""
        charged: CallSource | None = None
        try:
            charged = self._admission_control.take_call(call.source, call.context.peer())
            if not (call.handler.request_streaming or call.handler.response_streaming):
                return await self._answer(call, requests)
            needs_token = call.method in RULES
            with nullcontext() if needs_token else self._admission_control.open_streams.taken(""):
                return await self._until_revoked(call, requests)
        except asyncio.CancelledError:
            charged = None
            raise
        except ArenaError as error:
            if error.reason in _FLOODS:
                charged = None
            await abort(call.context, error)
        finally:
            if charged is not None:
                self._admission_control.answered(charged)

    async def _until_revoked(self, call: _Call, requests: Any) -> Any:
        """Carry the call out. Raises UnauthenticatedError (TOKEN_INVALID) if the caller's token ends first."""
        ended: asyncio.Future[ArenaError] = asyncio.get_running_loop().create_future()

        def end(why: ArenaError) -> None:
            if not ended.done():
                ended.set_result(why)

        with self._admission_control.entered(call.context, end):
            task = asyncio.ensure_future(self._answer(call, requests))
            try:
                await asyncio.wait({task, ended}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                task.cancel()
                await asyncio.wait({task})
        if ended.done() and task.cancelled():
            raise ended.result()
        return task.result()

    async def _answer(self, call: _Call, requests: Any) -> Any:
        """Run the method when the caller's budget allows, and the request has been read."""
        await self._admission_control.turn(call.source)
        if not call.handler.request_streaming:
            requests = await self._admission_control.receiver(call.source).read(call.context)
        try:
            if not call.of_arena:
                return await self._respond(call, requests)
            # The token comes first: strangers learn nothing else.
            await self._authenticate(call)
            if not call.handler.request_streaming:
                return await self._respond(call, _read(call.handler, requests))
            with self._uploads.taken(current_caller().owner):
                return await self._respond(call, _requests(call.handler, requests))
        except grpc.aio.BaseError:
            raise  # gRPC's own: the caller is gone, or the call was aborted
        # The root of the call: only errors of the table pass.
        except Exception as error:  # noqa: BLE001
            await abort(call.context, await self._with_names(call.method, self._refusal(call.method, error)))

    async def _with_names(self, method: str, refusal: ArenaError) -> ArenaError:
        """Return the error with what the caller may have meant, if they may list names."""
        is_missing = isinstance(refusal, errors.NotFoundError) and RULES[method].right is not Right.ANYBODY
        if self._nearest is None or not is_missing or not current_caller().has(Scope.READ):
            return refusal
        return await self._nearest.added(refusal)

    async def _authenticate(self, call: _Call) -> None:
        """Check that the caller may call the method, and make them the current caller. Raises ArenaError."""
        rule = RULES[call.method]
        if rule.right is not Right.ANYBODY:
            caller = await self._admission_control.authenticate(call.context)
            words = _WORD.findall(call.method.rpartition("/")[2])  # of ".../ListUsers"
            check_rule(f'"{" ".join(words).capitalize()}"', rule, caller)
            act_as(caller)

    async def _respond(self, call: _Call, request: Any) -> Any:
        """Run the method; return its response, or write all of them."""
        handler = call.handler
        function = (
            handler.unary_unary or handler.unary_stream or handler.stream_unary or handler.stream_stream
        )
        responses = function(request, call.context)
        if not isawaitable(responses):
            return await self._write_all(call, responses)
        work = ReadWork()
        read_work.set(work)
        response = await responses
        if isinstance(response, Message):
            # A short answer may be the end of a long read, such as a history of which a few points are shown.
            cost_s = max(response.ByteSize() * limits.ANSWER_BYTE_S, work.seconds)
            self._admission_control.charge(call.source, cost_s)
        self._add_announced_time(call)
        return response

    def _add_announced_time(self, call: _Call) -> None:
        """Add when the newest announcement was created, for callers who may list them: they need not ask each time."""
        rule, newest_us = RULES.get(call.method), self._announced_us()
        has_caller = rule is not None and rule.right is not Right.ANYBODY
        if newest_us is not None and has_caller and current_caller().has(Scope.READ):
            call.context.set_trailing_metadata(((ANNOUNCED_KEY, str(newest_us)),))

    async def _write_all(self, call: _Call, responses: AsyncGenerator[Any]) -> None:
        """Write the responses. Raises DeadlineExceededError (SLOW_READER)."""
        watched = call.method == _WATCH
        within_s = limits.WATCHER_WRITE_S if watched else limits.DOWNLOAD_WRITE_S
        byte_s = limits.WATCHED_BYTE_S if watched else limits.ANSWER_BYTE_S
        async with aclosing(responses):
            async for response in responses:
                if isinstance(response, Message):
                    self._admission_control.charge(call.source, response.ByteSize() * byte_s)
                write = asyncio.ensure_future(call.context.write(response))
                try:
                    await asyncio.wait({write}, timeout=within_s)
                    if not write.done():
                        _log.warning("slow reader dropped", method=call.method, after_s=within_s)
                        await responses.aclose()
                        # gRPC sends no status before a message that is still on its way. The reader may yet read it.
                        await write
                        raise errors.DeadlineExceededError(
                            ErrorReason.SLOW_READER,
                            f"A response was not read for {within_s:g} s. Read the stream as it comes.",
                        )
                    write.result()
                except asyncio.CancelledError:
                    await responses.aclose()
                    await asyncio.wait({write})  # likewise, where the arena ends the call
                    raise
                finally:
                    write.cancel()

    def _refusal(self, method: str, error: Exception) -> ArenaError:
        """Return the error that the caller sees; log a fault of the arena under the id that the error names."""
        refusal = as_arena_error(error)
        if refusal is not None:
            return refusal
        error_id = self._new_error_id()
        _log.error("call failed", method=method, error_id=error_id, exc_info=error)
        call = method.rpartition("/")[2]
        self._audit(
            AuditKind.INTERNAL_ERROR,
            f"a call of {call} failed by an error of the arena; the service log has details under the id {error_id}",
            facts=(("error_id", error_id), ("call", call), *exception_facts(error)),
        )
        return internal_error(error_id)


def refusing(error: ArenaError) -> Any:
    """Return a handler that answers any call with this error, without reading it."""

    async def refuse(_requests: object, context: Context) -> None:
        await abort(context, error)

    return grpc.stream_stream_rpc_method_handler(refuse)


def _read(handler: Any, data: bytes) -> Message:
    """Parse a request of the method. Raises InvalidArgumentError (MALFORMED_MESSAGE)."""
    try:
        request: Message = handler.request_deserializer(data)
    except DecodeError:
        raise errors.InvalidArgumentError(
            ErrorReason.MALFORMED_MESSAGE, "The request cannot be read; is the client's .proto the arena's?"
        ) from None
    return request


async def _requests(handler: Any, pieces: AsyncIterator[bytes]) -> AsyncIterator[Message]:
    """Parse the requests of an upload. Raises InvalidArgumentError, DeadlineExceededError (REQUEST_INCOMPLETE)."""
    pieces = aiter(pieces)
    while True:
        try:
            async with asyncio.timeout(limits.PIECE_WITHIN_S):
                data = await anext(pieces)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise incomplete(limits.PIECE_WITHIN_S) from None
        yield _read(handler, data)


def _check_metadata(metadata: Metadata) -> None:
    """Raise ResourceExhaustedError (MALFORMED_MESSAGE) if the metadata that gRPC let through is too large."""
    fields = tuple(metadata)
    size = sum(len(key) + len(value) for key, value in fields)
    if len(fields) > limits.METADATA_FIELDS or size > limits.METADATA_BYTES:
        raise errors.ResourceExhaustedError(
            ErrorReason.MALFORMED_MESSAGE,
            f"The metadata of the call is more than {limits.METADATA_FIELDS} fields or {limits.METADATA_BYTES} bytes; "
            "send less.",
        )
