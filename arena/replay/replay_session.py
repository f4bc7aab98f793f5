"""The scripted server of one replay: it asks a bot the recorded decisions, and plays on as recorded."""

import asyncio
import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, cast

import grpc
from google.protobuf.message import Message

from arena.codecs.codec import codec_for
from arena.conformance import requirements
from arena.conformance.bot_connection import BotConnection
from arena.conformance.bot_seat import actions_of
from arena.conformance.run import a_folder
from arena.conformance.scripted_server import BotUnderTest, ScriptedServer, a_server
from arena.conformance.verdict import NotTriedError, Requirement, ResignedError, UnmetError
from arena.core.errors import FailedPreconditionError, InvalidArgumentError
from arena.core.match import MatchSetup
from arena.core.units import NS_PER_MS, NS_PER_S, NS_PER_US, US_PER_MS
from arena.replay.recording import Moment, Recording
from arena.runner.history import Happening
from arena.runner.local_report import report
from arena.runner.player import MatchOver
from arena.sessions import outgoing
from arena.sessions.decision_window import Asked
from arena.sessions.handshake import Preferences
from arena.v1 import games_pb2, play_pb2
from arena.wire.play.incoming import read_hello
from arena.wire.play.outgoing import encode_message

PING_SECONDS: Final = 15.0
"""The period of pings: a bot that receives nothing for 40 s assumes that its connection is dead."""

_FAREWELL_SECONDS: Final = 5.0
"""How long a program may take to end by itself."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The bot's decision now, and the recorded one."""

    moment: Moment
    actions: tuple[int, ...] | None
    """None: its answer does not count."""
    objection: str
    """Why not, in one sentence; empty if it counts."""
    took_ns: int
    exception: str = ""
    """The exception that the bot named for this decision, if any."""

    @property
    def is_same(self) -> bool:
        """Whether it is what was played from there on, be it then and now as a plan or step by step."""
        return self.actions is not None and self.actions == self.moment.onwards[: len(self.actions)]

    @property
    def late_ns(self) -> int:
        """By how much it would have passed the limit of the recorded clock; 0 if in time."""
        return max(0, self.took_ns - self.moment.allowance_ns)


@dataclass(frozen=True, slots=True)
class BrokenOff:
    """Why a replay ended early."""

    sentence: str
    to_do: str
    """One sentence for the bot's author; may be empty."""
    requirement: Requirement | None
    """The sentence of docs/protocol.md that was not met, if it was one."""
    messages: tuple[str, ...]
    """The last messages, oldest first: `>` from the bot, `<` from the arena."""
    output: tuple[str, ...]
    """The last lines that the program wrote."""


async def replay_decisions(
    bot: BotUnderTest,
    recording: Recording,
    first: int,
    on_reply: Callable[[Reply], None],
    on_ask: Callable[[int], None] = lambda _: None,
) -> BrokenOff | None:
    """Ask the bot the recorded decisions from `recording.moments[first]` on; None once all are answered.

    `on_ask` is called with the number of each decision before it is asked, `on_reply` with each reply. Nothing of the
    bot runs afterwards. Raises what its launch raises.
    """
    raised = play_pb2.Debug()

    def on_debug(debug: play_pb2.Debug) -> None:
        if debug.exception:
            raised.CopyFrom(debug)
        bot.on_debug(debug)

    def on_answer(reply: Reply) -> None:
        is_explained = reply.actions is None and raised.decision == reply.moment.decision
        on_reply(replace(reply, exception=raised.text if is_explained else ""))

    with a_folder() as folder:
        async with a_server(replace(bot, on_debug=on_debug), folder) as server:
            script = _Script(server, bot, recording, on_ask)
            try:
                await script.play(first, on_answer)
            except ResignedError:
                return await script.broken_off("It resigned.")
            except UnmetError as error:
                return await script.broken_off(error.what, error.to_do, error.requirement)
            except (NotTriedError, FailedPreconditionError, InvalidArgumentError) as error:
                return await script.broken_off(str(error))
    return None


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

    def assigned(self) -> Message:
        """Return the assignment of the seat."""
        offered = outgoing.Offered(ASSIGNMENT, self._recording.log.setup, self._recording.seat)
        return self._body(offered)

    def started(self, before: Moment | None) -> Message:
        """Return the beginning of the match; behind the decision `before`, as after a comeback."""
        recording = self._recording
        if before is None:
            view, answers = recording.opening, None
        else:
            view, answers = before.state.observe(recording.seat), ((before.decision, before.played),)
        started = outgoing.Started(ASSIGNMENT, recording.log.setup, view, answers)
        return self._body(started)

    def news(self, happened: Sequence[Happening]) -> list[Message]:
        """Return the news for a live bot; empty if it is not live or there are none."""
        if not self._live or not happened:
            return []
        news = outgoing.News(ASSIGNMENT, self._recording.game.spec.id, list(happened))
        return [self._body(news)]

    def decision(self, moment: Moment) -> play_pb2.Decision:
        """Return the question, with what the clock held."""
        question = moment.question(self._recording.seat, live=self._live)
        time_left_ms = question.per_decision_ms + question.bank_ms
        asked = Asked(_Seat(self._recording.log.setup), question, time_left_ms)
        return cast(play_pb2.Decision, self._body(asked))

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

    def seat_ended(self) -> Message:
        """Return the forfeit of the seat, as recorded."""
        ending = self._recording.log.result.seats[self._recording.seat].ending
        return self._body(outgoing.SeatOver(ASSIGNMENT, ending))

    def match_ended(self) -> Message:
        """Return the end of the match, with its recorded result."""
        recording, log = self._recording, self._recording.log
        ended_us = log.origin.start_time_ms * US_PER_MS + log.result.duration_ns // NS_PER_US
        shown = report(log.setup, log.result, log.name, ended_us)
        happened = recording.ending if self._live else recording.last_news + recording.ending
        over = MatchOver(shown, recording.final, list(happened))
        return self._body(outgoing.Ended(ASSIGNMENT, recording.game.spec.id, over))

    def goodbye(self) -> Message:
        """Return the goodbye."""
        return self._body(outgoing.Goodbye(outgoing.GoodbyeCode.SHUTTING_DOWN, "The replay is over."))

    def _body(self, message: outgoing.Outgoing) -> Message:
        """Return the message within the ServerMessage."""
        sent = play_pb2.ServerMessage.FromString(encode_message(message, self._preferences))
        return cast(Message, getattr(sent, sent.WhichOneof("kind") or ""))


class _Seat:
    """The seat that a decision is put to."""

    assignment = ASSIGNMENT

    def __init__(self, setup: MatchSetup) -> None:
        self.setup = setup

    def delayed(self, decision: int, by_ns: int) -> None:
        """Ignore the time before the frame: the replay has its own."""

    def written(self, decision: int, at: int) -> None:
        """Ignore the time of the frame."""


class _Script:
    """The messages to the bot, and the waits for its answers."""

    def __init__(
        self,
        server: ScriptedServer,
        bot: BotUnderTest,
        recording: Recording,
        on_ask: Callable[[int], None],
    ) -> None:
        self._server = server
        self._patience = bot.patience
        self._on_ask = on_ask
        self._recording = recording
        self._asked: Moment | None = None
        self._writing = asyncio.Lock()

    async def play(self, first: int, on_reply: Callable[[Reply], None]) -> None:
        """Run from hello to goodbye. Raises UnmetError, and what else `replay_decisions` catches."""
        connection = await self._server.first_hello()
        words = self._admitted(connection)
        await self._say(connection, words.introduce(self._server.welcome()), play_pb2.Ping(id=1))
        pinging = asyncio.create_task(self._keep_pinging(connection))
        try:
            moments = self._recording.moments
            await self._seat(connection, words, moments[first - 1] if first else None)
            for moment in moments[first:]:
                on_reply(await self._put(connection, words, moment))
            await self._end(connection, words)
        finally:
            pinging.cancel()

    async def broken_off(
        self, what: str, to_do: str = "", requirement: Requirement | None = None
    ) -> BrokenOff:
        """Return why the replay ended early, and where."""
        asked, server = self._asked, self._server
        where = f"at decision {asked.decision}, ply {asked.ply}" if asked else "before the first decision"
        sentence, lines = f"The replay ended {where}. {what}", await server.last_lines()
        return BrokenOff(sentence, to_do, requirement, server.transcript.lines(), lines)

    def _admitted(self, connection: BotConnection) -> ReplayMessages:
        """Check that the bot may connect, plays the game and takes a match; raise if not."""
        self._server.game(connection)
        introduction = read_hello(connection.hello)
        if introduction.capacity.matches == 0:
            raise UnmetError("Its hello takes no match (capacity.matches is 0).", requirements.CAPACITY)
        return ReplayMessages(self._recording, introduction.preferences)

    async def _seat(self, connection: BotConnection, words: ReplayMessages, before: Moment | None) -> None:
        await self._say(connection, words.assigned())
        await connection.receive(
            "ready",
            requirements.READY,
            where=lambda ready: ready.assignment == ASSIGNMENT,
            what="`ready` for its seat",
        )
        await self._say(connection, words.started(before))

    async def _put(self, connection: BotConnection, words: ReplayMessages, moment: Moment) -> Reply:
        """Return the bot's answer to one decision; report what was played, if it differs."""
        self._asked = moment
        self._on_ask(moment.decision)
        decision = words.decision(moment)
        loop = asyncio.get_running_loop()
        since = loop.time()  # not once written: on a busy machine the bot may answer before we know
        await self._say(connection, *words.news(moment.news), decision)
        self._server.waiter.patience = self._patience + moment.allowance_ns / NS_PER_S
        answer: play_pb2.Answer = await connection.receive(
            "answer",
            requirements.ANSWER,
            where=lambda answer: (answer.assignment, answer.decision) == (ASSIGNMENT, moment.decision),
            what=f"its answer to decision {moment.decision}",
        )
        took_ns = int((loop.time() - since) * NS_PER_S)
        self._server.waiter.patience = self._patience
        try:
            codec = codec_for(self._recording.game.spec.id)
            reply = Reply(moment, actions_of(answer, decision, moment.state, codec), "", took_ns)
        except UnmetError as error:
            reply = Reply(moment, None, error.what, took_ns)
        if reply.actions != moment.played:
            await self._say(connection, words.closed(moment))
        return reply

    async def _end(self, connection: BotConnection, words: ReplayMessages) -> None:
        """Send the end of the match; the program may end by itself, but need not."""
        if self._recording.forfeited:
            await self._say(connection, words.seat_ended())
        await self._say(connection, *words.news(self._recording.last_news), words.match_ended())
        await self._say(connection, words.goodbye())
        connection.end(grpc.StatusCode.UNAVAILABLE)
        self._server.waiter.patience = _FAREWELL_SECONDS if math.isfinite(self._patience) else math.inf
        with suppress(UnmetError, NotTriedError):
            await self._server.waiter.until(self._server.waiter.code, "end", requirements.END)

    async def _keep_pinging(self, connection: BotConnection) -> None:
        number = 1
        while True:
            await asyncio.sleep(PING_SECONDS)
            number += 1
            await self._say(connection, play_pb2.Ping(id=number))

    async def _say(self, connection: BotConnection, *bodies: Message) -> None:
        """Write one frame; a ping waits until another frame is written."""
        async with self._writing:
            await connection.send(*bodies)
