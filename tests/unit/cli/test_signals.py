"""Signals that ask to stop become one exception, and what must be done whole is done whole."""

import asyncio
import os
import signal
from collections.abc import Iterator

import pytest

from arena.cli.framework.signals import (
    STOPPING,
    Interrupted,
    Interruption,
    interruptible,
    run_interruptible,
)


def send(number: int) -> None:
    os.kill(os.getpid(), number)


@pytest.mark.parametrize("number", STOPPING)
def test_a_signal_that_asks_to_stop_raises(number):
    with interruptible(), pytest.raises(Interrupted) as raised:
        send(number)

    assert raised.value.number == number


def test_a_held_block_completes_before_the_signal_raises():
    done = []

    def work(interruption: Interruption) -> None:
        with interruption.held():
            send(signal.SIGTERM)
            done.append("inside")
        done.append("after")

    with interruptible() as interruption, pytest.raises(Interrupted):
        work(interruption)

    assert done == ["inside"]


def test_a_second_signal_does_not_raise_but_is_known():
    with interruptible() as interruption:
        with pytest.raises(Interrupted):
            send(signal.SIGINT)
        assert (interruption.arrived(), interruption.again()) == (signal.SIGINT, False)
        send(signal.SIGTERM)
        assert (interruption.arrived(), interruption.again()) == (signal.SIGINT, True)


def test_an_ignored_signal_does_not_raise_but_is_known():
    with interruptible() as interruption:
        interruption.ignore()
        send(signal.SIGTERM)
        assert (interruption.arrived(), interruption.again()) == (signal.SIGTERM, False)


def test_the_handlers_are_as_before_afterwards():
    before = [signal.getsignal(number) for number in STOPPING]
    with interruptible():
        pass
    assert [signal.getsignal(number) for number in STOPPING] == before


@pytest.fixture
def under_nohup() -> Iterator[None]:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    yield
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("under_nohup")
def test_a_command_under_nohup_outlives_its_terminal():
    async def work() -> str:
        send(signal.SIGHUP)
        await asyncio.sleep(0)
        return "done"

    with interruptible():
        send(signal.SIGHUP)
    assert run_interruptible(work) == "done"


@pytest.mark.usefixtures("under_nohup")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_command_under_nohup_stops_at_all_else(number):
    with interruptible(), pytest.raises(Interrupted):
        send(number)
