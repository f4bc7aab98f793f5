"""How long the kit waits for a bot, where the machine lets neither of them run all the time."""

import asyncio
from collections.abc import Callable

import pytest

from arena.conformance import requirements, waiter
from arena.conformance.verdict import UnmetError
from arena.conformance.waiter import Stopwatch, Waiter


class Clock:
    """Time that the test moves, and what a program has waited of it."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.waited_s = 7.0

    def stopwatch(self) -> Stopwatch:
        return Stopwatch(lambda: self.now_s, lambda: self.waited_s, read_every_s=0.5)

    def moves(self, seconds: float, *, waited: float = 0.0) -> None:
        self.now_s += seconds
        self.waited_s += waited


def test_time_counts_in_which_the_program_could_run() -> None:
    clock = Clock()
    stopwatch = clock.stopwatch()
    assert stopwatch.read() == 0
    for _ in range(4):
        clock.moves(0.5, waited=0.25)
        stopwatch.read()
    assert stopwatch.read() == pytest.approx(1.0)


def test_a_reading_that_comes_late_counts_as_one_in_time() -> None:
    clock = Clock()
    stopwatch = clock.stopwatch()
    clock.moves(0.25)
    assert stopwatch.read() == pytest.approx(0.25)
    clock.moves(20)
    assert stopwatch.read() == pytest.approx(0.75)


def test_the_waiting_time_of_the_program_may_be_reported_late() -> None:
    clock = Clock()
    stopwatch = clock.stopwatch()
    for _ in range(4):
        clock.moves(0.5)
        stopwatch.read()
    clock.moves(0.5, waited=2.25)
    assert stopwatch.read() == pytest.approx(0.25)


class StandingStill(asyncio.SelectorEventLoop):
    """A loop whose process gets no processor: whenever it looks, much time has passed."""

    def __init__(self, jump_s: float) -> None:
        super().__init__()
        self._passed_s = 0.0
        self._jump_s = jump_s

    def time(self) -> float:
        self._passed_s += self._jump_s
        return super().time() + self._passed_s


def waits(jump_s: float, found: Callable[[], bool | None]) -> bool:
    """Return whether `until` finds it in a process that stalls again and again."""

    async def wait() -> bool:
        each = Waiter(patience=0.2, lull=0.0)
        each.has_connected = True
        return await each.until(found, "answer", requirements.ANSWER)

    with asyncio.Runner(loop_factory=lambda: StandingStill(jump_s)) as runner:
        return runner.run(wait())


def test_a_kit_that_got_no_processor_has_lost_no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiter, "_MOST_WAITED", 10**6)
    looks = iter([None, None, None, True])
    assert waits(30.0, lambda: next(looks))


def test_a_bot_that_does_nothing_is_not_waited_for_for_ever() -> None:
    with pytest.raises(UnmetError, match=r"did not answer within 0\.2 s"):
        waits(0.0, lambda: None)
    with pytest.raises(UnmetError, match=r"did not answer within 0\.2 s"):
        waits(1.0, lambda: None)
