"""The clock and alarms of a real event loop, asyncio's own and uvloop's."""

import asyncio
import socket
import time
import weakref
from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import Any

import pytest
import uvloop

from arena.runner.timers import LoopTimers
from tests.unit.runner.fakes import without_garbage_collector

LoopFactory = Callable[[], asyncio.AbstractEventLoop]
LOOPS = pytest.mark.parametrize("new_loop", [asyncio.new_event_loop, uvloop.new_event_loop])


@LOOPS
def test_an_answer_in_a_socket_is_handled_before_a_due_alarm(new_loop: LoopFactory) -> None:
    """Through the three turns of the loop that it takes: woken, read and queued, handled."""
    happened: list[str] = []
    ours, theirs = socket.socketpair()
    with closing(new_loop()) as loop, ours, theirs:

        def wake() -> None:
            ours.recv(1)
            loop.call_soon(read)

        def read() -> None:
            loop.call_soon(happened.append, "answer")

        def verdict() -> None:
            happened.append("verdict")
            loop.stop()

        def begin() -> None:
            """Let the alarm go off in the turn in which the answer arrives, before the loop has read it."""
            clock = LoopTimers(loop)
            clock.call_at(clock.now(), verdict)
            loop.call_at(loop.time(), theirs.send, b"x")

        loop.add_reader(ours, wake)
        loop.call_soon(begin)
        loop.run_forever()
    assert happened == ["answer", "verdict"]


@LOOPS
def test_an_alarm_cancelled_while_sockets_are_read_does_not_go_off(new_loop: LoopFactory) -> None:
    happened: list[str] = []
    with closing(new_loop()) as loop:

        def after_turns(turns: int, call: Callable[[], object]) -> None:
            if turns:
                loop.call_soon(after_turns, turns - 1, call)
            else:
                call()

        def begin() -> None:
            clock = LoopTimers(loop)
            alarm = clock.call_at(clock.now(), partial(happened.append, "alarm"))
            after_turns(3, alarm.cancel)
            after_turns(20, loop.stop)

        loop.call_soon(begin)
        loop.run_forever()
    assert happened == []


@LOOPS
def test_an_alarm_that_has_gone_off_holds_on_to_nothing(new_loop: LoopFactory) -> None:
    """Not even until the garbage collector comes: a match would wait for it together with its last alarm."""

    class Match:
        def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
            self.loop = loop
            self.alarm = LoopTimers(loop).call_at(0, self.wake)

        def wake(self) -> None:
            self.loop.stop()

    with closing(new_loop()) as loop, without_garbage_collector():
        match = Match(loop)
        loop.run_forever()
        gone = weakref.ref(match)
        del match
        assert gone() is None


class EarlyLoop:
    """A loop whose alarms go off half a millisecond too early, as uvloop's may, and which has a clock of its own."""

    def __init__(self) -> None:
        self.now_ns = 0
        self.rang_at: list[int] = []

    def time(self) -> float:
        return self.now_ns / 1e9

    def call_at(self, when: float, call: Callable[..., None], *arguments: Any) -> asyncio.Handle:
        self.now_ns = max(self.now_ns, round(when * 1e9) - 500_000)
        return self.call_soon(call, *arguments)

    def call_soon(self, call: Callable[..., None], *arguments: Any) -> asyncio.Handle:
        call(*arguments)
        return object.__new__(asyncio.Handle)


def test_an_alarm_never_goes_off_before_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = EarlyLoop()
    monkeypatch.setattr(time, "monotonic_ns", lambda: loop.now_ns)
    LoopTimers(loop).call_at(7_000_000, lambda: loop.rang_at.append(loop.now_ns))  # type: ignore[arg-type]
    assert len(loop.rang_at) == 1
    assert 7_000_000 <= loop.rang_at[0] < 8_000_000
