"""One seat of one match, held by a session: implements `arena.runner.player.Player`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.core.clock.processor_use import ProcessorUse
from arena.core.clock.time_control import TimeControl
from arena.core.endings.terminations import SeatEnding
from arena.core.evaluation import Evaluation
from arena.core.match import DebugLine, LineSource, MatchSetup
from arena.core.referee.effects import CloseDecision, IgnoreAnswer
from arena.core.referee.referee import Network, Refused
from arena.core.referee.seat import Hold
from arena.runner.history import Happening
from arena.runner.match_runner import MatchRunner
from arena.runner.player import MatchOver
from arena.runner.question import Question
from arena.sessions import outgoing
from arena.sessions.decision_window import Asked

if TYPE_CHECKING:
    from arena.sessions.session import Session

DEBUG_LINE_BYTES: Final = 4_096
DEBUG_MATCH_BYTES: Final = 262_144
DEBUG_LEAST_BYTES: Final = 64
"""Every line counts for at least so much of a match's room: a match keeps at most 4096 of them."""

DEBUG_CUT: Final = f"[cut: {DEBUG_MATCH_BYTES} bytes of debug lines and output of a seat are kept in a match]"
"""The last line of a seat that had more to say."""


class AssignedSeat:
    """A player: one seat, named by its assignment number within the session."""

    def __init__(self, session: Session, assignment: int) -> None:
        """`offer` sets the match."""
        self.session = session
        self.assignment = assignment
        self.started = False
        self.ending: SeatEnding | None = None
        """Set once the seat has forfeited."""
        self.open: Question | None = None
        """The decision that is asked, or held back to be asked."""
        self._released_at: int | None = None
        self._sent = False
        self._sent_at = 0
        self._first_observation: object = None
        self._shown: Question | None = None
        """The last question released; None: none since the match began."""
        self._given: tuple[tuple[int, tuple[int, ...]], ...] = ()
        self._news: list[Happening] = []
        """What was sent to a live bot since then."""
        self.asked = 0
        """The newest decision released; 0: none yet."""
        self.asked_at = 0
        """When that was, by the session's timers."""
        self._debug_left = DEBUG_MATCH_BYTES
        self.debug_full = False
        """Whether the match keeps no more lines of this seat."""

    @property
    def forfeited(self) -> bool:
        """Whether the seat has lost the match by its own fault."""
        return self.ending is not None

    # Called by the match

    def offer(self, setup: MatchSetup, seat: int, match: MatchRunner) -> None:
        """Offer the seat to the bot."""
        self.setup = setup
        self.seat = seat
        self.match = match
        self.hold_left_ns = setup.time_control.hold_ns
        """How much longer decisions of this match may be held back while the bot pays nothing."""
        self.session.push(outgoing.Offered(self.assignment, setup, seat))

    def withdraw(self, why: str) -> None:
        """Cancel the offer: the match does not begin."""
        sentence = f"The match does not begin: {why}."
        self.session.keep_and_push(outgoing.Withdrawn(self.assignment, sentence))
        self.session.drop(self)

    def start(self, observation: object) -> None:
        """Begin the match."""
        self.started = True
        self.session.read_output()
        self._first_observation = observation
        self.session.push(outgoing.Started(self.assignment, self.setup, observation, None))

    def ask(self, question: Question) -> None:
        """Ask a decision, now or when the bot has answered others."""
        self.open = question
        self._released_at = None
        self._sent = False
        self.session.window.add(self)

    def news(self, happened: list[Happening]) -> None:
        """Send what has happened between decisions."""
        self._news += happened
        self.session.push(outgoing.News(self.assignment, self.setup.game, happened))

    def close(self, closed: CloseDecision) -> None:
        """Close the decision: the default was played."""
        self.session.read_output()
        self._close_question()
        self._given = ((closed.decision, (closed.action,)),)
        self.session.push(outgoing.Closed(self.assignment, self.setup.game, closed))
        self.session.window.release_held()

    def ignore(self, ignored: IgnoreAnswer) -> None:
        """Say that an answer had no effect."""
        self.session.push(outgoing.Ignored(self.assignment, ignored))

    def end_seat(self, ending: SeatEnding) -> None:
        """Say that the seat has forfeited; it no longer counts against the session's capacity."""
        self.ending = ending
        self._close_question()
        self.session.push(outgoing.SeatOver(self.assignment, ending))
        self.session.window.release_held()

    def end_match(self, ended: MatchOver) -> None:
        """End the match."""
        self.session.keep_and_push(outgoing.Ended(self.assignment, self.setup.game, ended))
        self.session.drop(self)

    def network(self, control: TimeControl) -> Network:
        """Return the round trip of the connection in use; nothing is credited without one."""
        trip = self.session.round_trip
        if trip is None:
            return Network(0, None, self.session.identity.owner)
        return Network(trip.credit_ns(control), trip.lowest_ns, self.session.identity.owner)

    def processor(self, started: int, now: int) -> ProcessorUse | None:
        """Return the processor use of the bot's process in this span; None unless the arena hosts it."""
        return self.session.processor(started, now)

    @property
    def expected_since(self) -> int | None:
        """Since when the bot has had to answer: an offer (0), or a question; None if it has not."""
        if not self.started:
            return 0
        return self._sent_at if self.open is not None and self._sent else None

    @property
    def present(self) -> bool:
        """Whether the session has a connection."""
        return self.session.present

    @property
    def live(self) -> bool:
        """Whether the bot wants news between its decisions."""
        return self.session.preferences.live

    @property
    def sees_view(self) -> bool:
        """Whether decisions show the position, as a view or as text."""
        return self.session.preferences.sees_view

    @property
    def sees_list(self) -> bool:
        """Whether decisions have a list of legal actions."""
        return self.session.preferences.lists_actions

    # Called by the session and its connection

    def release(self, now: int, hold: Hold | None = None) -> None:
        """Send the open question; without a connection its clock starts as if it had been sent.

        `hold`: how long it was held back, if it was.
        """
        question = self.open
        assert question is not None
        self.asked, self.asked_at = question.decision, now
        self.match.released(self.seat, question.decision, now, hold)
        self._shown = question
        self._given = ()
        self._news = []
        if not self.present:
            self._mark_sent(question, now)
            return
        self._released_at = now
        self.session.push(Asked(self, question, question.per_decision_ms + question.bank_ms))

    def delayed(self, decision: int, by_ns: int) -> None:
        """Note that the question has waited while messages to other owners' bots were encoded."""
        self.match.delayed(self.seat, decision, by_ns)

    def written(self, decision: int, at: int) -> None:
        """Note that gRPC has taken the frame that holds the question."""
        question = self.open
        if question is not None and question.decision == decision and self._released_at is not None:
            self._mark_sent(question, at)

    def answer(
        self,
        decision: int,
        answer: tuple[int, ...] | Refused,
        received: int,
        evaluation: Evaluation | None = None,
    ) -> None:
        """Pass an answer to the match. It closes the open question, whether it is accepted or not."""
        self.session.read_output()
        question = self.open
        if question is not None and question.decision == decision and self._is_out:
            if not self._sent and self._released_at is not None:
                # The answer has overtaken the note that its question was written.
                self._mark_sent(question, min(received, self._released_at))
            trip = self.session.round_trip
            if trip is not None:
                trip.note_answer(received - self._sent_at)
            self._close_question()
            if not isinstance(answer, Refused):
                self._given = ((decision, answer),)
        self.match.answered(self.seat, decision, answer, received, evaluation)
        self.session.window.release_held()

    def index(self, decision: int, index: int) -> tuple[int, ...] | Refused:
        """Return the action at that place of the list sent with the open decision."""
        question = self.open
        if question is None or question.decision != decision:
            return ()
        if not self.session.preferences.lists_actions:
            return Refused("index was given, but this connection asked for no list of legal actions")
        if index >= len(question.legal_actions):
            return Refused(f"index is {index}, but the list has {len(question.legal_actions)} legal actions")
        return (question.legal_actions[index],)

    def keep_debug(self, decision: int, text: bytes, source: LineSource = LineSource.MESSAGE) -> bool:
        """Keep a debug line, as far as there is room. Return False if it was cut."""
        self.session.read_output()
        return self._keep_line(decision, text, source)

    def keep_output(self, decision: int, text: str, source: LineSource) -> None:
        """Keep a line that the bot's process has printed, as far as there is room."""
        self._keep_line(decision, text.encode(), source)

    def keep_last_words(self, text: str, source: LineSource) -> None:
        """Keep one of the last lines of a process that has ended; there is always room for it."""
        self.match.keep_debug(self.seat, DebugLine(self.asked, text, source))

    def _keep_line(self, decision: int, text: bytes, source: LineSource) -> bool:
        left = max(0, self._debug_left)
        kept = text[: min(DEBUG_LINE_BYTES, left)]
        self._debug_left -= max(DEBUG_LEAST_BYTES, len(kept))
        if kept:
            self.match.keep_debug(self.seat, DebugLine(decision, kept.decode(errors="ignore"), source))
        if left < min(DEBUG_LINE_BYTES, len(text)) and not self.debug_full:
            self.debug_full = True
            self.match.keep_debug(self.seat, DebugLine(decision, DEBUG_CUT, source))
        return len(kept) == len(text)

    def lost(self, at: int, why: str) -> None:
        """Note that the session has lost its connection, as `Session.disconnect`. A question on its way is sent."""
        question = self.open
        if question is not None and self._released_at is not None and not self._sent:
            self._mark_sent(question, at)
        self.match.lost(self.seat, at, why)

    def returned(self, at: int) -> None:
        """Repeat the match on a new connection, with nothing that the seat had not been shown."""
        self.session.push(outgoing.Offered(self.assignment, self.setup, self.seat))
        if not self.started:
            return
        self.session.push(outgoing.Started(self.assignment, self.setup, self._observation, self._given))
        if self._news and self.live:
            self.session.push(outgoing.News(self.assignment, self.setup.game, list(self._news)))
        if self.ending is not None:
            self.session.push(outgoing.SeatOver(self.assignment, self.ending))
        self.match.returned(self.seat, at)
        question = self.open
        if question is not None and self._is_out:
            left = self.match.time_left_ms(self.seat, question.decision)
            self.session.push(Asked(self, question, left))

    @property
    def _observation(self) -> object:
        """The last position that the bot was to know."""
        return self._first_observation if self._shown is None else self._shown.observation

    @property
    def _is_out(self) -> bool:
        """Whether the open question was sent, or would have been with a connection."""
        return self._sent or self._released_at is not None

    @property
    def knows_position(self) -> bool:
        """Whether the bot was shown the position of the open question before: as the first seat to act of a match."""
        return self.open is not None and self.open.observation == self._observation

    @property
    def out(self) -> bool:
        """Whether a question of this seat was released and is not answered or closed."""
        return self.open is not None and self._is_out

    def _mark_sent(self, question: Question, at: int) -> None:
        if not self._sent:
            self._sent = True
            self._sent_at = at
            self.match.sent(self.seat, question.decision, at)

    def _close_question(self) -> None:
        self.open = None
        self._released_at = None
        self.session.window.remove(self)
