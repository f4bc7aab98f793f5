"""How a script waits: until it has what it waits for, or a rule is broken, the program has ended, patience is over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

from arena.conformance.program import Program, how_ended
from arena.conformance.verdict import Demand, UnmetError

_POLL_SECONDS: Final = 0.05
_LAST_WORDS_SECONDS: Final = 0.2
"""What a program has sent before it ended may still be on its way."""

T = TypeVar("T")


class Waiting:
    """What one scenario waits with. `wake` is called whenever something has changed."""

    def __init__(self, patience: float) -> None:
        """`patience`: seconds after which what has not come is missing."""
        self.patience = patience
        self.program: Program | None = None
        """Once it is started."""
        self._changed = asyncio.Event()
        self._spoilt: UnmetError | None = None

    def wake(self) -> None:
        """Whoever waits looks again."""
        self._changed.set()

    def spoil(self, error: UnmetError) -> None:
        """The bot has broken a rule: whoever waits, now or later, is told. Only the first counts."""
        self._spoilt = self._spoilt or error
        self.wake()

    def check(self) -> None:
        """Raises UnmetError if a rule was broken."""
        if self._spoilt is not None:
            raise self._spoilt

    async def until(self, found: Callable[[], T | None], what: str, demand: Demand) -> T:
        """What `found` gives, once it is not None.

        Raises:
            UnmetError: a rule was broken; or, with the demand, `found` says so, the program has ended, or it took too
                long. `what`: what was waited for, to be sent by the bot.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.patience
        while True:
            self.check()
            if (value := found()) is not None:
                return value
            code = None if self.program is None else self.program.code()
            if code is not None:
                await asyncio.sleep(_LAST_WORDS_SECONDS)
                if (value := found()) is not None:
                    return value
                raise UnmetError(f"Its program ended ({how_ended(code)}) instead of sending {what}.", demand)
            if loop.time() > deadline:
                raise UnmetError(f"It did not send {what} within {self.patience:g} s.", demand)
            await self._sleep(_POLL_SECONDS)

    async def end_of_program(self, demand: Demand) -> int:
        """The exit code, once the program has ended. Raises UnmetError with the demand if it goes on for too long."""
        assert self.program is not None
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.patience
        while (code := self.program.code()) is None:
            self.check()
            if loop.time() > deadline:
                raise UnmetError(f"Its program had not ended {self.patience:g} s later.", demand)
            await self._sleep(_POLL_SECONDS)
        return code

    async def pause(self, seconds: float) -> None:
        """So much time has passed. Raises UnmetError if a rule was broken meanwhile."""
        await asyncio.sleep(seconds)
        self.check()

    async def _sleep(self, seconds: float) -> None:
        """Until something has changed, at most so long."""
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except TimeoutError:
            return
        self._changed.clear()
