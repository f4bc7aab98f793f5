"""One presence of the bot at the arena, over one or more connections: what each message of the arena does."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from arena.sdk.bot import Bot, Plays
from arena.sdk.bot_runner import BotRunner
from arena.sdk.connection import PING_S
from arena.sdk.match import match_of, result_of
from arena.sdk.workers import Workers
from arena.v1 import play_pb2

PROTOCOL: Final = 1
"""The version of proto/arena/v1/play.proto that this sdk speaks."""

IDLE_PING_S: Final = 300
"""Seconds that the arena may leave between two pings while no match is played: idle bots then cost it little."""

READY_EARLY_S: Final = 2.0
"""`ready` is sent this long before it is due at the latest, even if the bot is still busy with an ended match."""

_ENDS: Final = frozenset({"match_ended", "withdrawn"})
"""Messages about ended matches that the arena may repeat right after the welcome."""

_LOG = logging.getLogger("arena.sdk")


@dataclass(slots=True)
class _Seat:
    """A seat from its assignment on; the runner comes with the start of the match."""

    assigned: play_pb2.Assigned
    runner: BotRunner | None = None


class Session:
    """Handles the messages of the arena without waiting, and sends its own through `send`.

    All methods belong to the event loop's thread; the bot's own code runs in the workers.
    """

    def __init__(self, bot_class: type[Bot], workers: Workers) -> None:
        self._bot_class = bot_class
        self._workers = workers
        self._loop = asyncio.get_running_loop()
        self._send: Callable[[play_pb2.ClientMessage], None] | None = None
        self._welcomed = False
        self.bot = ""
        """The bot that the arena has welcomed, "bots/{bot}"; empty before."""
        self._seats: dict[int, _Seat] = {}
        self._finishing = 0
        """Matches that have ended while the bot is still in one of its methods for them."""
        self._not_ready: dict[int, asyncio.TimerHandle] = {}
        """Assignments without `ready` so far, with the timers that send it at the latest."""
        self._resume_token = ""
        self._unannounced: set[int] = set()
        """Assignments that the arena has not announced again since the comeback."""
        self._to_be_announced = 0
        self._idle_ping_s = PING_S
        self.leaving = False
        self.idle = asyncio.Event()
        """Set while no seat is held."""
        self.idle.set()

    def attach(self, send: Callable[[play_pb2.ClientMessage], None]) -> None:
        """Use `send` from now on. Hello has been sent; nothing more is sent before the welcome."""
        self._send = send
        self._welcomed = False
        send(self._hello())

    def detach(self) -> None:
        """Drop the connection; messages are lost until the next welcome."""
        self._send = None
        self._welcomed = False

    @property
    def ping_s(self) -> int:
        """The longest time between two pings of the arena as things are, in seconds."""
        return PING_S if self._seats else self._idle_ping_s

    @property
    def is_connected(self) -> bool:
        """Whether the arena has welcomed this connection."""
        return self._welcomed

    def leave(self) -> None:
        """Ask the arena for no more matches."""
        self.leaving = True
        self._send_message(play_pb2.ClientMessage(capacity=self._capacity()))

    def forget(self) -> None:
        """Forget the session: the next hello does not ask for its seats."""
        self._resume_token = ""
        self._drop_seats()

    def handle(self, message: play_pb2.ServerMessage) -> None:
        """Handle a message. Kinds that this sdk does not know are ignored."""
        if self._unannounced and not self._to_be_announced and message.WhichOneof("kind") not in _ENDS:
            self._drop_unannounced()
        match message.WhichOneof("kind"):
            case "welcome":
                self._welcome(message.welcome)
            case "ping":
                self._send_message(play_pb2.ClientMessage(pong=play_pb2.Pong(id=message.ping.id)))
            case "assigned":
                self._assigned(message.assigned)
            case "match_started":
                self._match_started(message.match_started)
            case "withdrawn":
                _LOG.info("%s: %s", self._name(message.withdrawn.assignment), message.withdrawn.sentence)
                self._drop_seat(message.withdrawn.assignment)
            case "warning":
                self._warning(message.warning)
            case "draining":
                _LOG.info("The arena shuts down within %d ms.", message.draining.within_ms)
            case "answer_ignored":
                _LOG.warning(
                    "%s: %s", self._name(message.answer_ignored.assignment), message.answer_ignored.sentence
                )
            case _:
                self._match_message(message)

    def _match_message(self, message: play_pb2.ServerMessage) -> None:
        """Handle a message about one match."""
        match message.WhichOneof("kind"):
            case "decision":
                if runner := self._runner(message.decision.assignment):
                    runner.decide(message.decision)
            case "decision_closed":
                self._decision_closed(message.decision_closed)
            case "match_news":
                if runner := self._runner(message.match_news.assignment):
                    runner.news(message.match_news.happened)
            case "seat_ended":
                ended = message.seat_ended
                _LOG.warning("%s: seat forfeited: %s", self._name(ended.assignment), ended.ending.sentence)
            case "match_ended":
                self._match_ended(message.match_ended)

    def _welcome(self, welcome: play_pb2.Welcome) -> None:
        if self._seats and not welcome.resumed:
            _LOG.warning(
                "The arena does not know this session any more; its matches are void and cost nothing."
            )
            self._drop_seats()
        self._unannounced = set(self._seats)
        self._to_be_announced = welcome.assignments
        self._resume_token = welcome.resume_token
        self._idle_ping_s = welcome.idle_ping_s or PING_S
        self._welcomed = True
        if self.leaving:
            self.leave()
        self.bot = welcome.bot
        _LOG.info("Connected as %s, session %s.", welcome.bot_version or welcome.bot, welcome.session)

    def _assigned(self, assigned: play_pb2.Assigned) -> None:
        """Handle `assigned`: a seat of a match that already runs is announced again and needs no `ready`."""
        self._unannounced.discard(assigned.assignment)
        self._to_be_announced = max(0, self._to_be_announced - 1)
        if self._runner(assigned.assignment) is not None:
            return
        self._seats[assigned.assignment] = _Seat(assigned)
        self.idle.clear()
        if assigned.assignment not in self._not_ready:
            latest_s = max(0.0, assigned.ready_within_ms / 1000 - READY_EARLY_S)
            latest = self._loop.call_later(latest_s, self._send_ready, assigned.assignment)
            self._not_ready[assigned.assignment] = latest
        self._send_ready_if_free()

    def _send_ready_if_free(self) -> None:
        """Send `ready` for as many seats as the bot may play beside the matches that it plays or still finishes.

        None while it needs all of its threads to finish matches: no decision of a new one would get any.
        """
        bot = self._bot_class
        while (
            self._not_ready
            and self._finishing < bot.open_decisions
            and len(self._seats) - len(self._not_ready) + self._finishing < bot.matches
        ):
            self._send_ready(next(iter(self._not_ready)))

    def _finished(self) -> None:
        """Note that the bot is done with a match that has ended."""
        self._finishing -= 1
        self._send_ready_if_free()

    def _send_ready(self, assignment: int) -> None:
        self._forget_ready(assignment)
        self._send_message(play_pb2.ClientMessage(ready=play_pb2.Ready(assignment=assignment)))

    def _forget_ready(self, assignment: int) -> None:
        if (latest := self._not_ready.pop(assignment, None)) is not None:
            latest.cancel()

    def _match_started(self, started: play_pb2.MatchStarted) -> None:
        seat = self._seats.get(started.assignment)
        if seat is None:
            return
        if seat.runner is None:
            send = partial(self._send_from_any_thread, seat)
            seat.runner = BotRunner(started.assignment, self._bot_class, lane=self._workers.lane(), send=send)
        seat.runner.start(match_of(seat.assigned, started))

    def _decision_closed(self, closed: play_pb2.DecisionClosed) -> None:
        if closed.cause:  # none in a replay, where `arena log replay` lists the decisions itself
            _LOG.warning("%s: %s", self._name(closed.assignment), closed.sentence)
        if runner := self._runner(closed.assignment):
            runner.close_decision(closed)

    def _match_ended(self, ended: play_pb2.MatchEnded) -> None:
        seat = self._seats.get(ended.assignment)
        if seat is not None and seat.runner is not None:
            seat.runner.end(lambda match: result_of(ended, match.seat), ended.happened)
        self._drop_seat(ended.assignment)

    def _warning(self, warning: play_pb2.Warning) -> None:
        _LOG.warning("%s", warning.sentence)
        if warning.code == play_pb2.Warning.CODE_NO_SHOW:
            self._drop_seat(warning.assignment)

    def _runner(self, assignment: int) -> BotRunner | None:
        seat = self._seats.get(assignment)
        return None if seat is None else seat.runner

    def _name(self, assignment: int) -> str:
        seat = self._seats.get(assignment)
        return f"assignment {assignment}" if seat is None else seat.assigned.match

    def _drop_seat(self, assignment: int) -> None:
        seat = self._seats.pop(assignment, None)
        self._forget_ready(assignment)
        if seat is not None and seat.runner is not None:
            seat.runner.lose()
            self._finishing += 1
            seat.runner.when_done(self._finished_in_any_thread)
        if not self._seats:
            self.idle.set()

    def _drop_unannounced(self) -> None:
        """Drop the seats that were not announced again after a comeback: their matches have ended."""
        for assignment in self._unannounced & self._seats.keys():
            _LOG.warning("%s has ended while the bot was away.", self._name(assignment))
            self._drop_seat(assignment)
        self._unannounced = set()

    def _drop_seats(self) -> None:
        for assignment in list(self._seats):
            self._drop_seat(assignment)

    def _send_message(self, message: play_pb2.ClientMessage) -> None:
        if self._send is not None and self._welcomed:
            self._send(message)

    def _send_from_any_thread(self, seat: _Seat, message: play_pb2.ClientMessage) -> None:
        with suppress(RuntimeError):  # The loop is closed: the program ends while the bot is still thinking.
            self._loop.call_soon_threadsafe(self._send_for, seat, message)

    def _finished_in_any_thread(self) -> None:
        with suppress(RuntimeError):  # as above
            self._loop.call_soon_threadsafe(self._finished)

    def _send_for(self, seat: _Seat, message: play_pb2.ClientMessage) -> None:
        """Send a message unless the seat has been given back: its number may mean another match by now."""
        if self._seats.get(seat.assigned.assignment) is seat:
            self._send_message(message)

    def _capacity(self) -> play_pb2.Capacity:
        matches = 0 if self.leaving else self._bot_class.matches
        return play_pb2.Capacity(matches=matches, open_decisions=self._bot_class.open_decisions)

    def _hello(self) -> play_pb2.ClientMessage:
        bot = self._bot_class
        hello = play_pb2.Hello(
            lowest_protocol=PROTOCOL,
            highest_protocol=PROTOCOL,
            bot_version=bot.version,
            games=[
                play_pb2.GameSupport(game=plays.game, rules_versions=plays.rules_versions)
                for plays in (Plays(game) if isinstance(game, str) else game for game in bot.games)
            ],
            capacity=self._capacity(),
            language=bot.language,
            software=f"arena.sdk {_sdk_version()}",
            idle_ping_s=IDLE_PING_S,
        )
        hello.preferences.legal_actions = play_pb2.LegalActionsForm.ValueType(bot.legal_actions.value)
        hello.preferences.view = play_pb2.ViewForm.ValueType(bot.view.value)
        hello.preferences.live = bot.live
        if self._resume_token:
            hello.resume_token = self._resume_token
        else:
            hello.claim = True  # A program that was started again takes over what its predecessor has lost.
        return play_pb2.ClientMessage(hello=hello)


def _sdk_version() -> str:
    # Not at the top: it loads 30 modules, among them those of mail, for everybody who imports the sdk.
    from importlib import metadata

    try:
        return metadata.version("caravan-arena")
    except metadata.PackageNotFoundError:
        return "unknown"
