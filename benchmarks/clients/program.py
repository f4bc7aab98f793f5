"""A program full of bots, told by lines of JSON what to do: dial in, play for a while, say how it went."""

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, Final

from arena.sdk.session import IDLE_PING_S
from arena.v1 import play_pb2
from benchmarks import loops
from benchmarks.clients.bot import Bot, Ends
from benchmarks.clients.links import open_link
from benchmarks.clients.tally import Tally

_QUIET_S: Final = 0.1
"""After the gates are closed, what was under way comes to rest."""

_ENOUGH: Final = 20
_MOST_LOOKS: Final = 600
"""Too few decisions say nothing: after a stretch with fewer, which may fall between two matches, the bots play on, and
it is looked so often, every `_QUIET_S`, whether there are enough."""

_DIALLING: Final = 100
"""So many bots dial in at the same time."""


class Program:
    """All bots of this process."""

    def __init__(self) -> None:
        self._bots: list[Bot] = []
        self._ends = Ends()
        self._runs: set[asyncio.Task[None]] = set()
        self._recorded: list[tuple[int, str]] = []

    async def connect(self, address: str, tokens: Sequence[str], game: str, matches: int) -> int:
        """Connect a bot for each token, each with so many matches at once; return how many are connected now."""
        dialling = asyncio.Semaphore(_DIALLING)

        async def dial(token: str) -> None:
            async with dialling:
                bot = Bot(await open_link(address, token), _hello(game, matches), self._ends)
                welcomed = asyncio.Event()
                run = asyncio.create_task(bot.run(welcomed.set))
                self._runs.add(run)
                run.add_done_callback(self._note_end)
                await welcomed.wait()
                self._bots.append(bot)

        for token in tokens[:1]:
            await dial(token)
        await asyncio.gather(*map(dial, tokens[1:]))
        return len(self._bots)

    async def record(self) -> None:
        """Record frames with one decision from now on."""
        for number, bot in enumerate(self._bots):
            bot.record = partial(self._keep, number)

    async def recorded(self) -> list[tuple[int, str]]:
        """Return what was recorded since the last call, in order, by the bot's number and in hex."""
        kept, self._recorded = self._recorded, []
        return kept

    async def playing(self) -> int:
        """Return the number of seats in matches that have begun and not ended."""
        return sum(bot.playing for bot in self._bots)

    async def play(self, seconds: float, go_on: bool = False) -> dict[str, object]:
        """Let all bots answer for so long, or (`go_on`) from now on; return what they saw in that time, and its length.

        It is longer where that is what it takes to be asked often enough.
        """
        tally = Tally()
        began, worked = time.monotonic(), time.process_time()
        for bot in self._bots:
            await bot.open(tally)
        await asyncio.sleep(seconds)
        for _ in range(_MOST_LOOKS):
            if go_on or tally.turns >= _ENOUGH:
                break
            await asyncio.sleep(_QUIET_S)
        for bot in self._bots:
            bot.tally = Tally()
            if not go_on:
                bot.close()
        took = {"seconds": time.monotonic() - began, "cpu_s": time.process_time() - worked}
        await asyncio.sleep(_QUIET_S)
        return tally.summary() | took

    async def ends(self) -> dict[str, Any]:
        """Return how all matches so far have ended."""
        return asdict(self._ends)

    def _keep(self, number: int, frame: bytes) -> None:
        self._recorded.append((number, frame.hex()))

    def _note_end(self, run: asyncio.Task[None]) -> None:
        self._runs.discard(run)
        if not run.cancelled():
            error = run.exception()
            self._ends.troubles.append("a bot's connection has ended" if error is None else repr(error))


def _hello(game: str, matches: int) -> play_pb2.Hello:
    return play_pb2.Hello(
        lowest_protocol=1,
        highest_protocol=1,
        bot_version="bench",
        games=[play_pb2.GameSupport(game=game)],
        capacity=play_pb2.Capacity(matches=matches),
        preferences=play_pb2.Preferences(legal_actions=play_pb2.LEGAL_ACTIONS_FORM_PACKED),
        language="python",
        idle_ping_s=IDLE_PING_S,
    )


async def _main() -> None:
    program = Program()
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        command = json.loads(line)
        answer = await getattr(program, command.pop("do"))(**command)
        await loop.run_in_executor(None, partial(print, json.dumps(answer), flush=True))


if __name__ == "__main__":
    loops.run(_main())
