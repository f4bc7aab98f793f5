"""The messages of a bot after `welcome`, handled one by one."""

import secrets
from collections.abc import Iterable
from typing import Final

import structlog

from arena.core.errors import ArenaError, ErrorReason, FailedPreconditionError, ResourceExhaustedError
from arena.core.evaluation import Evaluation
from arena.core.match import LineSource
from arena.core.referee.effects import IgnoreAnswer, IgnoreReason
from arena.server.errors import internal_error
from arena.server.play.connection import Connection
from arena.sessions import outgoing
from arena.sessions.decision_window import Asked
from arena.sessions.outgoing import WarningCode
from arena.sessions.registry import SessionRegistry
from arena.sessions.seat import AssignedSeat
from arena.sessions.session import Session
from arena.v1 import play_pb2
from arena.wire.play.incoming import MOST_MATCHES, read_answer, read_capacity, read_evaluation, read_frame

_log = structlog.get_logger(__name__)

IDLE_MESSAGES: Final = 256
"""More messages than this without an open decision are a flood."""

BYTES_A_DECISION: Final = 4 << 20
"""More bytes than this between one decision and the next are a flood."""

_TAG_BYTES: Final = 2
"""What a small message takes in its frame beside its own bytes."""


class Conversation:
    """Handles the frames of one connection of a session."""

    def __init__(self, connection: Connection, session: Session, sessions: SessionRegistry) -> None:
        """`session`: connected by this connection."""
        self._connection = connection
        self._session = session
        self._sessions = sessions
        self._idle_messages = 0
        self._asked = 0
        """How many decisions the bot had been asked when its newest message came."""
        self._bytes = 0
        """Bytes received since then."""

    def handle_frame(self, data: bytes, received: int) -> None:
        """Handle the messages of a frame, in order. Raises ArenaError if the connection must end."""
        self._session.older_secret = ""
        self._watch_decision(len(data))
        for message in read_frame(data).messages:
            self.handle(message, received)

    def handle_first(self, messages: Iterable[play_pb2.ClientMessage], received: int) -> None:
        """Handle the messages after `hello` in its frame. A fault ends the connection."""
        try:
            for message in messages:
                self.handle(message, received)
        except ArenaError as error:
            self._connection.end(error)

    def handle(self, message: play_pb2.ClientMessage, received: int) -> None:
        """Handle one message. Raises ArenaError like `handle_frame`."""
        if not message.HasField("pong"):
            self._watch_idle()
        match message.WhichOneof("kind"):
            case "answer":
                self._answer(message.answer, received)
            case "pong":
                self._pong(message, received)
            case "ready":
                seat = self._seat(message.ready.assignment, "ready")
                if seat is not None:
                    seat.match.ready(seat.seat)
            case "debug":
                self._debug(message.debug)
            case "capacity":
                self._capacity(message.capacity)
            case "resign":
                self._resign(message.resign.assignment, received)
            case "hello":
                raise FailedPreconditionError(
                    ErrorReason.HELLO_EXPECTED,
                    "`hello` came twice: it opens a connection and is said only once.",
                )
            case _:
                self._warn(
                    WarningCode.UNKNOWN_MESSAGE,
                    0,
                    "A message without a kind that this arena knows was ignored.",
                )

    def _pong(self, message: play_pb2.ClientMessage, received: int) -> None:
        if self._connection.pong(message.pong.id, received):
            # It was asked for: a bot that is idle for a month answers many pings.
            self._bytes -= message.ByteSize() + _TAG_BYTES
        else:
            self._watch_idle()
            self._warn(WarningCode.UNEXPECTED_MESSAGE, 0, "This pong answers no ping.")

    def _watch_idle(self) -> None:
        if self._session.window.has_open:
            self._idle_messages = 0
        else:
            self._idle_messages += 1
        if self._idle_messages > IDLE_MESSAGES:
            raise ResourceExhaustedError(
                ErrorReason.MESSAGE_FLOOD,
                f"More than {IDLE_MESSAGES} messages came while no decision was open. Send only what is asked for.",
            )

    def _watch_decision(self, size: int) -> None:
        if self._asked != self._session.window.released:
            self._asked = self._session.window.released
            self._bytes = 0
        self._bytes += size
        if self._bytes > BYTES_A_DECISION:
            raise ResourceExhaustedError(
                ErrorReason.MESSAGE_FLOOD,
                f"More than {BYTES_A_DECISION} bytes came since a decision was asked last. Send its answer, and fewer "
                "debug lines.",
            )

    def encoding_failed(self, message: outgoing.Outgoing) -> None:
        """Void the match of a message that the arena failed to encode, by the exception that is being handled."""
        _log.exception("a message could not be put into words", kind=type(message).__name__)
        assignment, decision = 0, 0
        if isinstance(message, Asked):
            assignment, decision = message.seat.assignment, message.question.decision
        elif not isinstance(message, outgoing.Draining | outgoing.Goodbye):
            assignment = message.assignment
        if (seat := self._session.seats.get(assignment)) is not None:
            seat.match.failed(seat.seat, decision)

    def write_failed(self) -> None:
        """Void the matches after a failed write, by the exception that is being handled; the bot may reconnect."""
        error_id = secrets.token_hex(4)
        _log.exception(
            "a connection could not be written to", bot=self._session.identity.bot, error_id=error_id
        )
        for seat in list(self._session.seats.values()):
            seat.match.failed(seat.seat, seat.open.decision if seat.open else 0)
        self._connection.end(internal_error(error_id))

    def _answer(self, answer: play_pb2.Answer, received: int) -> None:
        seat = self._session.seats.get(answer.assignment)
        if seat is None or not seat.started:
            unknown = IgnoreAnswer(0, answer.decision, IgnoreReason.UNKNOWN, 0)
            self._connection.push(outgoing.Ignored(answer.assignment, unknown))
            return
        try:
            actions = read_answer(answer, seat)
        # The arena could not read what it should refuse: its own fault, and none of the bot's.
        except Exception:  # noqa: BLE001
            seat.match.failed(seat.seat, answer.decision)
            return
        seat.answer(answer.decision, actions, received, self._evaluation(answer, seat))

    def _evaluation(self, answer: play_pb2.Answer, seat: AssignedSeat) -> Evaluation | None:
        """Return the evaluation of an answer; None if there is none, or with a warning if it is out of bounds."""
        try:
            return read_evaluation(answer, seat)
        except ValueError as error:
            left_out = f"The evaluation of decision {answer.decision} was left out: {error}"
            sentence = f"{left_out}. The answer is not affected."
            self._warn(WarningCode.EVALUATION_IGNORED, answer.assignment, sentence)
            return None

    def _debug(self, debug: play_pb2.Debug) -> None:
        seat = self._seat(debug.assignment, "debug")
        if seat is None:
            return
        source = LineSource.EXCEPTION if debug.exception else LineSource.MESSAGE
        if not seat.keep_debug(debug.decision, debug.text.encode(), source):
            self._warn(
                WarningCode.DEBUG_CUT, debug.assignment, "A debug line was cut: see the limits in `welcome`."
            )

    def _resign(self, assignment: int, received: int) -> None:
        seat = self._seat(assignment, "resign")
        if seat is None:
            return
        if seat.started:
            seat.match.resigned(seat.seat, received)
            return
        early = "`resign` came before its match has begun, and counts for nothing: say it once `match_started` came."
        self._warn(WarningCode.UNEXPECTED_MESSAGE, assignment, early)

    def _capacity(self, message: play_pb2.Capacity) -> None:
        if max(message.matches, message.open_decisions) > MOST_MATCHES:
            self._warn(
                WarningCode.OUT_OF_RANGE, 0, f"capacity is taken as {MOST_MATCHES}, the most there is."
            )
        self._session.set_capacity(read_capacity(message))
        self._sessions.changed()

    def _seat(self, assignment: int, what: str) -> AssignedSeat | None:
        seat = self._session.seats.get(assignment)
        if seat is None:
            self._warn(
                WarningCode.UNEXPECTED_MESSAGE,
                assignment,
                f"`{what}` names an assignment that is not running.",
            )
        return seat

    def _warn(self, code: WarningCode, assignment: int, sentence: str) -> None:
        self._connection.push(outgoing.Warned(code, assignment, sentence))
