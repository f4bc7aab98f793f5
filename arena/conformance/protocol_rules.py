"""The rules that hold in every scenario: each message of the bot is checked against all earlier ones."""

from __future__ import annotations

from enum import Enum

from arena.conformance import requirements
from arena.conformance.limits import DECISION_BYTES, FRAME_BYTES, FRAME_MESSAGES, IDLE_MESSAGES
from arena.conformance.verdict import ResignedError, UnmetError
from arena.v1 import play_pb2


class _Asked(Enum):
    """The state of a decision."""

    OPEN = "open"
    ANSWERED = "answered"
    CLOSED = "closed"
    """By the arena; an answer may have crossed it on the way."""


class ProtocolRules:
    """What the bot may send now on one connection."""

    def __init__(self, *, before: ProtocolRules | None = None) -> None:
        """`before`: the rules of the last connection, for what was assigned and asked on it."""
        self._hello_said = False
        self._welcomed = False
        self._pings: set[int] = set()
        self._idle_messages = 0
        self._bytes = 0
        """Of frames since the newest decision."""
        self._assigned: set[int] = before._assigned if before else set()
        self._decisions: dict[tuple[int, int], _Asked] = before._decisions if before else {}

    def note_sent(self, message: play_pb2.ServerMessage) -> None:
        """Record a message that is about to be sent to the bot."""
        match message.WhichOneof("kind"):
            case "welcome":
                self._welcomed = True
                if not message.welcome.resumed:
                    self._assigned.clear()
                    self._decisions.clear()
            case "ping":
                self._pings.add(message.ping.id)
            case "assigned":
                self._assigned.add(message.assigned.assignment)
            case "decision":
                asked = (message.decision.assignment, message.decision.decision)
                self._decisions[asked] = _Asked.OPEN
                self._bytes = 0
            case "decision_closed":
                closed = message.decision_closed
                self._close((closed.assignment, closed.decision))
            case "seat_ended":
                self._close_all(message.seat_ended.assignment)
            case "match_ended":
                self._close_all(message.match_ended.assignment)

    def check_frame(self, frame: play_pb2.PlayRequest, size: int) -> None:
        """Take note of a frame of `size` bytes.

        Raises UnmetError: there are no messages in it, or too many, or it is too large, or there are too many frames.
        """
        count = len(frame.messages)
        if not 1 <= count <= FRAME_MESSAGES:
            raise UnmetError(f"It sent a frame of {count} messages.", requirements.FRAME)
        if size > FRAME_BYTES:
            raise UnmetError(f"It sent a frame of {size} bytes.", requirements.FRAME)
        self._bytes += size
        if self._bytes > DECISION_BYTES:
            what = f"It sent more than {DECISION_BYTES >> 20} MiB since a decision was asked last."
            raise UnmetError(what, requirements.FLOOD)

    def check(self, message: play_pb2.ClientMessage) -> None:
        """Check and record a message of the bot.

        Raises:
            UnmetError: the message is not allowed now.
            ResignedError: the bot resigns a seat, which is allowed, but nothing is left to try.
        """
        kind = message.WhichOneof("kind")
        if kind is None:
            raise UnmetError("It sent a message without a kind.", requirements.FRAME)
        self._check_order(kind)
        self._check_flood(kind)
        match kind:
            case "pong":
                ping = message.pong.id
                if ping not in self._pings:
                    raise UnmetError(
                        f"It sent a pong with the id {ping}, which answers no ping.", requirements.PONG
                    )
                self._pings.discard(ping)
            case "ready":
                self._check_assignment("ready", message.ready.assignment)
            case "debug":
                self._check_assignment("debug", message.debug.assignment)
            case "resign":
                raise ResignedError(
                    f"It resigned assignment {message.resign.assignment}: to be tried it has to play on."
                )
            case "answer":
                self._check_answer(message.answer)

    def _check_order(self, kind: str) -> None:
        if not self._hello_said:
            if kind != "hello":
                raise UnmetError(f"Its first message was `{kind}`.", requirements.HELLO_FIRST)
            self._hello_said = True
        elif kind == "hello":
            raise UnmetError("It sent `hello` twice on one connection.", requirements.HELLO_FIRST)
        elif not self._welcomed:
            raise UnmetError(f"It sent `{kind}` before it was welcomed.", requirements.NOT_BEFORE_WELCOME)

    def _check_flood(self, kind: str) -> None:
        if _Asked.OPEN in self._decisions.values():
            self._idle_messages = 0
        elif kind != "pong":
            self._idle_messages += 1
        if self._idle_messages > IDLE_MESSAGES:
            what = f"It sent more than {IDLE_MESSAGES} messages while no decision was open."
            raise UnmetError(what, requirements.FLOOD)

    def _check_assignment(self, kind: str, assignment: int) -> None:
        if assignment not in self._assigned:
            what = f"It sent `{kind}` for assignment {assignment}, which it was not given."
            raise UnmetError(what, requirements.ASSIGNMENT)

    def _check_answer(self, answer: play_pb2.Answer) -> None:
        asked = (answer.assignment, answer.decision)
        which = f"decision {answer.decision} of assignment {answer.assignment}"
        if asked not in self._decisions:
            raise UnmetError(f"It answered {which}, which was not asked.", requirements.ONCE)
        if self._decisions[asked] is _Asked.ANSWERED:
            raise UnmetError(f"It answered {which} twice.", requirements.ONCE)
        self._decisions[asked] = _Asked.ANSWERED

    def _close(self, asked: tuple[int, int]) -> None:
        if self._decisions.get(asked) is _Asked.OPEN:
            self._decisions[asked] = _Asked.CLOSED

    def _close_all(self, assignment: int) -> None:
        for asked in self._decisions:
            if asked[0] == assignment:
                self._close(asked)
