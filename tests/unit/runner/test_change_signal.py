"""A change signal wakes all who wait for its next ring, and keeps no references to cancelled ones."""

import asyncio

from arena.runner.change_signal import ChangeSignal


async def test_a_signal_between_the_check_and_the_wait_is_not_missed() -> None:
    change_signal = ChangeSignal()
    notified = change_signal.notified
    change_signal.notify()
    await asyncio.wait_for(change_signal.after(notified), 5)


async def test_one_signal_wakes_all_waiters_and_none_that_come_later() -> None:
    change_signal = ChangeSignal()
    waiting = [asyncio.ensure_future(change_signal.after(change_signal.notified)) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    change_signal.notify()
    await asyncio.wait_for(asyncio.gather(*waiting[1:]), 5)
    late = asyncio.ensure_future(change_signal.after(change_signal.notified))
    await asyncio.sleep(0)
    assert not late.done()
    change_signal.notify()
    await asyncio.wait_for(late, 5)


async def test_a_waiter_for_the_second_signal_is_not_woken_by_the_first() -> None:
    change_signal = ChangeSignal()
    second = asyncio.ensure_future(change_signal.after(1))
    await asyncio.sleep(0)
    change_signal.notify()
    for _ in range(3):
        await asyncio.sleep(0)
    assert not second.done()
    change_signal.notify()
    await asyncio.wait_for(second, 5)
