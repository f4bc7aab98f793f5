"""Frames are handled in order and in short turns of the loop, and those that take long are noted for their owner."""

import asyncio
import time

import pytest

from arena.server.play.frame_queue import NOTED_NS, TURN_NS, FrameQueue


class SlowClock:
    """Time that passes only while frames are handled."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ns = 0
        monkeypatch.setattr(time, "monotonic_ns", lambda: self.ns)


class Bot:
    """A connection that needs some time for each frame."""

    def __init__(self, clock: SlowClock, owner: str, takes_ns: int, heard: list[str]) -> None:
        self.owner = owner
        self._clock = clock
        self._takes_ns = takes_ns
        self._heard = heard

    def handle_frame(self, data: bytes, received: int) -> None:
        self._clock.ns += self._takes_ns
        self._heard.append(f"{self.owner} {data.decode()} {received}")


def test_the_loop_gets_its_turn_after_a_few_milliseconds_of_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    turns: list[int] = []

    async def frame() -> None:
        clock = SlowClock(monkeypatch)
        queue = FrameQueue(lambda _owner, _took: None)
        crowd = [Bot(clock, f"bot{number}", TURN_NS // 2, heard) for number in range(10)]
        for number, bot in enumerate(crowd):
            queue.put(bot, b"hello", number)
        while len(heard) < len(crowd):
            await asyncio.sleep(0)
            turns.append(len(heard))

    asyncio.run(frame())
    assert heard == [f"bot{number} hello {number}" for number in range(10)]
    assert turns == [2, 4, 6, 8, 10]


def test_frames_that_take_long_are_noted_for_the_owner_of_their_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[tuple[str, int]] = []

    async def frame() -> None:
        clock = SlowClock(monkeypatch)
        queue = FrameQueue(lambda owner, took: noted.append((owner, took)))
        queue.put(Bot(clock, "ada", NOTED_NS, []), b"", 0)
        queue.put(Bot(clock, "mallory", NOTED_NS + 1, []), b"", 0)
        await queue.handled()

    asyncio.run(frame())
    assert noted == [("mallory", NOTED_NS + 1)]


def test_who_waits_for_the_queue_waits_for_all_frames_before(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []

    async def frame() -> None:
        bot = Bot(SlowClock(monkeypatch), "ada", TURN_NS, heard)
        queue = FrameQueue(lambda _owner, _took: None)
        await queue.handled()
        for number in range(3):
            queue.put(bot, b"hello", number)
        await queue.handled()

    asyncio.run(frame())
    assert heard == ["ada hello 0", "ada hello 1", "ada hello 2"]
