"""Waiting of a script: until a condition holds, a rule is broken, the program has ended, or patience is over."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar

from arena.conformance.bot_process import BotProcess, how_ended
from arena.conformance.verdict import NotTriedError, Requirement, UnmetError

START_PATIENCE: Final = 3
"""The factor for the patience until the first connection."""

_MOST_WAITED: Final = 12
"""Waiting for a processor lengthens patience by at most so many times itself."""

_POLL_SECONDS: Final = 0.05
_LAST_WORDS_SECONDS: Final = 0.2
"""Messages of a program that has ended may still be on their way so long."""

_LAST_BREATH_SECONDS: Final = 2.0
"""The connection of a program that ends may be gone so long before it."""

T = TypeVar("T")


class Stopwatch:
    """The time that a program had.

    It counts neither waiting of the program for a processor, nor time in which this process did not run."""

    def __init__(
        self, now: Callable[[], float], waited_s: Callable[[], float], *, read_every_s: float
    ) -> None:
        """Start. `waited_s`: how long the program and the kit have waited for a processor by now.

        `read_every_s`: the time between two readings; a reading that comes later is late because this process did not
        run.
        """
        self._now = now
        self._waited_s = waited_s
        self._every_s = read_every_s
        self._waited_before_s = waited_s()
        self._read_at = now()
        self._awake_s = 0.0

    def read(self) -> float:
        """Return the seconds so far."""
        now = self._now()
        self._awake_s += min(now - self._read_at, self._every_s)
        self._read_at = now
        return self._awake_s - (self._waited_s() - self._waited_before_s)


class Waiter:
    """The waits of one scenario. `wake` is called whenever something has changed."""

    def __init__(self, patience: float, lull: float) -> None:
        """`patience`: seconds after which what has not come is missing; `lull`: those of a `pause`."""
        self.patience = patience
        self._lull = lull
        self.program: BotProcess | None = None
        """Once it is started."""
        self.has_connected = False
        """Whether the program has ever connected."""
        self.is_to_end = False
        """Whether the program was sent a signal to end."""
        self._changed = asyncio.Event()
        self._failure: UnmetError | NotTriedError | None = None

    def wake(self) -> None:
        """Wake `until`: something has changed."""
        self._changed.set()

    def fail(self, error: UnmetError | NotTriedError) -> None:
        """Record that the bot has broken a rule or resigned; every wait raises it. Only the first error counts."""
        self._failure = self._failure or error
        self.wake()

    def check(self) -> None:
        """Raise UnmetError if a rule was broken, NotTriedError if the bot has resigned."""
        if self._failure is not None:
            raise self._failure

    async def until(
        self,
        found: Callable[[], T | None],
        what: str,
        requirement: Requirement,
        *,
        lost: Callable[[], str] = str,
    ) -> T:
        """Return what `found` gives, once it is not None.

        `what`: what the bot has to do, for example "send `ready`"; `lost`: how it has disconnected, empty if it has
        not. Raises UnmetError: a rule was broken; or, with the requirement, the bot has disconnected, has ended, or
        takes too long.
        """
        loop = asyncio.get_running_loop()
        patience = self.patience if self.has_connected else START_PATIENCE * self.patience
        last = loop.time() + (1 + _MOST_WAITED) * patience
        time_of = Stopwatch(loop.time, self._waited_s, read_every_s=_POLL_SECONDS)
        gone: float | None = None
        while True:
            self.check()
            if (value := found()) is not None:
                return value
            spent = time_of.read()
            if gone is None and (lost() or self.code() is not None):
                gone = spent
            code = self.code()
            if gone is not None and spent > gone + (
                _LAST_BREATH_SECONDS if code is None else _LAST_WORDS_SECONDS
            ):
                end = f"It {lost()}" if code is None else f"Its program ended ({how_ended(code)})"
                raise UnmetError(
                    f"{end} where it had to {what}.",
                    requirement,
                    ended=code is not None and not self.is_to_end,
                )
            if spent > patience or loop.time() > last:
                raise UnmetError(f"It did not {what} within {patience:g} s.", requirement)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), _POLL_SECONDS)
                self._changed.clear()

    def _waited_s(self) -> float:
        """Return how long the program waited for a processor: that costs it no patience."""
        return 0.0 if self.program is None else self.program.waited_s()

    def code(self) -> int | None:
        """Return the exit code of the program; None while it runs."""
        return None if self.program is None else self.program.code()

    async def pause(self) -> None:
        """Wait a short while in which the bot has nothing to do. Raises UnmetError if it breaks a rule."""
        await asyncio.sleep(self._lull)
        self.check()
