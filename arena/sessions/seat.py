"""One seat of one match in the hands of a session: the session's side of `arena.runner.player`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from arena.core.clock.processor_use import ProcessorUse
from arena.core.clock.round_trip import RoundTrip
from arena.core.clock.time_control import TimeControl
from arena.core.debug_line import DebugLine, LineSource
from arena.core.endings.terminations import SeatEnding
from arena.core.match import MatchSetup
from arena.core.referee.effects import CloseDecision, IgnoreAnswer
from arena.core.referee.referee import Network, Refused
from arena.runner.history import Happening
from arena.runner.player import MatchOver, SeatPort
from arena.runner.question import Question
from arena.sessions import outgoing
from arena.sessions.asked import Asked
from arena.sessions.handshake import Identity, Preferences

DEBUG_LINE_BYTES: Final = 4_096
DEBUG_MATCH_BYTES: Final = 262_144
DEBUG_LEAST_BYTES: Final = 64
"""Every line counts for at least so much of a match's room: a match keeps at most 4096 of them."""

DEBUG_CUT: Final = f"[cut: {DEBUG_MATCH_BYTES} bytes of debug lines and output of a seat are kept in a match]"
"""The last line of a seat that had more to say."""


class Holder(Protocol):
    """The session that holds a seat, as the seat sees it."""

    identity: Identity
    preferences: Preferences

    @property
    def number(self) -> int:
        """Which session it is."""
        ...

    @property
    def present(self) -> bool:
        """Whether it has a connection."""
        ...

    def catch_up(self) -> None:
        """What the bot's program has printed so far is kept, if the arena runs it: something happens that ends what
        it has printed it about.
        """
        ...

    @property
    def processor(self) -> Callable[[int, int], ProcessorUse | None]:
        """What its program has had of the processors in a span of time; None if that is not known."""
        ...

    @property
    def round_trip(self) -> RoundTrip | None:
        """The network time of the connection."""
        ...

    def push(self, message: outgoing.Outgoing) -> None:
        """The message goes out, if there is a connection."""
        ...

    def keep_and_push(self, message: outgoing.Outgoing) -> None:
        """An end: it goes out, and is repeated if the bot comes back soon."""
        ...

    def decision_ready(self, seat: AssignedSeat) -> None:
        """The seat is asked: it is released now, or when the bot has room for another decision."""
        ...

    def settled(self, seat: AssignedSeat) -> None:
        """The seat has no question open any more."""
        ...

    def release_held(self) -> None:
        """Questions held back go out as far as the bot takes them."""
        ...

    def drop(self, seat: AssignedSeat) -> None:
        """The seat's match is over for the session."""
        ...


class AssignedSeat:
    """A player: one seat, named by its assignment number within the session."""

    def __init__(self, session: Holder, assignment: int) -> None:
        """The seat is filled by `offer`."""
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
        self._observation: object = None
        self._given: tuple[tuple[int, tuple[int, ...]], ...] = ()
        self._news: list[Happening] = []
        """What a live bot was told since `_observation`."""
        self.asked = 0
        """The decision that it was asked last; 0: none yet."""
        self.asked_at = 0
        """When that was, by the session's timers."""
        self._debug_left = DEBUG_MATCH_BYTES
        self._debug_cut = False

    @property
    def forfeited(self) -> bool:
        """Whether the seat has lost the match by its own fault."""
        return self.ending is not None

    # What the match says

    def offer(self, setup: MatchSetup, seat: int, port: SeatPort) -> None:
        """A seat is given to the session."""
        self.setup = setup
        self.seat = seat
        self.port = port
        self.hold_left_ns = setup.time_control.hold_ns
        self._push(outgoing.Offered(self.assignment, setup, seat))

    def withdraw(self, why: str) -> None:
        """The match does not begin."""
        self.session.keep_and_push(outgoing.Withdrawn(self.assignment, f"The match does not begin: {why}."))
        self.session.drop(self)

    def start(self, observation: object) -> None:
        """The match begins."""
        self.started = True
        self.session.catch_up()
        self._observation = observation
        self._push(outgoing.Started(self.assignment, self.setup, observation, None))

    def ask(self, question: Question) -> None:
        """A decision is asked, or held back while the bot thinks about others."""
        self.open = question
        self._released_at = None
        self._sent = False
        self.session.decision_ready(self)

    def news(self, happened: list[Happening]) -> None:
        """Something has happened in between."""
        self._news += happened
        self._push(outgoing.News(self.assignment, self.setup.game, happened))

    def close(self, closed: CloseDecision) -> None:
        """The default was played."""
        self.session.catch_up()
        self._settle()
        self._given = ((closed.decision, (closed.action,)),)
        self._push(outgoing.Closed(self.assignment, self.setup.game, closed))
        self.session.release_held()

    def ignore(self, ignored: IgnoreAnswer) -> None:
        """An answer had no effect."""
        self._push(outgoing.Ignored(self.assignment, ignored))

    def end_seat(self, ending: SeatEnding) -> None:
        """The seat has forfeited; its place in the session's capacity is free."""
        self.ending = ending
        self._settle()
        self._push(outgoing.SeatOver(self.assignment, ending))
        self.session.release_held()

    def end_match(self, ended: MatchOver) -> None:
        """The match is over."""
        self.session.keep_and_push(outgoing.Ended(self.assignment, self.setup.game, ended))
        self.session.drop(self)

    def network(self, control: TimeControl) -> Network:
        """The round trip of the connection in use; nothing is credited without one."""
        trip = self.session.round_trip
        if trip is None:
            return Network(0, None, self.session.identity.owner)
        return Network(trip.credit_ns(control), trip.lowest_ns, self.session.identity.owner)

    def processor(self, started: int, now: int) -> ProcessorUse | None:
        """What the program behind the seat has had of the processors; None unless the arena runs it."""
        return self.session.processor(started, now)

    @property
    def expected_since(self) -> int | None:
        """Since when the bot has had to answer: an offer (0), or a question; None if nothing is expected of it."""
        if not self.started:
            return 0
        return self._sent_at if self.open is not None and self._sent else None

    @property
    def present(self) -> bool:
        """Whether the session has a connection."""
        return self.session.present

    @property
    def live(self) -> bool:
        """Whether the bot wants news in between."""
        return self.session.preferences.live

    # What the session and its connection say

    def release(self, now: int) -> None:
        """The open question goes out now; without a connection its clock starts as if it had been sent."""
        question = self.open
        assert question is not None
        self.asked, self.asked_at = question.decision, now
        self.port.released(question.decision, now)
        self._observation = question.observation
        self._given = ()
        self._news = []
        if not self.present:
            self._mark_sent(question, now)
            return
        self._released_at = now
        time_left = question.per_decision_ms + question.bank_ms
        self._push(Asked(self, question, time_left))

    def written(self, decision: int, at: int) -> None:
        """gRPC has taken the frame that holds the question."""
        question = self.open
        if question is not None and question.decision == decision and self._released_at is not None:
            self._mark_sent(question, at)

    def answer(self, decision: int, answer: tuple[int, ...] | Refused, received: int) -> None:
        """An answer came. One that is open counts as settled, whatever becomes of it."""
        self.session.catch_up()
        question = self.open
        if question is not None and question.decision == decision and self._out:
            if not self._sent and self._released_at is not None:
                # The answer has overtaken the news that its question was written.
                self._mark_sent(question, min(received, self._released_at))
            self._note_round_trip(received)
            self._settle()
            if not isinstance(answer, Refused):
                self._given = ((decision, answer),)
        self.port.answer(decision, answer, received)
        self.session.release_held()

    def index(self, decision: int, index: int) -> tuple[int, ...] | Refused:
        """The action at that place of the list which the open decision carried."""
        question = self.open
        if question is None or question.decision != decision:
            return ()
        if not self.session.preferences.lists_actions:
            return Refused("index was given, but this connection asked for no list of legal actions")
        if index >= len(question.legal_actions):
            return Refused(f"index is {index}, but the list has {len(question.legal_actions)} legal actions")
        return (question.legal_actions[index],)

    def keep_debug(self, decision: int, text: bytes) -> bool:
        """A private line for the bot's owner is kept, as far as there is room. False if it was cut."""
        self.session.catch_up()
        return self._keep_line(decision, text, LineSource.MESSAGE)

    def keep_output(self, decision: int, text: str, source: LineSource) -> None:
        """The same of a line that its program has printed."""
        self._keep_line(decision, text.encode(), source)

    def keep_last_words(self, text: str, source: LineSource) -> None:
        """The same of one of the last lines of a program that has ended: there is room for it in any case."""
        self.port.debug(DebugLine(self.asked, text, source))

    @property
    def debug_full(self) -> bool:
        """Whether the match keeps no more lines of this seat."""
        return self._debug_cut

    def _keep_line(self, decision: int, text: bytes, source: LineSource) -> bool:
        left = max(0, self._debug_left)
        kept = text[: min(DEBUG_LINE_BYTES, left)]
        self._debug_left -= max(DEBUG_LEAST_BYTES, len(kept))
        if kept:
            self.port.debug(DebugLine(decision, kept.decode(errors="ignore"), source))
        if left < min(DEBUG_LINE_BYTES, len(text)) and not self._debug_cut:
            self._debug_cut = True
            self.port.debug(DebugLine(decision, DEBUG_CUT, source))
        return len(kept) == len(text)

    def lost(self, at: int, why: str) -> None:
        """The session has no connection any more, as `Session.disconnect`. A question on its way counts as sent."""
        question = self.open
        if question is not None and self._released_at is not None and not self._sent:
            self._mark_sent(question, at)
        self.port.lost(at, why)

    def returned(self, at: int) -> None:
        """The session has a connection again: the match is told anew, with nothing that the seat had not been shown."""
        self._push(outgoing.Offered(self.assignment, self.setup, self.seat))
        if not self.started:
            return
        self._push(outgoing.Started(self.assignment, self.setup, self._observation, self._given))
        if self._news and self.live:
            self._push(outgoing.News(self.assignment, self.setup.game, list(self._news)))
        if self.ending is not None:
            self._push(outgoing.SeatOver(self.assignment, self.ending))
        self.port.returned(at)
        question = self.open
        if question is not None and self._out:
            left = self.port.time_left_ms(question.decision)
            self._push(Asked(self, question, left))

    @property
    def _out(self) -> bool:
        """Whether the open question has left, or would have with a connection."""
        return self._sent or self._released_at is not None

    @property
    def knows_position(self) -> bool:
        """Whether the bot was shown the position of the open question before: as the first seat to act of a match."""
        return self.open is not None and self.open.observation == self._observation

    @property
    def out(self) -> bool:
        """Whether a question of this seat is out and not settled."""
        return self.open is not None and self._out

    def _mark_sent(self, question: Question, at: int) -> None:
        if not self._sent:
            self._sent = True
            self._sent_at = at
            self.port.sent(question.decision, at)

    def _note_round_trip(self, received: int) -> None:
        trip = self.session.round_trip
        if trip is not None:
            trip.note_answer(received - self._sent_at)

    def _settle(self) -> None:
        self.open = None
        self._released_at = None
        self.session.settled(self)

    def _push(self, message: outgoing.Outgoing) -> None:
        self.session.push(message)
