"""A bot that does everything right, but for the one thing that its command line names: `one_flaw.py FLAW`.

Each flaw is a class that overrides one method, or a row of `DIFFERENT`. `Bot` itself passes everything.
"""

import os
import queue
import signal
import sys
import time
from pathlib import Path
from typing import Any, ClassVar

import grpc

from arena.v1 import play_pb2, play_pb2_grpc

UNTIL_THE_END = object()

ATTEMPTS = 5
"""After so many in vain, a bot that is to stop gives up its matches."""


class Bot:
    """Answers every decision with an index, and comes back when it is lost."""

    matches = 4
    game = "caravan"
    protocol = 1
    hello_fields: ClassVar[dict[str, Any]] = {}
    """More fields of its hello."""
    ends_at: ClassVar[dict[str, int]] = {}
    """Exit codes by kinds of messages at which it ends."""
    codes_after: ClassVar[dict[str, int | None]] = {}
    """Exit codes by codes of goodbyes; None: it comes back."""

    def __init__(self) -> None:
        self.token = os.environ.get("ARENA_TOKEN", "")
        self.address = os.environ["ARENA_ADDRESS"]
        self.resume_token = ""
        self.goodbye: play_pb2.Goodbye | None = None
        self.seats: dict[int, play_pb2.Assigned] = {}
        self.leaving = False
        self.failures = 0
        self.welcomed = False
        self.said_hello = False
        self.call: Any = None
        self.outgoing: queue.SimpleQueue[Any] = queue.SimpleQueue()

    # The process

    def live(self) -> int:
        """Run the bot and return its exit code."""
        signal.signal(signal.SIGTERM, lambda *_: self.leave())
        while True:
            self.connect()
            code = self.code_after(self.goodbye)
            if code is not None:
                return code
            self.failures += 1
            if self.gives_up():
                return 0
            time.sleep(self.pause_after(self.goodbye))

    def code_after(self, goodbye: play_pb2.Goodbye | None) -> int | None:
        for code, exit_code in self.codes_after.items():
            if self.said_goodbye(code):
                return exit_code
        if goodbye is None or goodbye.come_back:
            return None
        self.report(goodbye)
        return 0 if goodbye.code == play_pb2.Goodbye.CODE_DONE else 3

    def gives_up(self) -> bool:
        """Return whether the bot, asked to stop, has no connection and no match to come back to, or in vain."""
        return self.leaving and (not self.seats or self.failures > ATTEMPTS)

    def report(self, goodbye: play_pb2.Goodbye) -> None:
        sys.stderr.write(f"{goodbye.sentence}\n")

    def pause_after(self, goodbye: play_pb2.Goodbye | None) -> float:
        return 0.1 if goodbye is None else goodbye.come_back_after_ms / 1000

    # A connection

    def connect(self) -> None:
        self.goodbye = None
        self.said_hello = False
        self.outgoing = queue.SimpleQueue()
        with self.channel() as channel:
            said = iter(self.outgoing.get, UNTIL_THE_END)
            self.call = play_pb2_grpc.PlayServiceStub(channel).Play(said, metadata=self.metadata())
            try:
                self.connection()
            except grpc.RpcError as error:
                self.lost(error)
            finally:
                self.outgoing.put(UNTIL_THE_END)

    def metadata(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self.token}"),)

    def channel(self) -> grpc.Channel:
        authority = os.environ.get("ARENA_TLS_CA")
        if authority is None:
            return grpc.insecure_channel(self.address)
        return grpc.secure_channel(self.address, grpc.ssl_channel_credentials(Path(authority).read_bytes()))

    def connection(self) -> None:
        self.call.initial_metadata()
        self.said_hello = self.call.is_active()  # it is not if nobody was there
        self.say(hello=self.hello())
        for frame in self.call:
            self.take_frame(frame)
        if self.goodbye is None:
            self.ended_without_goodbye()

    def take_frame(self, frame: play_pb2.PlayResponse) -> None:
        for message in frame.messages:
            self.take(message)

    def said_goodbye(self, code: str) -> bool:
        """Return whether the arena has said goodbye with this code."""
        return self.goodbye is not None and self.goodbye.code == play_pb2.Goodbye.Code.Value(f"CODE_{code}")

    def lost(self, error: grpc.RpcError) -> None:
        """Handle a broken stream."""

    def ended_without_goodbye(self) -> None:
        """Handle a stream that ended in order, but without a message."""

    def say(self, **kinds: Any) -> None:
        messages = [play_pb2.ClientMessage(**{kind: body}) for kind, body in kinds.items()]
        self.outgoing.put(play_pb2.PlayRequest(messages=messages))

    # Messages

    def hello(self) -> play_pb2.Hello:
        return play_pb2.Hello(
            lowest_protocol=self.protocol,
            highest_protocol=self.protocol,
            games=[play_pb2.GameSupport(game=self.game)],
            capacity=play_pb2.Capacity(matches=self.matches, open_decisions=1),
            resume_token=self.resume_token,
            software="grpc/python, as \u201cone flaw\u201d",
            **self.hello_fields,
        )

    def take(self, message: play_pb2.ServerMessage) -> None:
        kind = message.WhichOneof("kind")
        if kind in self.ends_at:
            os._exit(self.ends_at[kind])
        elif kind is None:
            self.on_unknown()
        elif hasattr(self, f"on_{kind}"):
            getattr(self, f"on_{kind}")(getattr(message, kind))

    def on_unknown(self) -> None:
        """Handle a kind of message that this bot does not know."""

    def on_welcome(self, welcome: play_pb2.Welcome) -> None:
        self.welcomed = True
        self.failures = 0
        self.resume_token = welcome.resume_token
        self.forget(welcome)

    def forget(self, welcome: play_pb2.Welcome) -> None:
        self.seats.clear()  # What goes on is told anew.

    def on_ping(self, ping: play_pb2.Ping) -> None:
        self.say(pong=play_pb2.Pong(id=ping.id))

    def on_assigned(self, assigned: play_pb2.Assigned) -> None:
        self.seats[assigned.assignment] = assigned
        self.say(ready=play_pb2.Ready(assignment=assigned.assignment))

    def on_decision(self, decision: play_pb2.Decision) -> None:
        index = decision.decision % len(decision.legal_actions)
        self.answer(decision, index)

    def answer(self, decision: play_pb2.Decision, index: int) -> None:
        self.say(
            answer=play_pb2.Answer(assignment=decision.assignment, decision=decision.decision, index=index)
        )

    def on_match_ended(self, ended: play_pb2.MatchEnded) -> None:
        self.drop(ended.assignment)

    def on_withdrawn(self, withdrawn: play_pb2.Withdrawn) -> None:
        self.drop(withdrawn.assignment)

    def on_seat_ended(self, ended: play_pb2.SeatEnded) -> None:
        self.drop(ended.assignment)

    def drop(self, assignment: int) -> None:
        self.seats.pop(assignment, None)
        self.half_close_if_done()

    def half_close_if_done(self) -> None:
        if self.leaving and not self.seats:
            self.outgoing.put(UNTIL_THE_END)

    def on_goodbye(self, goodbye: play_pb2.Goodbye) -> None:
        self.goodbye = goodbye

    def leave(self) -> None:
        self.leaving = True
        self.say(capacity=play_pb2.Capacity())
        self.half_close_if_done()


class WritesAtOnce(Bot):
    def connection(self):
        self.say(hello=self.hello())
        for frame in self.call:
            self.take_frame(frame)


class KnowsNoUnixSockets(Bot):
    def live(self):
        return 2 if self.address.startswith("unix:") else super().live()


class IsReadyTwice(Bot):
    def on_assigned(self, assigned):
        super().on_assigned(assigned)
        super().on_assigned(assigned)


class ChoosesNothingOnSeat0Of4(Bot):
    def on_decision(self, decision):
        assigned = self.seats[decision.assignment]
        if (assigned.seats, assigned.seat) != (4, 0):
            super().on_decision(decision)
            return
        self.say(answer=play_pb2.Answer(assignment=decision.assignment, decision=decision.decision))


class ExpectsTooMuch(Bot):
    """Sends an expected score of one seat, whatever the number of seats."""

    def answer(self, decision, index):
        which = {"assignment": decision.assignment, "decision": decision.decision}
        evaluation = play_pb2.Evaluation(scores_per_mille=[700])
        self.say(answer=play_pb2.Answer(**which, index=index, evaluation=evaluation))


class MixesMatchesUp(Bot):
    """Takes a decision with a lower number than the one before, in another match, for an old one."""

    last = ("", 0)

    def on_match_started(self, started):
        self.last = ("", 0)

    def on_decision(self, decision):
        match = self.seats[decision.assignment].match
        if match == self.last[0] or decision.decision >= self.last[1]:
            super().on_decision(decision)
        self.last = (match, decision.decision)


class GoesByTheMatch(Bot):
    def answer(self, decision, index):
        match = self.seats[decision.assignment].match
        newest = max(number for number, assigned in self.seats.items() if assigned.match == match)
        self.say(answer=play_pb2.Answer(assignment=newest, decision=decision.decision, index=index))


class OpensManyConnections(Bot):
    def on_welcome(self, welcome):
        super().on_welcome(welcome)
        options = [("grpc.use_local_subchannel_pool", 1)]
        self.others = [grpc.insecure_channel(self.address, options=options) for _ in range(20)]
        for each in self.others:
            grpc.channel_ready_future(each)


class CallsAllTheTime(Bot):
    def on_welcome(self, welcome):
        with self.channel() as channel:
            while True:
                call: Any = play_pb2_grpc.PlayServiceStub(channel).Play(
                    iter(()), metadata=self.metadata(), timeout=1
                )
                call.exception()


class ChattersBetweenDecisions(Bot):
    def on_assigned(self, assigned):
        for _ in range(300):
            self.say(capacity=play_pb2.Capacity(matches=4, open_decisions=1))
        super().on_assigned(assigned)


class ChattersInItsDecision(Bot):
    """Without an end, while the decision is open."""

    def on_decision(self, decision):
        for _ in range(2_000):
            self.say(capacity=play_pb2.Capacity(matches=4, open_decisions=1))
        super().on_decision(decision)


class ExplainsItselfAtLength(Bot):
    """In a debug line that is larger than a frame may be."""

    def on_decision(self, decision):
        self.say(debug=play_pb2.Debug(assignment=decision.assignment, text="x" * 200_000))
        super().on_decision(decision)


class StopsReadingAtAnEnd(Bot):
    def take_frame(self, frame):
        for message in frame.messages:
            self.take(message)
            if message.HasField("match_ended"):
                return


class TiresOfLongMatches(Bot):
    def on_decision(self, decision):
        if decision.decision > 30:
            os._exit(1)
        super().on_decision(decision)


class TriesAgain(Bot):
    def on_decision_closed(self, closed):
        if closed.cause == play_pb2.DecisionClosed.CAUSE_ILLEGAL_ACTION:
            self.say(answer=play_pb2.Answer(assignment=closed.assignment, decision=closed.decision, index=0))


class TakesNewsForErrors(Bot):
    def on_answer_ignored(self, ignored):
        if ignored.reason == play_pb2.AnswerIgnored.REASON_LATE:
            self.call.cancel()


class RefusesWhatItDoesNotKnow(Bot):
    def on_unknown(self):
        sys.stderr.write("What is that?\n")
        sys.stderr.flush()
        os._exit(1)


class AnswersOnce(Bot):
    """Never answers a decision again, unless it is of another match."""

    def __init__(self):
        super().__init__()
        self.answered = set()

    def answer(self, decision, index):
        which = (self.seats[decision.assignment].match, decision.assignment, decision.decision)
        if which not in self.answered:
            super().answer(decision, index)
        self.answered.add(which)


class StaysAnswered(AnswersOnce):
    """Answers again after a comeback, but not after it was forgotten."""

    def on_match_started(self, started):
        if started.comeback:
            self.answered.clear()


class ShowsItsTokenOnce(Bot):
    def hello(self):
        hello = super().hello()
        self.resume_token = ""
        return hello


class KeepsItsSeats(Bot):
    matches = 1

    def forget(self, welcome):
        if not welcome.resumed:
            self.seats.clear()

    def on_assigned(self, assigned):
        if not self.seats or assigned.assignment in self.seats:
            super().on_assigned(assigned)


class KeepsUnannouncedSeats(Bot):
    """Has room for more matches, so that it shows only when it is to stop: it waits for their end."""

    def forget(self, welcome):
        if not welcome.resumed:
            self.seats.clear()


class KeepsForgottenSeats(Bot):
    """Drops what was not announced again only if something was."""

    def forget(self, welcome):
        if welcome.resumed:
            self.seats.clear()


class ComesBackAsAnother(Bot):
    connections = 0

    def hello(self):
        hello = super().hello()
        self.connections += 1
        hello.bot_version = str(self.connections)
        return hello


class EndsBeforeItsFirstWelcome(Bot):
    def lost(self, error):
        if self.said_hello and not self.welcomed and self.goodbye is None:
            os._exit(1)


class EndsWhenNobodyAnswers(Bot):
    def lost(self, error):
        if not self.said_hello:
            sys.exit("Nobody there.")


class PrintsItsToken(Bot):
    def report(self, goodbye):
        sys.stderr.write(f"{goodbye.sentence} {self.token}\n")


class IsFineWithItsRefusal(Bot):
    def code_after(self, goodbye):
        return 0 if super().code_after(goodbye) is not None else None


class ComesBackAtOnce(Bot):
    def pause_after(self, goodbye):
        return 0.0 if self.said_goodbye("RATE_LIMITED") else super().pause_after(goodbye)


class Crashes(Bot):
    def on_decision(self, decision):
        sys.stderr.write("\tat line 7\n")
        sys.stderr.flush()
        os._exit(41)


DIFFERENT: dict[str, dict[str, Any]] = {
    "PlaysChess": {"game": "chess"},
    "SpeaksAnotherProtocol": {"protocol": 2},
    "TakesNoMatches": {"matches": 0},
    "HidesItsToken": {"metadata": lambda _: ()},
    "KnowsNoTls": {"channel": lambda bot: grpc.insecure_channel(bot.address)},
    "PongsInShort": {"on_ping": lambda bot, ping: bot.say(pong=play_pb2.Pong(id=ping.id & 0xFFFF))},
    "Resigns": {
        "on_decision": lambda bot, decision: bot.say(resign=play_pb2.Resign(assignment=decision.assignment))
    },
    "EndsWithTheStream": {"ended_without_goodbye": lambda _: os._exit(0)},
    "DropsAllWhenAsked": {"leave": lambda _: os._exit(143)},
    "SaysNothingOfItsRefusal": {"report": lambda *_: None},
    "BringsALongLabel": {"hello_fields": {"language": "the language of the birds, as they spoke it"}},
    "NamesItsVersionWithASlash": {"hello_fields": {"bot_version": "1/2"}},
    "KeepsWithdrawnSeats": {"on_withdrawn": lambda *_: None},
    "ConnectsForEver": {"gives_up": lambda bot: bot.leaving and bool(bot.seats) and bot.failures > ATTEMPTS},
    "ComesBackForEver": {"gives_up": lambda bot: bot.leaving and not bot.seats},
    "TakesANoShowToHeart": {"ends_at": {"warning": 1}},
    "GivesUpWithASeat": {"ends_at": {"seat_ended": 1}},
    "RunsFromADrain": {"ends_at": {"draining": 0}},
    "InsistsOnItsToken": {"codes_after": {"UNAUTHENTICATED": None}},
    "ComesBackAfterItsReplacement": {"codes_after": {"REPLACED": None}},
    "StaysAway": {"codes_after": {"RATE_LIMITED": 1}},
    "EndsBadlyWithTheArena": {"codes_after": {"SHUTTING_DOWN": 1}},
}
"""Flaws that are other values of the fields of `Bot`, or other methods of one expression."""


def flaws() -> dict[str, type[Bot]]:
    """Return the good bot and all that have a flaw, by name."""
    classes = {name: found for name, found in globals().items() if isinstance(found, type)}
    bots = {name: found for name, found in classes.items() if issubclass(found, Bot)}
    return bots | {name: type(name, (Bot,), fields) for name, fields in DIFFERENT.items()}


if __name__ == "__main__":
    sys.exit(flaws()[sys.argv[1]]().live())
