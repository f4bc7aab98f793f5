"""The messages of the arena about a recorded match."""

from collections.abc import Sequence
from typing import Final, TypeVar

from google.protobuf.message import Message

from arena.codecs.codec import codec_for
from arena.core.match import MatchSetup
from arena.core.units import NS_PER_MS, NS_PER_US, US_PER_MS
from arena.replay.recording import Moment, Recording
from arena.runner.history import Happening
from arena.runner.local_report import report
from arena.runner.player import MatchOver
from arena.sessions import outgoing
from arena.sessions.decision_window import Asked
from arena.sessions.handshake import Preferences
from arena.v1 import games_pb2, play_pb2
from arena.wire.play.outgoing import encode_message

M = TypeVar("M", bound=Message)

ASSIGNMENT: Final = 1
"""The number of the seat in all messages."""


class ReplayMessages:
    """One recording as messages, in the form that the bot prefers."""

    def __init__(self, recording: Recording, preferences: Preferences) -> None:
        """`preferences`: what its hello asks for."""
        self._recording = recording
        self._preferences = preferences
        secret = recording.game.spec.secret_decisions
        self._live = preferences.live and not secret

    def introduce(self, welcome: play_pb2.Welcome) -> play_pb2.Welcome:
        """Return the welcome with the names under which the seat was played."""
        holder = self._recording.log.setup.seats[self._recording.seat]
        welcome.bot = f"bots/{holder.bot}"
        welcome.bot_version = f"{welcome.bot}/versions/{holder.version}"
        return welcome

    def assigned(self) -> play_pb2.Assigned:
        """Return the assignment of the seat."""
        offered = outgoing.Offered(ASSIGNMENT, self._recording.log.setup, self._recording.seat)
        return self._body(offered, play_pb2.Assigned)

    def started(self, before: Moment | None) -> play_pb2.MatchStarted:
        """Return the beginning of the match; behind the decision `before`, as after a comeback."""
        recording = self._recording
        if before is None:
            view, answers = recording.opening, None
        else:
            view, answers = before.state.observe(recording.seat), ((before.decision, before.played),)
        started = outgoing.Started(ASSIGNMENT, recording.log.setup, view, answers)
        return self._body(started, play_pb2.MatchStarted)

    def news(self, happened: Sequence[Happening]) -> list[play_pb2.MatchNews]:
        """Return the news for a live bot; empty if it is not live or there are none."""
        if not self._live or not happened:
            return []
        news = outgoing.News(ASSIGNMENT, self._recording.game.spec.id, list(happened))
        return [self._body(news, play_pb2.MatchNews)]

    def decision(self, moment: Moment) -> play_pb2.Decision:
        """Return the question, with what the clock held."""
        question = moment.question(self._recording.seat, live=self._live)
        time_left_ms = question.per_decision_ms + question.bank_ms
        asked = Asked(_Seat(self._recording.log.setup), question, time_left_ms)
        return self._body(asked, play_pb2.Decision)

    def closed(self, moment: Moment) -> play_pb2.DecisionClosed:
        """Return the close of a decision answered otherwise: the recorded action is played. No cause is set."""
        codec = codec_for(self._recording.game.spec.id)
        return play_pb2.DecisionClosed(
            assignment=ASSIGNMENT,
            decision=moment.decision,
            played=[games_pb2.Action.FromString(codec.encode_action(action)) for action in moment.played],
            strikes=moment.strikes,
            strikes_allowed=self._recording.log.setup.time_control.strikes,
            bank_ms=moment.bank_after_ns // NS_PER_MS,
            sentence=f"This is a replay: the match goes on as recorded, with {moment.notation(moment.played)}.",
        )

    def seat_ended(self) -> play_pb2.SeatEnded:
        """Return the forfeit of the seat, as recorded."""
        ending = self._recording.log.result.seats[self._recording.seat].ending
        return self._body(outgoing.SeatOver(ASSIGNMENT, ending), play_pb2.SeatEnded)

    def match_ended(self) -> play_pb2.MatchEnded:
        """Return the end of the match, with its recorded result."""
        recording, log = self._recording, self._recording.log
        ended_us = log.origin.start_time_ms * US_PER_MS + log.result.duration_ns // NS_PER_US
        shown = report(log.setup, log.result, log.name, ended_us)
        happened = recording.ending if self._live else recording.last_news + recording.ending
        over = MatchOver(shown, recording.final, list(happened))
        return self._body(outgoing.Ended(ASSIGNMENT, recording.game.spec.id, over), play_pb2.MatchEnded)

    def goodbye(self) -> play_pb2.Goodbye:
        """Return the goodbye."""
        goodbye = outgoing.Goodbye(outgoing.GoodbyeCode.SHUTTING_DOWN, "The replay is over.")
        return self._body(goodbye, play_pb2.Goodbye)

    def _body(self, message: outgoing.Outgoing, kind: type[M]) -> M:
        """Return the message within the ServerMessage."""
        sent = play_pb2.ServerMessage.FromString(encode_message(message, self._preferences))
        body = getattr(sent, sent.WhichOneof("kind") or "")
        assert isinstance(body, kind)
        return body


class _Seat:
    """The seat that a decision is put to."""

    assignment = ASSIGNMENT

    def __init__(self, setup: MatchSetup) -> None:
        self.setup = setup

    def written(self, decision: int, at: int) -> None:
        """Ignore the time of the frame: the replay has its own."""
