"""The smallest bot that plays whole matches: it reads, picks an action at random, and answers.

It speaks the protocol itself, so that nothing but gRPC and the messages stands between the clock and the arena. It is
the same program for both that may ask it: the arena, or a floor that repeats what an arena has asked.
"""

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from arena.sdk.connection import FRAME_MESSAGES
from arena.v1 import match_pb2, play_pb2
from benchmarks.clients.links import Link
from benchmarks.clients.tally import Tally

_WORD: Final = (1 << 64) - 1
_MULTIPLIER: Final = 6_364_136_223_846_793_005
_INCREMENT: Final = 1_442_695_040_888_963_407
"""Of Knuth's linear congruential generator, MMIX: two operations a pick, so that the bot takes hardly any time."""

_HIGH_BITS: Final = 33
"""Only the upper ones are anything like random."""


class Gate(Enum):
    """What goes out of what the bot has to say."""

    CLOSED = 1
    """All but answers: they are kept, so that nothing moves while somebody else is measured."""
    OPENING = 2
    """What was kept; everything else waits behind it."""
    OPEN = 3


@dataclass(slots=True)
class Ends:
    """How the matches of one program have ended."""

    seats: int = 0
    """Seats of matches that have ended: a match counts once for each of its seats that this program holds."""
    decisions: int = 0
    """Decisions of those seats, as the arena counts them."""
    lost: int = 0
    """By how much that differs from the answers that were sent, over all seats."""
    troubles: list[str] = field(default_factory=list)
    """Everything that must not happen to bots that answer at once: strikes, void matches, warnings, goodbyes."""


@dataclass(slots=True)
class _Seat:
    """A seat that the bot holds."""

    match: str
    seat: int
    answers: int = 0


class Bot:
    """One stream, with all the seats that it is given."""

    def __init__(self, link: Link, hello: play_pb2.Hello, ends: Ends) -> None:
        """`hello` is said by `run`."""
        self.tally = Tally()
        self.record: Callable[[bytes], None] | None = None
        """Is given each frame that holds one decision and nothing else."""
        self.playing = 0
        """Seats in matches that have begun and not ended."""
        self._link = link
        self._hello = hello
        self._ends = ends
        self._gate = Gate.CLOSED
        self._kept: list[play_pb2.ClientMessage] = []
        self._seats: dict[int, _Seat] = {}
        self._drawn = secrets.randbits(64)
        """No two bots and no two matches are alike: what is cached is worth no more than in earnest play."""

    async def run(self, welcomed: Callable[[], None]) -> None:
        """Play until the other side ends; call `welcomed` when it has let the bot in."""
        await self._link.write(_frame([play_pb2.ClientMessage(hello=self._hello)]))
        while (data := await self._link.read()) is not None:
            received = time.monotonic_ns()
            messages = play_pb2.PlayResponse.FromString(data).messages
            if messages[0].HasField("welcome"):
                welcomed()
            if messages[0].HasField("decision"):
                self._note_frame(data, len(messages))
            replies = [reply for message in messages if (reply := self._reply(message, received))]
            at_once = replies if self._gate is Gate.OPEN else self._keep(replies)
            if at_once:
                await self._send(at_once)

    async def open(self, tally: Tally) -> None:
        """Send answers from now on, those that were kept first; count all in `tally`."""
        self.tally = tally
        self._gate = Gate.OPENING
        while self._kept:
            kept, self._kept = self._kept[:FRAME_MESSAGES], self._kept[FRAME_MESSAGES:]
            await self._send(kept)
        self._gate = Gate.OPEN

    def close(self) -> None:
        """Keep answers from now on."""
        self._gate = Gate.CLOSED

    def _keep(self, replies: Sequence[play_pb2.ClientMessage]) -> list[play_pb2.ClientMessage]:
        """Hold the answers back and return what is sent all the same."""
        at_once = [reply for reply in replies if self._gate is Gate.CLOSED and not reply.HasField("answer")]
        self._kept += [reply for reply in replies if reply not in at_once]
        return at_once

    async def _send(self, messages: Sequence[play_pb2.ClientMessage]) -> None:
        now = time.monotonic_ns()
        for message in messages:
            if message.HasField("answer"):
                seat = self._seats[message.answer.assignment]
                seat.answers += 1
                self.tally.answered(seat.match, seat.seat, now)
        await self._link.write(_frame(messages))

    def _reply(self, message: play_pb2.ServerMessage, received: int) -> play_pb2.ClientMessage | None:
        match message.WhichOneof("kind"):
            case "decision":
                return self._decide(message.decision, received)
            case "assigned":
                assigned = message.assigned
                self._seats[assigned.assignment] = _Seat(assigned.match, assigned.seat)
                return play_pb2.ClientMessage(ready=play_pb2.Ready(assignment=assigned.assignment))
            case "ping":
                return play_pb2.ClientMessage(pong=play_pb2.Pong(id=message.ping.id))
            case "match_started":
                self.playing += 1
            case "match_ended":
                self._note_end(message.match_ended)
            case "welcome":
                pass
            case _:
                self._ends.troubles.append(" ".join(str(message).split())[:300])
        return None

    def _decide(self, decision: play_pb2.Decision, received: int) -> play_pb2.ClientMessage:
        listed = len(decision.packed_legal_actions)
        seat = self._seats[decision.assignment]
        self.tally.asked(seat.match, seat.seat, received)
        self.tally.legal_actions += listed
        self._drawn = (self._drawn * _MULTIPLIER + _INCREMENT) & _WORD
        index = (self._drawn >> _HIGH_BITS) % listed
        answer = play_pb2.Answer(assignment=decision.assignment, decision=decision.decision, index=index)
        return play_pb2.ClientMessage(answer=answer)

    def _note_frame(self, data: bytes, messages: int) -> None:
        self.tally.framed(len(data))
        if self.record is not None and messages == 1:
            self.record(data)

    def _note_end(self, ended: play_pb2.MatchEnded) -> None:
        match, seat = ended.match, self._seats.pop(ended.assignment)
        self.tally.ended(seat.match)
        self.playing -= 1
        self._ends.seats += 1
        self._ends.decisions += match.seats[seat.seat].decisions
        self._ends.lost += abs(seat.answers - match.seats[seat.seat].decisions)
        if match.state != match_pb2.MATCH_STATE_FINISHED:
            self._ends.troubles.append(f"{seat.match} was void: {match.void_reason}")
        if any(each.strikes for each in match.seats):
            self._ends.troubles.append(f"{seat.match} ended with strikes")


def _frame(messages: Sequence[play_pb2.ClientMessage]) -> bytes:
    return play_pb2.PlayRequest(messages=messages).SerializeToString()
