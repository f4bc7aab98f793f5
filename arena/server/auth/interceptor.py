"""What happens around every call: who calls, whether he may, and no exception's text leaves the server."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, nullcontext
from inspect import isawaitable
from typing import Any, Final

import grpc
import structlog
from google.protobuf.message import DecodeError, Message

from arena.core.endings.arena_faults import exception_facts
from arena.core.errors import (
    ArenaError,
    DeadlineExceededError,
    ErrorReason,
    InvalidArgumentError,
    ResourceExhaustedError,
)
from arena.server.auth.admission_control import AdmissionControl, Metadata
from arena.server.auth.call_slots import CallSlots
from arena.server.auth.permissions import RULES, Right, act_as, check_rule, current_caller
from arena.server.auth.rate_limiter import CallSource
from arena.server.context import Context
from arena.server.errors import abort, as_arena_error, internal_error
from arena.server.limits import (
    ANSWER_BYTE_S,
    DOWNLOAD_WRITE_S,
    METADATA_BYTES,
    METADATA_FIELDS,
    PIECE_WITHIN_S,
    UPLOADS,
    UPLOADS_OF_ONE,
    WATCHED_BYTE_S,
    WATCHER_WRITE_S,
)
from arena.server.receiving import incomplete
from arena.store.audit.entries import AuditKind
from arena.store.audit.writer import AuditSink, tell_nobody

_WATCH: Final = "/arena.v1.MatchService/WatchMatch"

_FLOODS: Final = {ErrorReason.REQUEST_INCOMPLETE, ErrorReason.RATE_LIMITED}
"""Calls that end so are not given back: nobody waited for an answer, or there were too many of them."""

_log = structlog.get_logger(__name__)


def attended(method: str, handler: Any, admission_control: AdmissionControl, payer: CallSource | None) -> Any:
    """The handler, its call paid for until it is answered; `payer` is whose token it shows.

    For gRPC all handlers take a stream: it calls those at once, and others only when their request is whole.
    """
    behaviour = handler.unary_unary or handler.unary_stream or handler.stream_unary or handler.stream_stream

    async def attend(requests: object, context: Context) -> Any:
        async def work() -> Any:
            await admission_control.turn(payer)
            request = (
                requests
                if handler.request_streaming
                else await admission_control.receiver(payer).read(context)
            )
            responses = behaviour(request, context)
            if not isawaitable(responses):
                return await _write_all(
                    method, responses, context, lambda work_s: admission_control.charge(payer, work_s)
                )
            response = await responses
            if isinstance(response, Message):
                admission_control.charge(payer, response.ByteSize() * ANSWER_BYTE_S)
            return response

        async def as_long_as_its_token() -> Any:
            with nullcontext() if method in RULES else admission_control.open_streams.taken(""):
                return await _until_ended(work, context, admission_control)

        return await _pay(as_long_as_its_token if goes_on else work, context, admission_control, payer)

    goes_on = handler.request_streaming or handler.response_streaming
    if handler.response_streaming:
        as_stream = grpc.stream_stream_rpc_method_handler
    else:
        as_stream = grpc.stream_unary_rpc_method_handler
    return as_stream(attend, handler.request_deserializer, handler.response_serializer)


def refusing(error: ArenaError) -> Any:
    """A handler that answers any call with this error, without reading it."""

    async def refuse(_requests: object, context: Context) -> None:
        await abort(context, error)

    return grpc.stream_stream_rpc_method_handler(refuse)


async def _pay(
    work: Callable[[], Awaitable[Any]],
    context: Context,
    admission_control: AdmissionControl,
    payer: CallSource | None,
) -> Any:
    try:
        payer = admission_control.take_call_from(context.peer(), payer)
        answer = await work()
    except asyncio.CancelledError:
        payer = None  # The caller has broken it off: that is what a flood is made of.
        raise
    except ArenaError as error:
        if error.reason in _FLOODS:
            payer = None  # likewise
        await abort(context, error)
    finally:
        if payer is not None:
            admission_control.answered(payer)
    return answer


async def _until_ended(
    work: Callable[[], Awaitable[Any]], context: Context, admission_control: AdmissionControl
) -> Any:
    """What the work gives. Raises UnauthenticatedError (TOKEN_INVALID) if the caller's token ends first."""
    ended: asyncio.Future[ArenaError] = asyncio.get_running_loop().create_future()

    def end(why: ArenaError) -> None:
        if not ended.done():
            ended.set_result(why)

    with admission_control.entered(context, end):
        task = asyncio.ensure_future(work())
        try:
            await asyncio.wait({task, ended}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            task.cancel()
            await asyncio.wait({task})
    if ended.done() and task.cancelled():
        raise ended.result()
    return task.result()


async def _write_all(
    method: str, responses: AsyncGenerator[Any], context: Context, charge: Callable[[float], None]
) -> None:
    within_s = WATCHER_WRITE_S if method == _WATCH else DOWNLOAD_WRITE_S
    byte_s = WATCHED_BYTE_S if method == _WATCH else ANSWER_BYTE_S
    async with aclosing(responses):
        async for response in responses:
            if isinstance(response, Message):
                charge(response.ByteSize() * byte_s)
            write = asyncio.ensure_future(context.write(response))
            try:
                await asyncio.wait({write}, timeout=within_s)
                if not write.done():
                    _log.warning("slow reader dropped", method=method, after_s=within_s)
                    await responses.aclose()
                    # gRPC sends no status behind a message that is still on its way: the reader may come back for it.
                    await write
                    raise DeadlineExceededError(
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


def same_arity(handler: Any) -> Any:
    """What makes a handler that takes and gives as many messages as this one."""
    if handler.request_streaming:
        if handler.response_streaming:
            return grpc.stream_stream_rpc_method_handler
        return grpc.stream_unary_rpc_method_handler
    if handler.response_streaming:
        return grpc.unary_stream_rpc_method_handler
    return grpc.unary_unary_rpc_method_handler


_OURS: Final = "/arena.v1."
_WORD: Final = re.compile(r"[A-Z][a-z]*")
_LOG: Final = structlog.get_logger("arena.server")


class Guard(grpc.aio.ServerInterceptor):
    """Stands before every method but Play, which guards itself; those of `arena.v1` learn who calls them."""

    def __init__(
        self,
        admission_control: AdmissionControl,
        new_error_id: Callable[[], str],
        tell: AuditSink = tell_nobody,
    ) -> None:
        """`new_error_id`: fresh ids under which faults of the arena are logged; `tell`: for the audit trail."""
        self._tell = tell
        self._admission_control = admission_control
        self._new_error_id = new_error_id
        self._uploads = CallSlots("uploads", UPLOADS, UPLOADS_OF_ONE)

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """The method's handler, guarded; None for a method that there is not."""
        handler = await continuation(handler_call_details)
        method = handler_call_details.method
        rule = RULES.get(method)
        if handler is None:
            return None
        metadata = handler_call_details.invocation_metadata or ()
        try:
            _check_metadata(metadata)
            if rule is not None and rule.right is Right.PLAYER:
                return handler
            payer = self._admission_control.take_call(metadata)
        except ArenaError as error:
            return refusing(error)
        return attended(method, self._guarded(method, handler), self._admission_control, payer)

    def _guarded(self, method: str, handler: Any) -> Any:
        if not method.startswith(_OURS):
            return handler
        if handler.request_streaming:
            return grpc.stream_unary_rpc_method_handler(
                self._guard_upload(method, handler), response_serializer=handler.response_serializer
            )
        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(
                self._guard_stream(method, handler), response_serializer=handler.response_serializer
            )
        return grpc.unary_unary_rpc_method_handler(
            self._guard_unary(method, handler), response_serializer=handler.response_serializer
        )

    def _guard_unary(self, method: str, handler: Any) -> Any:
        async def guarded(data: bytes, context: Context) -> Message:
            try:
                request = await self._admit(method, handler, data, context)
                response: Message = await handler.unary_unary(request, context)
            # The root of the call: nothing passes but what the table words.
            except Exception as error:  # noqa: BLE001
                return await abort(context, self._refusal(method, error))
            return response

        return guarded

    def _guard_stream(self, method: str, handler: Any) -> Any:
        async def guarded(data: bytes, context: Context) -> AsyncIterator[Message]:
            try:
                request = await self._admit(method, handler, data, context)
                async for response in handler.unary_stream(request, context):
                    yield response
            # The root of the call, as above.
            except Exception as error:  # noqa: BLE001
                await abort(context, self._refusal(method, error))

        return guarded

    def _guard_upload(self, method: str, handler: Any) -> Any:
        async def guarded(pieces: AsyncIterator[bytes], context: Context) -> Message:
            try:
                await self._recognise(method, context)
                with self._uploads.taken(current_caller().owner):
                    response: Message = await handler.stream_unary(_requests(handler, pieces), context)
            # The root of the call, as above.
            except Exception as error:  # noqa: BLE001
                return await abort(context, self._refusal(method, error))
            return response

        return guarded

    async def _admit(self, method: str, handler: Any, data: bytes, context: Context) -> Message:
        """The request, from a caller who may make it. The token comes first: strangers learn nothing else."""
        await self._recognise(method, context)
        return _read(handler, data)

    async def _recognise(self, method: str, context: Context) -> None:
        """The caller may make the call, and the rest of it is made by him."""
        rule = RULES[method]
        if rule.right is not Right.ANYBODY:
            caller = await self._admission_control.recognise(context)
            check_rule(_in_words(method), rule, caller)
            act_as(caller)

    def _refusal(self, method: str, error: Exception) -> ArenaError:
        """What the caller is told; a fault of the arena is logged under the id that he is told."""
        refusal = as_arena_error(error)
        if refusal is not None:
            return refusal
        error_id = self._new_error_id()
        _LOG.error("call failed", method=method, error_id=error_id, exc_info=error)
        call = method.rpartition("/")[2]
        self._tell(
            AuditKind.INTERNAL_ERROR,
            f"a call of {call} failed by an error of the arena; the service log tells more under its id {error_id}",
            facts=(("error_id", error_id), ("call", call), *exception_facts(error)),
        )
        return internal_error(error_id)


def _read(handler: Any, data: bytes) -> Message:
    """A request of the method. Raises InvalidArgumentError (MALFORMED_MESSAGE)."""
    try:
        request: Message = handler.request_deserializer(data)
    except DecodeError:
        raise InvalidArgumentError(
            ErrorReason.MALFORMED_MESSAGE,
            "The request cannot be read; is the client's .proto the arena's?",
        ) from None
    return request


async def _requests(handler: Any, pieces: AsyncIterator[bytes]) -> AsyncIterator[Message]:
    """The requests of an upload. Raises InvalidArgumentError, DeadlineExceededError (REQUEST_INCOMPLETE)."""
    pieces = aiter(pieces)
    while True:
        try:
            async with asyncio.timeout(PIECE_WITHIN_S):
                data = await anext(pieces)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise incomplete(PIECE_WITHIN_S) from None
        yield _read(handler, data)


def _check_metadata(metadata: Metadata) -> None:
    """Raises ResourceExhaustedError (MALFORMED_MESSAGE): what gRPC has let through is too large."""
    fields = tuple(metadata)
    if len(fields) > METADATA_FIELDS or sum(len(key) + len(value) for key, value in fields) > METADATA_BYTES:
        raise ResourceExhaustedError(
            ErrorReason.MALFORMED_MESSAGE,
            f"The metadata of the call is more than {METADATA_FIELDS} fields or {METADATA_BYTES} bytes; send less.",
        )


def _in_words(method: str) -> str:
    """What people call the method, in quotes: "List users" for ".../ListUsers"."""
    words = _WORD.findall(method.rpartition("/")[2])
    return f'"{" ".join(words).capitalize()}"'
