"""An arena that dies again and again on one data folder, and the bots that play on it between its deaths."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import grpc

from arena.cli.framework.paging import fetch_all
from arena.cli.framework.processes import without_arena
from arena.v1 import (
    bot_pb2,
    bot_pb2_grpc,
    ladder_pb2,
    ladder_pb2_grpc,
    match_pb2,
    match_pb2_grpc,
    play_pb2,
    token_pb2,
    token_pb2_grpc,
    tournament_pb2,
    tournament_pb2_grpc,
)
from tests.system.play.arena_process import SLOW
from tests.system.play.raw_bot import hello

WAIT_S: Final = 60.0
_TRY_S: Final = 3.0
LADDER: Final = "ladders/main"
BOTS: Final = ("ann", "bob", "cyd")
SHORT: Final = {"turn_limit": "2", "no_progress_turns": "100"}


@dataclass(frozen=True)
class Death:
    """Where a life is to end: at the passage of a point, or after so many messages to its bots."""

    point: str
    passage: int

    def __str__(self) -> str:
        return f"{self.point or 'message'} #{self.passage}"


class ForkServer:
    """The process that every life is a fork of."""

    def __init__(self) -> None:
        self._alive: int | None = None
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.system.crash.dying_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=without_arena(os.environ),
        )

    def bear(self, order: Mapping[str, object]) -> int:
        """Start an arena; return its process id."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        self._alive = int(self._answer()["born"])
        return self._alive

    def wait(self) -> int:
        """How the life ended: its exit code, or the negative signal."""
        ended = int(self._answer()["ended"])
        self._alive = None
        return ended

    def _answer(self) -> dict[str, int]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the process that all lives come from has died"
        answer: dict[str, int] = json.loads(line)
        return answer

    def close(self) -> None:
        """No process is left behind, a life that a failed test has left neither."""
        if self._alive is not None:
            os.kill(self._alive, signal.SIGKILL)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(WAIT_S)
        finally:
            self._process.stdout.close()


@dataclass
class ToldToBots:
    """What bots were told, over all lives."""

    ended: dict[str, match_pb2.Match] = field(default_factory=dict)
    """By name: every match of which some bot heard that it had ended."""
    messages: int = 0
    """In the present life."""


class Life:
    """One life of the arena."""

    def __init__(
        self, zygote: ForkServer, data: Path, death: Death | None, *, trace: Path | None = None
    ) -> None:
        self._zygote = zygote
        self._data = data
        self._death = death
        self._log = data.parent / "life.log"
        self._log.unlink(missing_ok=True)
        (data / "server.json").unlink(missing_ok=True)
        self.news: queue.Queue[str] = queue.Queue()
        self.pid = zygote.bear(
            {
                "data": str(data),
                "point": "" if death is None else death.point,
                "passage": 0 if death is None else death.passage,
                "trace": None if trace is None else str(trace),
                "log": str(self._log),
                "options": ["--keep-free", "0"],
            }
        )
        self.exit_code: int | None = None
        self._waiter = threading.Thread(target=self._wait, daemon=True)
        self._waiter.start()

    def _wait(self) -> None:
        self.exit_code = self._zygote.wait()
        self.news.put("ended")

    def open(self) -> bool:
        """Wait until it listens; return False if it has died before."""
        while True:
            self.channel = self._socket()
            check: grpc.UnaryUnaryMultiCallable[bytes, bytes] = self.channel.unary_unary(
                "/grpc.health.v1.Health/Check"
            )
            call: Any = check.future(b"", wait_for_ready=True, timeout=_TRY_S)
            call.add_done_callback(
                lambda done: self.news.put("open" if done.code() is grpc.StatusCode.OK else "again")
            )
            word = self.news.get(timeout=WAIT_S)
            if word == "open":
                break
            if word == "ended":
                self.news.put(word)
                return False
            self.channel.close()  # one that met the socket of the life before may never get through
        token = (self._data / "organiser.token").read_text().strip()
        self.organiser = (("authorization", f"Bearer {token}"),)
        return True

    def _socket(self) -> grpc.Channel:
        options = [("grpc.initial_reconnect_backoff_ms", 20), ("grpc.max_reconnect_backoff_ms", 50)]
        return grpc.insecure_channel(f"unix://{self._data / 'arena.sock'}", options=options)

    def kill(self) -> None:
        """SIGKILL, if it still lives; then it is over."""
        if self.exit_code is None:
            os.kill(self.pid, signal.SIGKILL)
        self._waiter.join(WAIT_S)
        assert self.exit_code is not None
        if hasattr(self, "channel"):
            self.channel.close()

    def log(self) -> str:
        """Its service log."""
        return self._log.read_text() if self._log.exists() else ""

    # What an organiser does

    def ask(self, stub: type[Any], method: str, request: Any) -> Any:
        """Return the response."""
        return getattr(stub(self.channel), method)(request, metadata=self.organiser, timeout=WAIT_S)

    def ladder(self, method: str, **fields: Any) -> Any:
        """Call LadderService."""
        request = getattr(ladder_pb2, f"{method}Request")(**fields)
        return self.ask(ladder_pb2_grpc.LadderServiceStub, method, request)

    def tournament(self, method: str, **fields: Any) -> Any:
        """Call TournamentService."""
        request = getattr(tournament_pb2, f"{method}Request")(**fields)
        return self.ask(tournament_pb2_grpc.TournamentServiceStub, method, request)

    def match(self, method: str, **fields: Any) -> Any:
        """Call MatchService."""
        request = getattr(match_pb2, f"{method}Request")(**fields)
        return self.ask(match_pb2_grpc.MatchServiceStub, method, request)

    def found(self) -> dict[str, str]:
        """Make the bots, with their tokens, and a ladder that runs without end."""
        tokens = self.register()
        self.ladder(
            "CreateLadder",
            ladder_id="main",
            game="caravan",
            seat_counts=[2],
            options=SHORT,
            time_control=SLOW,
        )
        for bot in BOTS:
            self.ladder("JoinLadder", name=LADDER, bot=f"bots/{bot}")
        self.ladder("RunLadder", name=LADDER)
        return tokens

    def register(self) -> dict[str, str]:
        """Make the bots, with their tokens."""
        tokens = {}
        for bot in BOTS:
            self.ask(bot_pb2_grpc.BotServiceStub, "CreateBot", bot_pb2.CreateBotRequest(bot_id=bot))
            request = token_pb2.CreateTokenRequest(role=token_pb2.ROLE_BOT, bot=f"bots/{bot}")
            tokens[bot] = self.ask(token_pb2_grpc.TokenServiceStub, "CreateToken", request).secret
        return tokens

    def replay_what_is_left(self) -> int:
        """Every match that is left to the organiser is played again; how many those were."""
        listing: match_pb2.ListMatchesResponse = fetch_all(
            lambda request: self.match(
                "ListMatches",
                state=match_pb2.MATCH_STATE_ABORTED,
                page_size=request.page_size,
                page_token=request.page_token,
            ),
            match_pb2.ListMatchesRequest(),
        )
        left = [match.name for match in listing.matches if match.left_to_organiser]
        for name in left:
            self.match("ReplayMatch", name=name)
        return len(left)


class CrashBot:
    """A bot that passes at every turn, gives up every third match, and notes what it is told about ends."""

    def __init__(self, life: Life, token: str, told: ToldToBots, death: Death | None) -> None:
        self._life = life
        self._told = told
        self._death = death
        self._outgoing: queue.Queue[bytes | None] = queue.Queue()
        play: grpc.StreamStreamMultiCallable[bytes, bytes] = life.channel.stream_stream(
            "/arena.v1.PlayService/Play"
        )
        metadata = (("authorization", f"Bearer {token}"),)
        self._call = play(iter(self._outgoing.get, None), metadata=metadata)
        self._say(hello=hello(capacity=play_pb2.Capacity(matches=2)))
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        try:
            for frame in self._call:
                for message in play_pb2.PlayResponse.FromString(frame).messages:
                    self._hear(message)
        except grpc.RpcError:
            pass
        self._outgoing.put(None)

    def _hear(self, message: play_pb2.ServerMessage) -> None:
        self._told.messages += 1
        death = self._death
        if death is not None and not death.point and self._told.messages == death.passage:
            self._life.news.put("enough")
        match message.WhichOneof("kind"):
            case "ping":
                self._say(pong=play_pb2.Pong(id=message.ping.id))
            case "assigned":
                self._say(ready=play_pb2.Ready(assignment=message.assigned.assignment))
            case "decision":
                self._answer(message.decision)
            case "match_ended":
                self._told.ended[message.match_ended.match.name] = message.match_ended.match
                self._life.news.put("told")
            case _:
                pass

    def _answer(self, decision: play_pb2.Decision) -> None:
        which: dict[str, Any] = {"assignment": decision.assignment, "decision": decision.decision}
        if decision.decision == 1:
            self._say(debug=play_pb2.Debug(**which, text="I pass"))
        if decision.assignment % 3 == 2:
            self._say(resign=play_pb2.Resign(assignment=decision.assignment))
        else:
            self._say(answer=play_pb2.Answer(**which, index=0))

    def _say(self, **kind: Any) -> None:
        message = play_pb2.ClientMessage(**kind)
        self._outgoing.put(play_pb2.PlayRequest(messages=[message]).SerializeToString())

    def close(self) -> None:
        """Kill it."""
        self._call.cancel()
        self._thread.join(WAIT_S)
