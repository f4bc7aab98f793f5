"""An honest bot: it takes what seats it is given, answers at once, and measures how long it has taken."""

import threading
import time
from collections.abc import Callable

from arena.v1 import play_pb2
from tests.system.play.raw_bot import RawBot

WAIT_S = 180.0
ROOM = 4
"""Matches that it plays at once."""
MOST = 1_000
PASS = 0
"""The place of the pass in every list of Caravan."""


class Honest:
    """Plays until it is dismissed, in a thread of its own."""

    def __init__(self, address: str, token: str, *, most: int = MOST) -> None:
        """Connect, and wait for the welcome. `most`: matches that it plays until `take_more`."""
        self._link = RawBot(address, token)
        self._most = most
        self._link.hello(capacity=play_pb2.Capacity(matches=min(most, ROOM)))
        self.resume_token = self._link.resume_token
        self.thought_ns: dict[tuple[str, int], int] = {}
        """By match and decision: from the question to the answer, as it has measured it itself."""
        self.told: list[str] = []
        """The kinds of everything that it was told, but pings."""
        self._ended: dict[str, play_pb2.MatchEnded] = {}
        self._names: dict[int, str] = {}
        self._change = threading.Condition()
        self._held = threading.Event()
        self._held.set()
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    def hold(self) -> None:
        """From now on it answers nothing, until `go_on`."""
        self._held.clear()

    def go_on(self) -> None:
        """Answer again."""
        self._held.set()

    def take_more(self) -> None:
        """Take any number of seats."""
        self._most = MOST
        self._link.say(capacity=play_pb2.Capacity(matches=ROOM))

    def dismiss(self) -> None:
        """Leave the arena."""
        self.go_on()
        self._link.cut()
        self._thread.join(WAIT_S)

    def wait_told(self, kind: str) -> None:
        """Return when it has received something of this kind."""
        self._wait(lambda: kind in self.told, kind)

    def wait_ended(self, ladder: str, matches: int = 1) -> list[play_pb2.MatchEnded]:
        """Return the ends of its matches of a ladder in their order, once there are so many of them."""
        self._wait(lambda: len(self._of(ladder)) >= matches, f"end of {matches} matches of {ladder}")
        return self._of(ladder)

    def _of(self, ladder: str) -> list[play_pb2.MatchEnded]:
        return [end for end in self._ended.values() if end.match.ladder == f"ladders/{ladder}"]

    def _wait(self, true: Callable[[], bool], what: str) -> None:
        with self._change:
            assert self._change.wait_for(true, WAIT_S), f"no {what}; was told {self.told}"

    def _play(self) -> None:
        while (message := self._link.hear_any()) is not None:
            arrived = time.monotonic_ns()
            if message.HasField("assigned"):
                self._names[message.assigned.assignment] = message.assigned.match
                self._link.say(ready=play_pb2.Ready(assignment=message.assigned.assignment))
            elif message.HasField("match_started"):
                self._most -= 1
                if not self._most:
                    self._link.say(capacity=play_pb2.Capacity(matches=0))
            elif message.HasField("decision"):
                self._held.wait(WAIT_S)
                self._link.answer(message.decision, PASS)
                asked = (self._names[message.decision.assignment], message.decision.decision)
                self.thought_ns[asked] = time.monotonic_ns() - arrived
            with self._change:
                if message.HasField("match_ended"):
                    self._ended[message.match_ended.match.name] = message.match_ended
                if not message.HasField("ping"):
                    self.told.append(str(message.WhichOneof("kind")))
                self._change.notify_all()
