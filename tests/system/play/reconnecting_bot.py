"""A bot that plays by a fixed policy and comes back whenever its connection is gone; tests say when it is cut."""

from __future__ import annotations

import queue
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.v1 import play_pb2
from tests.system.play.cutting_proxy import CuttingProxy
from tests.system.play.raw_bot import RawBot, hello

MOST_CONNECTIONS = 200
"""Who has come back so often will never play its matches."""
WAYS = ("reset", "hang_up", "mute", "go_away", "cancel")
"""How a connection is cut; `cancel` is the client's own RST_STREAM, the others happen in between."""


def policy(decision: int, actions: int) -> int:
    """Return the index that every bot here answers a decision with."""
    return (7 * decision + 3) % actions


@dataclass(frozen=True)
class Cut:
    """When and how the connection is cut."""

    moment: str
    """A message just heard and not yet answered (`welcome`, `assigned`, `match_started`, `decision`, `match_ended`),
    one just said (`hello`, `ready`, `answer`), or `answered`: the arena has judged the answer."""
    way: str
    count: int = 1
    """At the n-th time since the cut before."""


@dataclass
class ReplayedState:
    """What a comeback was told of a match that was running."""

    match: str
    started: play_pb2.MatchStarted
    heard: int
    """The last decision that the bot had heard of before."""


@dataclass
class ReconnectingBot:
    """Plays `matches` matches to their end through whatever happens to its connection."""

    arena: str
    """host:port."""
    token: str
    cuts: Sequence[Cut] = ()
    matches: int = 1
    claims: bool = False
    """Comes back by `claim` instead of with its token, as a program that was started anew."""
    hello: dict[str, Any] = field(default_factory=dict)
    limits: Sequence[dict[str, int]] = ()
    """By connection: the bytes after which it is reset (`CuttingProxy.reset_after`)."""
    welcomes: list[play_pb2.Welcome] = field(default_factory=list)
    ended: dict[str, play_pb2.MatchEnded] = field(default_factory=dict)
    retold: list[ReplayedState] = field(default_factory=list)
    closed: list[play_pb2.DecisionClosed] = field(default_factory=list)
    connections: int = 0
    error: BaseException | None = None

    def __post_init__(self) -> None:
        self._cuts = list(self.cuts)
        self._seen = 0
        self._resume = ""
        self._heard: dict[str, int] = {}
        self._match_of: dict[int, str] = {}
        self._half_open: list[tuple[RawBot, CuttingProxy]] = []
        self._stopped = threading.Event()

    def __enter__(self) -> ReconnectingBot:
        """Plays in a thread of its own, at most as long as the test goes on."""
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Comes back no more, whatever it has played: nothing of it is left for the tests that follow."""
        self._stopped.set()
        if self._thread.is_alive():
            self.bot.cut()
            self._thread.join()
        for bot, proxy in self._half_open:
            bot.cut()
            proxy.close()

    def finish(self) -> ReconnectingBot:
        """Has played all its matches."""
        self._thread.join(60)
        assert not self._thread.is_alive(), f"still waiting; heard {self.bot.kinds()}, to come: {self._cuts}"
        if self.error is not None:
            raise self.error
        return self

    def _run(self) -> None:
        try:
            while len(self.ended) < self.matches and not self._stopped.is_set():
                assert self.connections < MOST_CONNECTIONS, f"heard {self.bot.kinds()}, to come: {self._cuts}"
                self._visit()
        except (AssertionError, queue.Empty, OSError) as error:  # raised again in the test's own thread
            self.error = error

    def _visit(self) -> None:
        """One connection to its end."""
        proxy = CuttingProxy(self.arena)
        if self.connections < len(self.limits):
            proxy.reset_after(**self.limits[self.connections])
        self.connections += 1
        self.bot = RawBot(proxy.address, self.token)
        cut = ""
        try:
            cut = self._introduce(proxy)
            while not cut and len(self.ended) < self.matches:
                message = self.bot.hear_any()
                if message is None:
                    return
                cut = self._handle(message, proxy)
        finally:
            if cut == "mute":  # it stays half open: nobody is told that it is over
                self._half_open.append((self.bot, proxy))
            else:
                self.bot.cut()
                proxy.close()

    def _introduce(self, proxy: CuttingProxy) -> str:
        """Says hello; the way in which the connection was cut at it, if it was.

        A mute line is mute before: if the hello still came through, and nothing after it, the arena would give seats
        to a connection that it takes to be alive, until it has been silent for a minute.
        """
        if self._cuts and self._cuts[0].way == "mute":
            cut = self._cut_at("hello", proxy)
            self._say_hello()
            return cut
        self._say_hello()
        return self._cut_at("hello", proxy)

    def _say_hello(self) -> None:
        fields: dict[str, Any] = {"bot_version": "1", **self.hello}
        if self._resume and not self.claims:
            fields["resume_token"] = self._resume
        else:
            fields["claim"] = True
        self.bot.say(hello=hello(**fields))

    def _cut_at(self, moment: str, proxy: CuttingProxy) -> str:
        """Return how the connection was cut at this moment; empty if it was not."""
        if not self._cuts or self._cuts[0].moment != moment:
            return ""
        self._seen += 1
        if self._seen < self._cuts[0].count:
            return ""
        proxy.wait_connected()
        way = self._cuts.pop(0).way
        self._seen = 0
        if way == "cancel":
            self.bot.cut()
        else:
            getattr(proxy, way)()
        return way

    def _handle(self, message: play_pb2.ServerMessage, proxy: CuttingProxy) -> str:
        """Answers a message; the way in which the connection was cut before or after, if it was."""
        kind = str(message.WhichOneof("kind"))
        body = getattr(message, kind)
        if kind == "welcome":
            self._resume = body.resume_token
            self.welcomes.append(body)
            if self.claims and self._match_of and not body.resumed:
                self.bot.cut()  # the arena has not noticed the cut yet: there is nothing to claim for a moment
                return "cancel"
        elif kind == "match_started" and body.comeback:
            match = self._match_of[body.assignment]
            self.retold.append(ReplayedState(match, body, self._heard.get(match, 0)))
        elif kind == "decision":
            self._heard[self._match_of[body.assignment]] = body.decision
        elif kind == "match_ended":
            self.ended[body.match.name] = body
        elif kind == "decision_closed":
            self.closed.append(body)
        elif kind == "assigned":
            self._match_of[body.assignment] = body.match
        if cut := self._cut_at(kind, proxy):
            return cut
        return self._reply(kind, body, proxy)

    def _reply(self, kind: str, body: Any, proxy: CuttingProxy) -> str:
        if kind == "assigned":
            self.bot.say(ready=play_pb2.Ready(assignment=body.assignment))
            return self._cut_at("ready", proxy)
        if kind != "decision":
            return ""
        self.bot.answer(body, policy(body.decision, len(body.legal_actions)))
        return self._cut_at("answer", proxy) or self._cut_when_answered(proxy)

    def _cut_when_answered(self, proxy: CuttingProxy) -> str:
        """Send a message without sense and await its warning: by then the answer before it has been handled."""
        if not self._cuts or self._cuts[0].moment != "answered":
            return ""
        if self._seen + 1 < self._cuts[0].count:
            self._seen += 1
            return ""
        self.bot.say(ready=play_pb2.Ready(assignment=999))
        while (message := self.bot.hear_any()) is not None and not message.HasField("warning"):
            if message.HasField("decision"):
                self._heard[self._match_of[message.decision.assignment]] = message.decision.decision
            elif message.HasField("match_ended"):
                self.ended[message.match_ended.match.name] = message.match_ended
        return self._cut_at("answered", proxy)
