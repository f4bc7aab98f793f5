"""Frames are handled in order and in short turns of the loop, and those that take long are noted for their owner."""

import asyncio
import time

import pytest

from arena.server.play.frame_queue import NOTED_NS, TURN_NS, FrameQueue


class SlowClock:
    """Time that passes only while frames are handled."""

    def __init__(self) -> None:
        self.ns = 0
        self.heard: list[str] = []
        """The frames that were handled."""


class Bot:
    """A connection that needs some time for each frame."""

    def __init__(self, clock: SlowClock, owner: str, takes_ns: int) -> None:
        self.owner = owner
        self._clock = clock
        self._takes_ns = takes_ns

    def handle_frame(self, data: bytes, received: int) -> None:
        self._clock.ns += self._takes_ns
        self._clock.heard.append(f"{self.owner} {data.decode()} {received}")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SlowClock:
    """Return the clock that the queue reads."""
    clock = SlowClock()
    monkeypatch.setattr(time, "monotonic_ns", lambda: clock.ns)
    return clock


async def test_the_loop_gets_its_turn_after_a_few_milliseconds_of_frames(clock: SlowClock) -> None:
    queue = FrameQueue(lambda _owner, _took: None)
    for number in range(10):
        queue.put(Bot(clock, f"bot{number}", TURN_NS // 2), b"hello", number)
    turns: list[int] = []
    while len(clock.heard) < 10:
        await asyncio.sleep(0)
        turns.append(len(clock.heard))
    assert clock.heard == [f"bot{number} hello {number}" for number in range(10)]
    assert turns == [2, 4, 6, 8, 10]


async def test_frames_that_take_long_are_noted_for_the_owner_of_their_bot(clock: SlowClock) -> None:
    noted: list[tuple[str, int]] = []
    queue = FrameQueue(lambda owner, took: noted.append((owner, took)))
    queue.put(Bot(clock, "ada", NOTED_NS), b"", 0)
    queue.put(Bot(clock, "mallory", NOTED_NS + 1), b"", 0)
    await queue.handled()
    assert noted == [("mallory", NOTED_NS + 1)]


async def test_handled_returns_after_all_frames_before_it(clock: SlowClock) -> None:
    bot, queue = Bot(clock, "ada", TURN_NS), FrameQueue(lambda _owner, _took: None)
    await queue.handled()
    for number in range(3):
        queue.put(bot, b"hello", number)
    await queue.handled()
    assert clock.heard == ["ada hello 0", "ada hello 1", "ada hello 2"]
