"""An arena that is killed again and again on one data folder, and the bots that play on it meanwhile."""

import os
import queue
import signal
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from arena.cli.framework.connection import fetch_all
from arena.v1 import match_pb2, play_pb2, season_pb2
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.raw_bot import RawBot, hello

WAIT_S: Final = 60.0
LADDER: Final = "ladders/main"
BOTS: Final = ("ann", "bob", "cyd")
SHORT: Final = {"turn_limit": "2", "no_progress_turns": "100"}


@dataclass(frozen=True)
class KillPoint:
    """Where an arena is killed: at the passage of a point, or after so many messages to its bots."""

    point: str
    passage: int

    def __str__(self) -> str:
        return f"{self.point or 'message'} #{self.passage}"


@dataclass
class ToldToBots:
    """What bots, and an organiser, were told by all arenas on the folder."""

    ended: dict[str, match_pb2.Match] = field(default_factory=dict)
    """By name: every match of which some bot heard that it had ended."""
    seasons: dict[int, season_pb2.Season] = field(default_factory=dict)
    """By number: every season of the ladder of which an organiser heard that it was closed."""
    messages: int = 0
    """By the present arena."""


class KilledArena(ArenaProcess):
    """An arena that is killed at a point, or by the test."""

    def __init__(
        self,
        data: Path,
        kill_point: KillPoint | None,
        *,
        trace: Path | None = None,
        database: str | None = None,
    ) -> None:
        """`trace`: where each point is noted that it passes; `database`: the URL of one on a server."""
        (data / "server.json").unlink(missing_ok=True)
        self.news: queue.Queue[str] = queue.Queue()
        self.exit_code: int | None = None
        kill_at = {
            "data": str(data),
            "point": "" if kill_point is None else kill_point.point,
            "passage": 0 if kill_point is None else kill_point.passage,
            "trace": None if trace is None else str(trace),
        }
        options = ["--log-format", "json", "--keep-free", "0"]
        if database is not None:
            options += ["--database", database]
        super().__init__(data, *options, kill_at=kill_at)

    def _read(self) -> None:
        super()._read()
        self.exit_code = self.process.wait(WAIT_S)
        self.news.put("ended")

    def open(self) -> bool:
        """Wait until it listens; return False if it was killed before."""
        assert self._opened.wait(WAIT_S)
        if not self.has_opened:
            return False
        self.connect()
        return True

    def kill(self) -> None:
        """Kill it, unless it was killed already."""
        if self.exit_code is None:
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(self.process.pid, signal.SIGKILL)
        self._reader.join(WAIT_S)
        assert self.exit_code is not None
        if hasattr(self, "channel"):
            self.channel.close()


def set_up(arena: ArenaProcess) -> dict[str, str]:
    """Make the bots, and a ladder that runs without end; return the tokens."""
    tokens = register(arena)
    arena.ladder("main", *BOTS, seat_counts=[2], options=SHORT, matches=0)
    return tokens


def register(arena: ArenaProcess) -> dict[str, str]:
    """Make the bots; return their tokens."""
    return {bot: arena.bot(bot) for bot in BOTS}


def replay_what_is_left(arena: ArenaProcess) -> None:
    """Replay every match that is left to the organiser."""
    request = match_pb2.ListMatchesRequest(state=match_pb2.MATCH_STATE_ABORTED)
    for match in fetch_all(arena.matches.ListMatches, request).matches:
        if match.left_to_organiser:
            arena.matches.ReplayMatch(name=match.name)


class CrashBot:
    """A bot that passes at every turn, gives up every third match, and notes what it is told about ends."""

    def __init__(
        self, arena: KilledArena, token: str, told: ToldToBots, kill_point: KillPoint | None
    ) -> None:
        self._arena = arena
        self._told = told
        self._kill_point = kill_point
        self._bot = RawBot(arena.unix, token).say(hello=hello(capacity=play_pb2.Capacity(matches=2)))
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while (message := self._bot.hear_any()) is not None:
            self._hear(message)

    def _hear(self, message: play_pb2.ServerMessage) -> None:
        self._told.messages += 1
        point = self._kill_point
        if point is not None and not point.point and self._told.messages == point.passage:
            self._arena.news.put("enough")
        match message.WhichOneof("kind"):
            case "assigned":
                self._bot.say(ready=play_pb2.Ready(assignment=message.assigned.assignment))
            case "decision":
                self._answer(message.decision)
            case "match_ended":
                self._told.ended[message.match_ended.match.name] = message.match_ended.match
                self._arena.news.put("told")
            case _:
                pass

    def _answer(self, decision: play_pb2.Decision) -> None:
        which: dict[str, Any] = {"assignment": decision.assignment, "decision": decision.decision}
        if decision.decision == 1:
            self._bot.say(debug=play_pb2.Debug(**which, text="I pass"))
        if decision.assignment % 3 == 2:
            self._bot.say(resign=play_pb2.Resign(assignment=decision.assignment))
        else:
            self._bot.answer(decision)

    def close(self) -> None:
        """Kill it."""
        self._bot.cut()
        self._thread.join(WAIT_S)
