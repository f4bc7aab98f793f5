"""Requests that come late or never: how many are waited for, and which give way."""

import asyncio
from typing import Any, cast

import grpc
import pytest

from arena.core.errors import ArenaError, ErrorReason
from arena.server import receiving
from arena.server.context import Context
from arena.server.receiving import RequestReceiver


class Call:
    """A call whose request comes when the test says so."""

    def __init__(self) -> None:
        self._request: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self.asked_for = asyncio.Event()

    async def read(self) -> object:
        self.asked_for.set()
        return await self._request

    def comes(self, request: object = b"x") -> None:
        self._request.set_result(request)

    def on(self, receiver: RequestReceiver) -> asyncio.Task[object]:
        return asyncio.create_task(receiver.read(cast(Context, cast(Any, self))))


async def reason_of(read: asyncio.Task[object]) -> ErrorReason:
    """Why the request was not waited for any longer."""
    with pytest.raises(ArenaError) as refused:
        await read
    return refused.value.reason


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiving, "REQUEST_GIVES_WAY_S", 0.01)


async def test_a_complete_request_is_read_however_many_others_are_incomplete() -> None:
    receiver = RequestReceiver(2, 2)
    late = [Call().on(receiver) for _ in range(2)]
    await asyncio.sleep(0)
    call = Call()
    call.comes()
    assert await call.on(receiver) == b"x"
    reasons = [await reason_of(each) for each in late[:1]]
    assert reasons == [ErrorReason.RATE_LIMITED]
    late[1].cancel()


async def test_the_oldest_request_gives_way_first_and_only_where_others_wait() -> None:
    receiver = RequestReceiver(2, 2)
    old, young = Call(), Call()
    reads = [old.on(receiver), young.on(receiver)]
    await young.asked_for.wait()
    third = Call()
    read = third.on(receiver)
    await third.asked_for.wait()
    assert await reason_of(reads[0]) is ErrorReason.RATE_LIMITED
    assert not reads[1].done()
    young.comes()
    third.comes()
    assert [await reads[1], await read] == [b"x", b"x"]


async def test_one_call_that_waits_ends_one_read_however_long_its_place_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(receiving, "REQUEST_GIVES_WAY_S", 0)
    receiver = RequestReceiver(3, 1)
    calls = [Call() for _ in range(3)]
    reads = [call.on(receiver) for call in calls]
    await calls[-1].asked_for.wait()
    late = Call()
    read = late.on(receiver)
    await late.asked_for.wait()  # the loop had turns enough to end every read
    assert [each.done() for each in reads] == [True, False, False]
    for call in (*calls[1:], late):
        call.comes()
    assert await reason_of(reads[0]) is ErrorReason.RATE_LIMITED
    assert [await each for each in (*reads[1:], read)] == [b"x"] * 3


async def test_a_request_that_has_arrived_does_not_give_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiving, "REQUEST_GIVES_WAY_S", 0)
    receiver = RequestReceiver(1, 1)
    old, young = Call(), Call()
    reads = [old.on(receiver), young.on(receiver)]
    await old.asked_for.wait()  # and now both have had their turn: the older one gives way
    old.comes()
    young.comes()
    assert [await read for read in reads] == [b"x", b"x"]


async def test_more_calls_than_may_wait_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiving, "REQUEST_GIVES_WAY_S", 60)
    receiver = RequestReceiver(1, 1)
    reads = [Call().on(receiver) for _ in range(3)]
    assert await reason_of(reads[2]) is ErrorReason.RATE_LIMITED
    for read in reads[:2]:
        assert not read.done()
        read.cancel()


async def test_a_request_that_does_not_come_in_time_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiving, "REQUEST_WITHIN_S", 0.01)
    receiver = RequestReceiver(1, 1)
    assert await reason_of(Call().on(receiver)) is ErrorReason.REQUEST_INCOMPLETE
    call = Call()
    call.comes()
    assert await call.on(receiver) == b"x"  # its place is free again


async def test_a_call_without_a_request_is_malformed() -> None:
    call = Call()
    call.comes(grpc.aio.EOF)
    assert await reason_of(call.on(RequestReceiver(1, 1))) is ErrorReason.MALFORMED_MESSAGE
