"""A bell wakes who waits for its next ring, and keeps nothing of those who have left."""

from __future__ import annotations

import asyncio

from arena.runner.change_signal import ChangeSignal


def test_a_ring_between_the_look_and_the_wait_is_not_missed() -> None:
    async def look_then_wait() -> None:
        bell = ChangeSignal()
        rings = bell.rings
        bell.ring()
        await asyncio.wait_for(bell.after(rings), 5)

    asyncio.run(look_then_wait())


def test_one_ring_wakes_all_who_wait_and_none_who_come_later() -> None:
    async def wait() -> None:
        bell = ChangeSignal()
        waiting = [asyncio.ensure_future(bell.after(bell.rings)) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        bell.ring()
        await asyncio.wait_for(asyncio.gather(*waiting[1:]), 5)
        late = asyncio.ensure_future(bell.after(bell.rings))
        await asyncio.sleep(0)
        assert not late.done()
        bell.ring()
        await asyncio.wait_for(late, 5)

    asyncio.run(wait())


def test_who_waits_for_the_second_ring_is_not_woken_by_the_first() -> None:
    async def wait() -> None:
        bell = ChangeSignal()
        second = asyncio.ensure_future(bell.after(1))
        await asyncio.sleep(0)
        bell.ring()
        for _ in range(3):
            await asyncio.sleep(0)
        assert not second.done()
        bell.ring()
        await asyncio.wait_for(second, 5)

    asyncio.run(wait())
