"""The seats that the agent holds: matches in progress, decisions that are due, and news that was not reported yet.

The threads of the bot and the event loop of the tools share one `Seats`.
"""

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from arena.sdk.llm.match_texts import MatchTexts, Question
from arena.sdk.match import Match
from arena.sdk.mcp.errors import Reason, RefusedCallError

POLL_S: Final = 0.1
"""How often a bot's thread looks whether the arena still waits for the answer, in seconds."""

_CLOSED: Final = 1_000
"""So many closed decisions are remembered, to say what became of them."""
_NEWS: Final = 200


class NewsKind(StrEnum):
    """What a piece of news is about."""

    MATCH_STARTED = "MATCH_STARTED"
    MATCH_ENDED = "MATCH_ENDED"
    MATCH_LOST = "MATCH_LOST"
    """It has ended while the program was away, or the arena does not know it any more."""
    FALLBACK_PLAYED = "FALLBACK_PLAYED"
    ARENA_PLAYED = "ARENA_PLAYED"
    """The arena has closed a decision and played its default action."""
    CONNECTION_LOST = "CONNECTION_LOST"
    CONNECTION_BACK = "CONNECTION_BACK"


@dataclass(frozen=True, slots=True)
class News:
    """Something that the next result of `wait` or `state` reports, once."""

    kind: NewsKind
    match: str
    """For example "matches/17"; empty for the connection."""
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What the agent has chosen."""

    action: int
    """Packed; legal, and not always in the list."""
    thoughts: str


@dataclass(slots=True)
class OpenDecision:
    """A decision that waits for the agent."""

    id: str
    """Unique: a number of another decision, match or run of this program is never taken for it."""
    match: Match
    observation: object
    """The game's own Observation."""
    legal_actions: Sequence[int]
    question: Question
    until: float
    """When the fallback plays, on the clock of `Seats`, in seconds."""
    answer: Answer | None = None


@dataclass(slots=True)
class Seat:
    """One match in progress from its seat."""

    match: Match
    texts: MatchTexts
    decisions: int = 0
    open: OpenDecision | None = None
    last: str = ""
    """What was played last, and by whom, as a sentence."""


@dataclass(slots=True)
class Seats:
    """All seats. Every method may be called from any thread."""

    now: Callable[[], float] = time.monotonic
    listener: Callable[[], None] = lambda: None
    """Called after each change, in the thread that has made it."""
    run: str = field(default_factory=lambda: secrets.token_hex(2))
    """Tells the decisions of this run of the program from those of others."""
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _seats: dict[str, Seat] = field(default_factory=dict)
    _news: deque[News] = field(default_factory=lambda: deque(maxlen=_NEWS))
    _closed: dict[str, tuple[Reason, str]] = field(default_factory=dict)
    _is_over: bool = False

    def begin(self, match: Match, texts: MatchTexts, news: str) -> None:
        """Add the seat of a match that has begun."""
        with self._changed:
            self._seats[match.name] = Seat(match, texts)
            self._news.append(News(NewsKind.MATCH_STARTED, match.name, news))
        self.listener()

    def end(self, match: str, kind: NewsKind, news: str) -> None:
        """Remove the seat of a match that is over."""
        with self._changed:
            seat = self._seats.pop(match, None)
            if seat is not None and seat.open is not None:
                self._close(seat, Reason.DECISION_CLOSED, f"{match} is over.")
            self._news.append(News(kind, match, news))
        self.listener()

    def tell(self, kind: NewsKind, match: str, text: str) -> None:
        """Keep a piece of news."""
        with self._changed:
            self._news.append(News(kind, match, text))
        self.listener()

    def open(
        self, match: Match, observation: object, actions: Sequence[int], question: Question, until: float
    ) -> OpenDecision:
        """Add a decision that is due."""
        with self._changed:
            seat = self._seats[match.name]
            seat.decisions += 1
            name = f"{match.name.partition('/')[2]}-{seat.decisions}-{self.run}"
            decision = seat.open = OpenDecision(name, match, observation, actions, question, until)
        self.listener()  # an agent may answer before this returns
        return decision

    def await_answer(self, decision: OpenDecision, is_open: Callable[[], bool]) -> Answer | None:
        """Return the answer to a decision; None if there is none in time, or the arena waits no longer.

        From then on the decision takes no answer.
        """
        seat = self._seats[decision.match.name]
        with self._changed:
            while decision.answer is None:
                left_s = decision.until - self.now()
                if left_s <= 0 or self._is_over or not is_open():
                    break
                self._changed.wait(min(left_s, POLL_S))
            if decision.answer is None:
                why = "The time for it was over." if is_open() else "The arena has closed it."
                self._close(seat, Reason.DECISION_CLOSED, why)
            return decision.answer

    def answer(self, decision_id: str, answer: Answer, told: str) -> None:
        """Answer an open decision. `told`: the action in words. Raises RefusedCallError: it is not open."""
        with self._changed:
            seat = self._seat_of(decision_id)
            assert seat.open is not None
            if seat.open.until <= self.now():
                raise RefusedCallError(
                    Reason.DECISION_CLOSED,
                    f"The time for decision {decision_id} is over; the fallback plays. Call wait.",
                )
            seat.open.answer = answer
            seat.last = f"Your last action: {told}."
            self._close(seat, Reason.DECISION_ANSWERED, f"Your answer was: {told}.")
            self._changed.notify_all()

    def check_open(self, decision_id: str) -> OpenDecision:
        """Return an open decision. Raises RefusedCallError: it is not open."""
        with self._changed:
            decision = self._seat_of(decision_id).open
            assert decision is not None
            return decision

    def note_last(self, match: str, sentence: str) -> None:
        """Keep what was played last in a match."""
        with self._changed:
            if (seat := self._seats.get(match)) is not None:
                seat.last = sentence

    def take_news(self) -> list[News]:
        """Return the news that no result has reported yet, oldest first, once."""
        with self._changed:
            told = list(self._news)
            self._news.clear()
        return told

    @property
    def has_news(self) -> bool:
        """Whether there is something to tell."""
        return bool(self._news)

    def in_progress(self) -> list[Seat]:
        """Return the matches in progress, in the order in which they began."""
        with self._changed:
            return list(self._seats.values())

    def due(self) -> list[OpenDecision]:
        """Return the decisions that wait for an answer, the most urgent one first."""
        with self._changed:
            found = [seat.open for seat in self._seats.values() if seat.open is not None]
        return sorted(found, key=lambda decision: decision.until)

    def close(self) -> None:
        """Release the threads of the bot: nothing is answered any more."""
        with self._changed:
            self._is_over = True
            self._changed.notify_all()

    def forget(self, why: str) -> None:
        """Remove all seats: the session that held them is over."""
        for seat in self.in_progress():
            name = seat.match.name
            self.end(name, NewsKind.MATCH_LOST, f"You play {name} no longer. {why}")

    def _close(self, seat: Seat, reason: Reason, why: str) -> None:
        if seat.open is None:
            return
        self._closed[seat.open.id] = (reason, why)
        while len(self._closed) > _CLOSED:
            del self._closed[next(iter(self._closed))]
        seat.open = None

    def _seat_of(self, decision_id: str) -> Seat:
        """Return the seat whose decision is open under this id. Raises RefusedCallError."""
        for seat in self._seats.values():
            if seat.open is not None and seat.open.id == decision_id:
                return seat
        if decision_id in self._closed:
            reason, why = self._closed[decision_id]
            raise RefusedCallError(
                reason, f"Decision {decision_id} takes no answer any more. {why} Call wait for the next one."
            )
        due = ", ".join(seat.open.id for seat in self._seats.values() if seat.open is not None)
        raise RefusedCallError(
            Reason.DECISION_UNKNOWN,
            f"There is no decision {decision_id!r}. Due now: {due or 'none, call wait'}.",
        )
