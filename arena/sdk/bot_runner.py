"""The runner of one bot in one match: the bot's object, its open decision, and its last answer."""

import logging
import time
from collections.abc import Callable, Sequence
from typing import Final

from arena.sdk.bot import Bot
from arena.sdk.evaluation import evaluation_message
from arena.sdk.exceptions import describe
from arena.sdk.game_messages import inner, legal_actions_of, write_choice
from arena.sdk.match import Clock, Match, Result, clock_of
from arena.sdk.workers import Lane
from arena.v1 import happening_pb2, play_pb2

Send = Callable[[play_pb2.ClientMessage], None]

DEBUG_LINE_BYTES: Final = 4096
"""The arena's limit of a debug line; cutting it here keeps the frames small."""

DEBUG_LINES: Final = 1_000
DEBUG_BYTES: Final = 1 << 18
"""Further debug lines of one decision are left out: the arena would take them for a flood."""

_ALL_DECISIONS: Final = 0xFFFF_FFFF

_RAISED_BY_A_BOT: Final = (Exception, SystemExit)
"""Exceptions of an author's code that are reported to the author and end no other match."""

_LOG = logging.getLogger("arena.sdk")


class BotRunner:
    """Calls the bot in a lane of its own and hands its answers to `send`, which is called from any thread.

    Its methods are called from the thread that talks to the arena and return at once.
    """

    def __init__(self, assignment: int, bot_class: type[Bot], *, lane: Lane, send: Send) -> None:
        """Prepare the seat; the first `start` makes the bot's object."""
        self._assignment = assignment
        self._bot_class = bot_class
        self._lane = lane
        self._send = send
        self._bot: Bot | None = None
        self._match: Match | None = None
        self._asked = 0
        self._closed = 0
        self._thinking_about = 0
        self._answered: play_pb2.Answer | None = None
        self._evaluation: play_pb2.Evaluation | None = None
        """Of the decision that the bot is thinking about."""
        self._resigned = False
        self._ended = False
        """Whether the end was reported to the bot."""
        self._debug_lines = 0
        self._debug_bytes = 0
        """Of the debug lines since the newest decision."""

    def start(self, match: Match) -> None:
        """Tell the bot of the match, or that it is back in it; resign if no bot can be made for it."""
        self._lane.put(lambda: self._start(match))

    def decide(self, decision: play_pb2.Decision) -> None:
        """Ask the bot; if the decision comes again after a lost connection, repeat the answer."""
        if decision.decision == self._asked:
            if self._answered is not None and self._answered.decision == self._asked:
                self._send(play_pb2.ClientMessage(answer=self._answered))
            return
        self._asked = decision.decision
        # The ends of earlier ones may have been sent while there was no connection.
        self._closed = max(self._closed, decision.decision - 1)
        arrived = time.monotonic()
        self._lane.put(lambda: self._decide(decision, clock_of(decision, arrived)))

    def close_decision(self, closed: play_pb2.DecisionClosed) -> None:
        """Send no answer to this decision any more."""
        self._closed = max(self._closed, closed.decision)
        self._lane.put(lambda: self._call_bot(lambda bot, _: bot.on_decision_closed(closed)))

    def news(self, happened: Sequence[happening_pb2.Happening]) -> None:
        """Tell the bot what happened between its decisions."""
        self._lane.put(lambda: self._call_bot(lambda bot, _: bot.on_match_news(happened)))

    def end(self, result_for: Callable[[Match], Result], happened: Sequence[happening_pb2.Happening]) -> None:
        """Tell the bot how the match ended; skip decisions that are still waiting."""

        def tell(bot: Bot, match: Match) -> None:
            bot.happened = happened
            bot.on_match_ended(match, result_for(match))

        self.abandon()
        self._ended = True
        self._lane.put(lambda: self._call_bot(tell))

    def abandon(self) -> None:
        """Skip decisions that are still waiting."""
        self._closed = _ALL_DECISIONS

    def lose(self) -> None:
        """Tell the bot that the match is lost to it, unless it has ended; skip decisions that are still waiting."""
        self.abandon()
        if not self._ended:
            self._ended = True
            self._lane.put(lambda: self._call_bot(lambda bot, match: bot.on_match_lost(match)))

    def when_done(self, call: Callable[[], None]) -> None:
        """Call this in one of the bot's threads, after the bot's methods that were to be called before it."""
        self._lane.put(call)

    def _start(self, match: Match) -> None:
        self._match = match
        try:
            if self._bot is None:
                self._bot = self._bot_class()
        except _RAISED_BY_A_BOT as error:
            _LOG.exception("%s: the bot could not be made, so it resigns.", match.name)
            why = f"the bot could not be made, so it resigns: {describe(error, self._bot_class)}"
            self._write_debug(why, exception=True)
            self._resigned = True
        if self._bot is None or self._resigned:
            self._resign()  # again after a comeback: the first one may have been lost
            return
        self._bot.match = match
        self._bot.write_debug = self._write_debug
        self._bot.write_evaluation = self._write_evaluation
        self._bot.give_up = self._resign
        self._bot.waits = self._is_open
        self._call_bot(lambda bot, match: bot.on_match_started(match))

    def _call_bot(self, call: Callable[[Bot, Match], None]) -> None:
        if self._bot is None or self._match is None:
            return
        try:
            call(self._bot, self._match)
        except _RAISED_BY_A_BOT:
            _LOG.exception("%s: the bot raised an exception; the match goes on.", self._match.name)

    def _decide(self, decision: play_pb2.Decision, clock: Clock) -> None:
        if self._bot is None or self._resigned or decision.decision <= self._closed:
            return
        self._thinking_about = decision.decision
        self._debug_lines = self._debug_bytes = 0
        self._evaluation = None
        answer = self._answer(self._bot, decision, clock)
        self._thinking_about = 0
        if decision.decision > self._closed and not self._resigned:
            self._answered = answer
            self._send(play_pb2.ClientMessage(answer=answer))

    def _answer(self, bot: Bot, decision: play_pb2.Decision, clock: Clock) -> play_pb2.Answer:
        """Return the bot's answer; one without a choice makes the arena play the default at once and keeps the bank."""
        answer = play_pb2.Answer(assignment=self._assignment, decision=decision.decision)
        try:
            legal = legal_actions_of(decision, bot.match.game)
            bot.happened = decision.happened
            choice = bot.choose(inner(decision.view), legal, clock)
            write_choice(answer, choice, listed=len(legal), game=bot.match.game)
            if self._evaluation is not None:
                answer.evaluation.CopyFrom(self._evaluation)
        except _RAISED_BY_A_BOT as error:
            own = error.with_traceback(error.__traceback__ and error.__traceback__.tb_next)  # not this method
            _LOG.error("%s: no action chosen, the arena plays the default one.", bot.match.name, exc_info=own)
            self._write_debug(f"no action chosen: {describe(error, bot.choose)}", exception=True)
            answer.ClearField("choice")
        return answer

    def _is_open(self) -> bool:
        return self._thinking_about > self._closed

    def _resign(self) -> None:
        self._resigned = True
        self._send(play_pb2.ClientMessage(resign=play_pb2.Resign(assignment=self._assignment)))

    def _write_evaluation(self, scores: Sequence[float], line: str, final_scores: Sequence[float]) -> None:
        """Keep the evaluation for the answer. A wrong one is left out: it must not cost the decision."""
        assert self._match is not None
        try:
            seats = self._match.seats
            self._evaluation = evaluation_message(scores, line, final_scores, seats=seats)
        except _RAISED_BY_A_BOT as error:
            self._evaluation = None
            _LOG.warning("%s: the evaluation is not sent: %s", self._match.name, error)

    def _write_debug(self, text: str, *, exception: bool = False) -> None:
        if self._debug_lines > DEBUG_LINES or self._debug_bytes > DEBUG_BYTES:
            return
        kept = text.encode()[:DEBUG_LINE_BYTES]
        self._debug_lines += 1
        self._debug_bytes += len(kept)
        if self._debug_lines > DEBUG_LINES or self._debug_bytes > DEBUG_BYTES:
            many = "%d debug lines, or %d bytes, were written for one decision: more are left out."
            _LOG.warning(many, DEBUG_LINES, DEBUG_BYTES)
            return
        text = kept.decode(errors="ignore")
        line = play_pb2.Debug(
            assignment=self._assignment, decision=self._thinking_about, text=text, exception=exception
        )
        self._send(play_pb2.ClientMessage(debug=line))
