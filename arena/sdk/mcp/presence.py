"""The agent's bot at the arena: connected or not, and why not."""

import asyncio
import logging
import time
from typing import Final

from arena.sdk.client import ExitCode, play
from arena.sdk.mcp.bot import bot_for
from arena.sdk.mcp.errors import Reason, RefusedCallError
from arena.sdk.mcp.seats import NewsKind, Seats
from arena.sdk.session import Session
from arena.sdk.settings import Endpoint
from arena.sdk.workers import Workers

WELCOME_WITHIN_S: Final = 10.0
"""So long `join` waits for the arena's welcome."""

_LOOK_S: Final = 0.05

_LOG: Final = logging.getLogger("arena.sdk")


class Presence:
    """One bot at one arena. All methods belong to the thread of the event loop."""

    def __init__(
        self, bot: str, endpoint: Endpoint, seats: Seats, within_s: float = WELCOME_WITHIN_S
    ) -> None:
        """`bot`: its name, for messages. `within_s`: how long `join` waits for the arena's welcome."""
        self.bot = bot
        self._endpoint, self._seats, self._within_s = endpoint, seats, within_s
        self._session: Session | None = None
        self._workers: Workers | None = None
        self._task: asyncio.Task[ExitCode] | None = None
        self._leave = asyncio.Event()
        self._joining = asyncio.Lock()
        self._said = LastMessage()
        self.games: tuple[str, ...] = ()
        self.matches = 0
        self._was_connected = False
        self._level = _LOG.level
        _LOG.setLevel(logging.INFO)  # a goodbye is no warning
        _LOG.addHandler(self._said)

    @property
    def is_connected(self) -> bool:
        """Whether the arena has welcomed the bot, and the connection is not lost."""
        return self._is_running and self._session is not None and self._session.is_connected

    @property
    def trouble(self) -> str:
        """What the sdk has said last about the connection."""
        return self._said.text or "The arena has not answered yet."

    @property
    def _is_running(self) -> bool:
        return self._task is not None and not self._task.done()

    def check_joined(self) -> None:
        """Raise RefusedCallError: `join` has not been called, or the arena refuses the bot."""
        if self._task is None:
            raise RefusedCallError(Reason.NOT_JOINED, "You have not joined the arena. Call join first.")
        if self._task.done() and self._leave.is_set():
            raise RefusedCallError(Reason.NOT_JOINED, "You have left the arena. Call join to come back.")
        if not self._task.done():
            return
        if self._task.result() == ExitCode.DONE:
            raise RefusedCallError(Reason.UNREACHABLE, f"{self.trouble} Call join when the arena runs again.")
        raise RefusedCallError(
            Reason.REFUSED,
            f"The arena has ended the connection for good. {self.trouble} If the token has ended or was revoked, the "
            "bot's owner has to start this program again with a new one; otherwise call join again.",
        )

    async def join(self, games: tuple[str, ...], matches: int) -> None:
        """Connect, or change what the bot plays. Raises RefusedCallError: matches are in progress, or no arena."""
        async with self._joining:
            await self._join(games, matches)

    def leave(self) -> None:
        """Take no new matches; the connection ends with the last one in progress."""
        self._leave.set()

    async def _join(self, games: tuple[str, ...], matches: int) -> None:
        if self._is_running and (self.games, self.matches) == (games, matches) and not self._leave.is_set():
            await self._welcome()
            return
        if self._is_running and self._seats.in_progress():
            raise RefusedCallError(
                Reason.MATCHES_IN_PROGRESS,
                "Matches are in progress. What you play can be changed when they are over: call wait.",
            )
        await self._end()
        await self._stop_workers()
        self.games, self.matches = games, matches
        self._leave = asyncio.Event()
        kind = bot_for(self.bot, self._seats, games, matches)
        self._workers = Workers(matches + 1)  # what begins or ends need not wait for decisions
        self._session = Session(kind, self._workers)
        self._task = asyncio.create_task(play(self._session, self._endpoint, self._leave))
        await self._welcome()
        self._was_connected = True

    def look(self) -> None:
        """Tell the agent of a connection that is lost, or back."""
        if self._was_connected and not self.is_connected and self._is_running:
            self._was_connected = False
            self._seats.tell(
                NewsKind.CONNECTION_LOST, "", f"The connection to the arena is lost. {self.trouble}"
            )
        elif not self._was_connected and self.is_connected:
            self._was_connected = True
            self._seats.tell(NewsKind.CONNECTION_BACK, "", "Connected to the arena again.")
        if self._task is not None and self._task.done():
            self._seats.forget(f"The connection to the arena has ended. {self.trouble}")

    async def close(self) -> None:
        """End the connection. Matches in progress are neither resigned nor played on."""
        await self._end()
        self._seats.close()
        _LOG.removeHandler(self._said)
        _LOG.setLevel(self._level)
        await self._stop_workers()

    async def _end(self) -> None:
        """End the connection at once: nothing that the bot's threads return later is sent."""
        if self._task is not None:
            ending, self._task = self._task, None
            ending.cancel()
            await asyncio.wait([ending])

    async def _stop_workers(self) -> None:
        if self._workers is not None:
            await asyncio.to_thread(self._workers.stop)
            self._workers = None

    async def _welcome(self) -> None:
        """Wait for the arena's welcome. Raises RefusedCallError."""
        until = time.monotonic() + self._within_s
        while not self.is_connected:
            self.check_joined()
            if time.monotonic() > until:
                raise RefusedCallError(
                    Reason.UNREACHABLE,
                    f"{self.trouble} Is the arena running, and is its address right? It is tried again all the time: "
                    "call join or wait to see whether it answers.",
                )
            await asyncio.sleep(_LOOK_S)
        await self._check_bot()

    async def _check_bot(self) -> None:
        """Raise RefusedCallError if the token is that of another bot than the one that was named."""
        welcomed = "" if self._session is None else self._session.bot.removeprefix("bots/")
        if welcomed not in ("", self.bot):
            await self._end()
            raise RefusedCallError(
                Reason.REFUSED,
                f"The token is that of the bot {welcomed}, not of {self.bot}. The bot's owner has to start this "
                f"program as `arena mcp {welcomed}`, or with a token of {self.bot} in ARENA_BOT_TOKEN.",
            )


class LastMessage(logging.Handler):
    """Keeps the last message of the sdk: why there is no connection."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.text = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the message."""
        self.text = record.getMessage()
