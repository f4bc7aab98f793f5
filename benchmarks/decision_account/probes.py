"""Probes that share the processor time of one thread out among sections, and what a probe itself costs.

A probe reads the thread's clock where a section begins and ends. Time goes to the innermost section, so that the
sections of a thread add up to its whole time. Each probe adds its own time: a part to the section that it opens, and a
part to the section around it. Both are measured by `measure_costs`, and `Spent.corrected` takes them off.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator
from contextvars import Context
from functools import partial, wraps
from statistics import median
from threading import get_ident
from typing import Any, Final, ParamSpec, TypeVar

import uvloop

P = ParamSpec("P")
T = TypeVar("T")

CALL: Final = 0
STEP: Final = 1
CALLBACK: Final = 2
KINDS: Final = 3
"""Of probes: around a call, around a step of an awaitable, around a callback of the loop."""

_TIMES: Final = 5_000
_RUNS: Final = 5


class Section:
    """What a thread has spent in one part of its work, and the probes that were in the way."""

    __slots__ = ("entered", "name", "scheduled", "spent_ns", "within")

    def __init__(self, name: str) -> None:
        self.name = name
        self.spent_ns = 0
        self.entered = [0] * KINDS
        """How often it was opened, by the kind of the probe."""
        self.within = [0] * KINDS
        """How often another section was opened in it."""
        self.scheduled = 0
        """How many callbacks were given to the loop in it."""

    def counts(self) -> dict[str, Any]:
        """Return everything as JSON, as `account.Spent` takes it."""
        return {
            "spent_ns": self.spent_ns,
            "entered": list(self.entered),
            "within": list(self.within),
            "scheduled": self.scheduled,
        }


class SectionClock:
    """Shares the time of the thread that creates it out among sections."""

    def __init__(self, base: str) -> None:
        """Begin in `base`, the section of everything outside all others."""
        self.thread = get_ident()
        self.sections: dict[str, Section] = {}
        self._current = self.section(base)
        self._outer: list[Section] = []
        self._since = time.thread_time_ns()

    def section(self, name: str) -> Section:
        """Return the section of that name, made when it is first asked for."""
        return self.sections.setdefault(name, Section(name))

    def enter(self, section: Section, kind: int) -> None:
        """Open a section in the current one."""
        now = time.thread_time_ns()
        outer = self._current
        outer.spent_ns += now - self._since
        outer.within[kind] += 1
        section.entered[kind] += 1
        self._outer.append(outer)
        self._current = section
        self._since = now

    def leave(self) -> None:
        """Close the current section."""
        now = time.thread_time_ns()
        self._current.spent_ns += now - self._since
        self._current = self._outer.pop()
        self._since = now

    def settle(self) -> None:
        """Count what was spent since the last probe, too. Called from another thread, while this one rests."""
        now = time.clock_gettime_ns(time.pthread_getcpuclockid(self.thread))
        self._current.spent_ns += now - self._since
        self._since = now

    def note_scheduled(self) -> None:
        """Note that a callback is given to the loop."""
        self._current.scheduled += 1


def probed(clock: SectionClock, section: Section, function: Callable[P, T]) -> Callable[P, T]:
    """Return the function with a probe around each call in the clock's thread."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        if get_ident() != clock.thread:
            return function(*args, **kwargs)
        clock.enter(section, CALL)
        try:
            return function(*args, **kwargs)
        finally:
            clock.leave()

    return call


class ProbedAwaitable:
    """An awaitable with a probe around each of its steps; while it is suspended, its section is closed."""

    __slots__ = ("_clock", "_section", "_steps")

    def __init__(self, clock: SectionClock, section: Section, inner: Awaitable[Any]) -> None:
        self._clock = clock
        self._section = section
        self._steps = inner.__await__()

    def __await__(self) -> Generator[Any, Any, Any]:
        return self  # type: ignore[return-value]  # it has all that `await` uses of a generator

    def __iter__(self) -> "ProbedAwaitable":
        return self

    def __next__(self) -> Any:
        return self.send(None)

    def send(self, value: Any) -> Any:
        """Run to the next suspension."""
        self._clock.enter(self._section, STEP)
        try:
            return self._steps.send(value)
        finally:
            self._clock.leave()

    def throw(self, *error: Any) -> Any:
        """Raise the error where the awaitable is suspended."""
        self._clock.enter(self._section, STEP)
        try:
            return self._steps.throw(*error)
        finally:
            self._clock.leave()


class ProbedLoop(uvloop.Loop):
    """An event loop with a probe around each callback while `on`. What runs between callbacks is the loop's own."""

    on = False
    """Of all loops of this class. While it is false, `call_soon` and `call_later` are uvloop's."""

    def __init__(self, clock: SectionClock, section_of: Callable[[Callable[..., object]], Section]) -> None:
        """`section_of`: returns the section of a callback."""
        super().__init__()
        self._clock = clock
        self._section_of = section_of

    @classmethod
    def switch(cls, *, on: bool) -> None:
        """Put the probes in, or take them out."""
        cls.on = on
        for method in (_call_soon, _call_later):
            name = method.__name__.removeprefix("_")
            if on:
                setattr(cls, name, method)
            elif name in vars(cls):
                delattr(cls, name)

    def add_reader(  # type: ignore[override]  # the types of the arguments are not followed
        self, fd: Any, callback: Callable[..., object], *args: Any
    ) -> None:
        """Call whenever there is something to read."""
        super().add_reader(fd, self._read, callback, args)

    def _read(self, callback: Callable[..., object], args: tuple[Any, ...]) -> None:
        if self.on:
            self.run_probed(callback, args)
        else:
            callback(*args)

    def run_probed(self, callback: Callable[..., object], args: tuple[Any, ...]) -> None:
        """Call it in its section."""
        self._clock.enter(self._section_of(callback), CALLBACK)
        try:
            callback(*args)
        finally:
            self._clock.leave()

    def note_scheduled(self) -> None:
        """Count a callback for the section that schedules it."""
        self._clock.note_scheduled()


def _call_soon(
    self: ProbedLoop, callback: Callable[..., object], *args: Any, context: Context | None = None
) -> asyncio.Handle:
    self.note_scheduled()
    return uvloop.Loop.call_soon(self, self.run_probed, callback, args, context=context)


def _call_later(
    self: ProbedLoop,
    delay: float,
    callback: Callable[..., object],
    *args: Any,
    context: Context | None = None,
) -> asyncio.TimerHandle:
    # uvloop's `call_at` calls this, too.
    self.note_scheduled()
    return uvloop.Loop.call_later(self, delay, self.run_probed, callback, args, context=context)


def measure_costs(
    section_of: Callable[[SectionClock], Callable[[Callable[..., object]], Section]],
) -> dict[str, Any]:
    """Return the nanoseconds that a probe adds: within its section and around it, by kind; and to schedule a callback.

    `section_of`: makes the function that finds the section of a callback, as `ProbedLoop` is to have it.
    """
    runs = [_costs(section_of) for _ in range(_RUNS)]
    return {
        "within": [median(run[0][kind] for run in runs) for kind in range(KINDS)],
        "around": [median(run[1][kind] for run in runs) for kind in range(KINDS)],
        "schedule": median(run[2] for run in runs),
    }


def _costs(
    section_of: Callable[[SectionClock], Callable[[Callable[..., object]], Section]],
) -> tuple[list[float], list[float], float]:
    clock = SectionClock("base")
    section = clock.section("probe")
    call_within, call_around = _cost_of_call(clock, section)
    bare = _driven(_operation)
    step = (_driven(lambda: ProbedAwaitable(clock, section, _operation())) - bare) / 2
    bare_schedule, bare_turn = _turns(uvloop.new_event_loop)
    ProbedLoop.switch(on=True)
    schedule, turn = _turns(partial(ProbedLoop, clock, section_of(clock)))
    ProbedLoop.switch(on=False)
    schedule = max(0.0, schedule - bare_schedule)
    callback = max(0.0, turn - bare_turn - schedule - call_within)
    # What is counted within a section is the same code for all kinds.
    return [call_within] * KINDS, [call_around, max(0.0, step - call_within), callback], schedule


def _nothing() -> None:
    """Do nothing."""


def _cost_of_call(clock: SectionClock, section: Section) -> tuple[float, float]:
    began = time.thread_time_ns()
    for _ in range(_TIMES):
        pass
    empty = time.thread_time_ns()
    for _ in range(_TIMES):
        _nothing()
    bare = time.thread_time_ns()
    function, spent = probed(clock, section, _nothing), section.spent_ns
    before = time.thread_time_ns()
    for _ in range(_TIMES):
        function()
    total, spent = time.thread_time_ns() - before, section.spent_ns - spent
    loop, own = empty - began, (bare - empty) - (empty - began)
    return max(0.0, (spent - own) / _TIMES), max(0.0, (total - spent - loop) / _TIMES)


class _Suspended:
    def __await__(self) -> Generator[None, None, None]:
        yield


async def _operation() -> None:
    """Suspend once, as an operation of gRPC does: two steps."""
    await _Suspended()


def _driven(operation: Callable[[], Awaitable[None]]) -> float:
    """Return the nanoseconds of one operation."""

    async def repeat() -> None:
        for _ in range(_TIMES):
            await operation()

    steps = repeat()
    began = time.thread_time_ns()
    try:
        while True:
            steps.send(None)
    except StopIteration:
        return (time.thread_time_ns() - began) / _TIMES


def _turns(new_loop: Callable[[], asyncio.AbstractEventLoop]) -> tuple[float, float]:
    """Return the nanoseconds to schedule a callback, and of a whole turn of a task, scheduling included."""

    async def repeat() -> tuple[float, float]:
        loop = asyncio.get_running_loop()
        began = time.thread_time_ns()
        for _ in range(_TIMES):
            loop.call_soon(_nothing)
        scheduled = time.thread_time_ns() - began
        await asyncio.sleep(0)
        began = time.thread_time_ns()
        for _ in range(_TIMES):
            await asyncio.sleep(0)
        return scheduled / _TIMES, (time.thread_time_ns() - began) / _TIMES

    with asyncio.Runner(loop_factory=new_loop) as runner:
        return runner.run(repeat())
