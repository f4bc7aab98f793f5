"""Every call but Play, from its door to its end: who pays for it, and how long it may wait for its reader."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, nullcontext
from inspect import isawaitable
from typing import Any, Final

import grpc
import structlog
from google.protobuf.message import Message

from arena.core.errors import ArenaError, DeadlineExceededError, ErrorReason
from arena.server.auth.admission_control import AdmissionControl
from arena.server.auth.permissions import RULES
from arena.server.auth.rate_limiter import CallSource
from arena.server.context import Context
from arena.server.errors import abort
from arena.server.limits import ANSWER_BYTE_S, DOWNLOAD_WRITE_S, WATCHED_BYTE_S, WATCHER_WRITE_S

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
