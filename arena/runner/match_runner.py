"""One match from its first offer to its result."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import structlog

from arena.core.clock.processor_use import WAIT_AGAIN_NS, ProcessorUse
from arena.core.clock.stalls import StallMeter
from arena.core.endings import arena_faults, results
from arena.core.endings.terminations import SeatEnding
from arena.core.evaluation import Evaluation
from arena.core.match import DebugLine, MatchResult, MatchSetup, NoteRecord
from arena.core.match_record import MatchRecord
from arena.core.ply import PlyRecord
from arena.core.referee.effects import (
    Ask,
    CloseDecision,
    Effect,
    EndSeat,
    IgnoreAnswer,
    Played,
    SetUp,
)
from arena.core.referee.referee import Network, Referee, Refused
from arena.core.referee.seat import Hold
from arena.core.units import NS_PER_MS, ms_down
from arena.runner.history import Happening, History
from arena.runner.player import MatchOver, Player
from arena.runner.question import Question
from arena.runner.spectator_view import SpectatorView
from arena.runner.timers import Handle, Timers
from arena.runner.timing_pad import TimingPad
from engine.game import SPECTATOR, Event, State
from engine.registry import GAMES

_log = structlog.get_logger(__name__)

READY_WITHIN_MS: Final = 10_000
"""How long a player has to be ready. Time in which the arena did not run does not count, and neither does time in which
a hosted bot had no processor."""

READY_WALL_MS: Final = 120_000
"""After this time the offer is withdrawn in any case; a bot that got no processor until then is not at fault."""


class MatchLogSink(Protocol):
    """The log of a match."""

    def set_up(self, events: tuple[Event, ...]) -> None:
        """Record that the match has begun."""

    def ply(self, record: PlyRecord) -> None:
        """Record an applied action."""

    def note(self, record: NoteRecord) -> None:
        """Record a note."""


@dataclass(frozen=True)
class NoShow:
    """The end of a match that did not begin: these seats were not ready in time."""

    seats: tuple[int, ...]
    starved: bool = False
    """Whether it was because a hosted bot got no processor to take its seat."""


class MatchOwner(Protocol):
    """The owner of running matches. No method blocks."""

    def all_ready(self, runner: MatchRunner) -> None:
        """Store that all seats are ready, then call `runner.begin`."""

    def over(self, runner: MatchRunner, how: MatchResult | NoShow) -> None:
        """Take the end of a match. A result is still to be stored and announced."""


class MatchRunner:
    """One referee with its players, timers and log. All on one event loop; no method blocks."""

    def __init__(  # noqa: PLR0913 - what a match is made of
        self,
        setup: MatchSetup,
        players: Sequence[Player],
        log: MatchLogSink,
        *,
        timers: Timers,
        stalls: StallMeter,
        match_manager: MatchOwner,
        absent: Mapping[int, SeatEnding] | None = None,
        untimed: frozenset[int] = frozenset(),
        given: Sequence[int] = (),
    ) -> None:
        """`players`: by seat. `absent`: the seats that have forfeited before. Nothing happens before `offer`.

        `untimed`: the seats whose time is not counted, because a person debugs their programs. `given`: the actions
        of the match that it plays on from.
        """
        game = GAMES[setup.game]
        self.setup = setup
        self._players = players
        self._log = log
        self._timers = timers
        self._stalls = stalls
        self._owner = match_manager
        self._history = History(len(players), secret_decisions=game.spec.secret_decisions)
        self._referee = Referee(
            game.new_match(len(players), setup.options, setup.seed),
            len(players),
            setup.time_control,
            stalls=stalls,
            network=self._network,
            processor=self._processor,
            untimed=untimed,
        )
        self._untimed = untimed
        self._waiting = set(range(len(players)))
        self._absent = dict(absent or {})
        self._given = given
        self._offered_at = 0
        self._alarm: Handle | None = None
        self._alarm_at = 0
        self.started = False
        """Whether play has begun."""
        self.closed = False
        """Whether the match has its result: a debug line that comes now may be too late to be kept."""
        self.cause: arena_faults.VoidCause | None = None
        """Why the arena has made the match void; None if it has not."""
        self._left: dict[int, SeatEnding] = {}
        """Seats whose players left for good when all were ready and play had not begun."""
        self.debug_lines: list[list[DebugLine]] = [[] for _ in players]
        """By seat, for the owners of the bots alone."""
        self._seen = [0] * len(players)
        self._unsent = False
        """Whether something has happened that spectators and live players were not sent yet."""
        self._asking = False
        """Whether a player is being asked now: what follows is done once all effects are carried out."""
        self._live: tuple[int, ...] = ()
        self._secret = game.spec.secret_decisions
        self._pad = TimingPad(setup.time_control.secret_pad_ms * NS_PER_MS) if self._secret else None
        self._held: Ask | None = None
        """A question held back so that its time reveals nothing."""
        self._release: Handle | None = None
        self.spectator_view = SpectatorView(setup, self._history)
        """What spectators are shown."""

    # Before the match

    def offer(self) -> None:
        """Offer the seats; the match begins when all are ready."""
        self._offered_at = self._timers.now()
        deadline = self._offered_at + READY_WITHIN_MS * NS_PER_MS
        self._alarm = self._timers.call_at(deadline, self._no_show)
        for seat, player in enumerate(self._players):
            player.offer(self.setup, seat, self)

    def ready(self, seat: int) -> None:
        """Note that a seat is ready."""
        if self.closed or seat not in self._waiting:
            return
        self._waiting.discard(seat)
        if not self._waiting:
            self._disarm()
            self._owner.all_ready(self)

    def _no_show(self) -> None:
        if not self._waiting or self.closed:
            return
        now = self._timers.now()
        due = {seat: self._ready_by(seat, now) for seat in self._waiting - self._untimed}
        if not due:
            return
        absent = tuple(sorted(seat for seat, by in due.items() if by <= now))
        last = self._offered_at + READY_WALL_MS * NS_PER_MS
        if absent:
            self._withdraw(absent, "a seat was not ready in time")
        elif last <= now:
            why = "a program got no processor to take its seat: the machine is overloaded"
            self._withdraw((), why, starved=True)
        else:
            self._alarm = self._timers.call_at(min(last, *due.values()), self._no_show)

    def _ready_by(self, seat: int, now: int) -> int:
        """Return until when the seat's player has to be ready, as far as is known by now."""
        stalled = self._stalls.overlap(self._offered_at, now)
        by = self._offered_at + READY_WITHIN_MS * NS_PER_MS + stalled
        use = self._players[seat].processor(self._offered_at, now)
        if use is None:
            return by
        by += use.credited(now - self._offered_at, stalled)[1]
        return by if by > now or use.is_settled(now - by) else now + WAIT_AGAIN_NS

    def withdraw(self, why: str) -> None:
        """End the match before it begins, by no fault of its players. `why`: a sentence part without a full stop."""
        if not (self.closed or self.started):
            self._withdraw((), why)

    def _withdraw(self, absent: tuple[int, ...], why: str, *, starved: bool = False) -> None:
        self.closed = True
        self._disarm()
        for player in self._players:
            player.withdraw(why)
        self.spectator_view.close()
        self._owner.over(self, NoShow(absent, starved))

    def begin(self) -> None:
        """Begin play: all seats are ready."""
        if self.closed:
            return
        self.started = True
        now = self._timers.now()
        try:
            for seat, player in enumerate(self._players):
                player.start(self.state.observe(seat))
        except Exception:  # noqa: BLE001 - as in `_step`
            self.failed()
            return
        self._note_live()
        absent = [seat for seat, player in enumerate(self._players) if not player.present]
        self._step(lambda referee: self._begin(referee, now), now)
        for seat in absent:
            self.lost(seat, now)
        for seat, ending in self._left.items():
            self.ended(seat, ending, now)

    def _begin(self, referee: Referee, now: int) -> list[Effect]:
        effects = referee.begin(now, self._absent, self._given)
        if self._given and self._pad is not None:
            self._pad.skip(referee.state)
        return effects

    # During the match

    @property
    def state(self) -> State:
        """The position; not to be changed."""
        return self._referee.state

    def void(self, cause: arena_faults.VoidCause) -> None:
        """Make the match void: the arena has failed."""
        if self.closed:
            return
        self.cause = cause
        if not self.started:
            self._withdraw((), cause.why)
            return
        now = self._timers.now()
        try:
            self._carry_out(self._referee.void(cause, now), now)
        # What has failed may fail again: then nothing is kept of the match but that it is void.
        except Exception:  # noqa: BLE001
            _log.exception("a match could not be ended in good order", match=self.setup.match)
            self._finish(results.void_result(len(self._players), cause))

    def announce(self, report: MatchRecord) -> None:
        """Send the players the result, which is stored. `report`: what the store shows of the match."""
        for seat, player in enumerate(self._players):
            try:
                over = MatchOver(report, self.state.observe(SPECTATOR), self._happened(seat))
            except Exception:  # noqa: BLE001 - as above: the result is sent even if the game itself has failed
                _log.exception("the last position could not be shown", match=report.id, seat=seat)
                over = MatchOver(report, None, [])
            player.end_match(over)
        self.spectator_view.close()

    def let_go(self) -> None:
        """Break reference cycles after the end, so that memory is freed without the garbage collector."""
        self._players = ()
        self._referee.let_go()

    def _note_live(self) -> None:
        """Note which players want news; a bot that comes back may have changed its mind."""
        if not self._secret:
            self._live = tuple(seat for seat, player in enumerate(self._players) if player.live)

    def _network(self, seat: int) -> Network:
        return self._players[seat].network(self.setup.time_control)

    def _processor(self, seat: int, started: int, now: int) -> ProcessorUse | None:
        return self._players[seat].processor(started, now)

    def _step(self, event: Callable[[Referee], list[Effect]], now: int, seat: int | None = None) -> None:
        """Process an event of that time and seat. An error of the arena in it makes the match void."""
        if self.closed or not self.started:
            return
        try:
            self._carry_out(event(self._referee), now)
        # The root of the match: whatever is wrong here is the arena's fault, and must not be a bot's.
        except Exception:  # noqa: BLE001
            self.failed(seat)

    # What players say about their seats

    def answered(
        self,
        seat: int,
        decision: int,
        answer: tuple[int, ...] | Refused,
        received: int,
        evaluation: Evaluation | None = None,
    ) -> None:
        """Take an answer that was received at that time. `evaluation`: for the match log, and shown to nobody else."""
        # As `_step`, without a closure: this is called most.
        if self.closed or not self.started:
            return
        try:
            effects = self._referee.answered(seat, decision, answer, received, evaluation)
            self._carry_out(effects, received)
        except Exception:  # noqa: BLE001 - as in `_step`
            self.failed(seat, decision)

    def released(self, seat: int, decision: int, at: int, hold: Hold | None = None) -> None:
        """Note that a question was given to the bot's connection, or would have been if there were one.

        From now on the bot may know the position, so everybody else may, too. `hold`: how long it was held back.
        """
        if self.closed or not self.started:
            return
        self._referee.released(seat, decision, at, hold)
        if not self._asking:
            self._step(lambda _referee: [], at, seat)

    def delayed(self, seat: int, decision: int, by_ns: int) -> None:
        """Note that the arena wrote to others before it wrote a released question: its clock starts so much later."""
        self._referee.delayed(seat, decision, by_ns)

    def sent(self, seat: int, decision: int, at: int) -> None:
        """Note that a question was written at that time: its clock runs from then, if it does not run already."""
        if self.closed or not self.started:
            return
        try:
            self._referee.sent(seat, decision, at)
            self._arm(at)
        except Exception:  # noqa: BLE001 - as in `_step`
            self.failed(seat, decision)

    def resigned(self, seat: int, at: int) -> None:
        """Note that a seat gives up."""
        self._step(lambda referee: referee.resigned(seat, at), at, seat)

    def lost(self, seat: int, at: int, why: str = "") -> None:
        """Note that a player has lost its connection. `why`: what its bot did, a sentence part; empty if unknown."""
        self._step(lambda referee: referee.lost(seat, at, why), at, seat)

    def returned(self, seat: int, at: int) -> None:
        """Note that a player has a connection again."""
        self._note_live()
        self._step(lambda referee: referee.returned(seat, at), at, seat)

    def ended(self, seat: int, ending: SeatEnding, at: int) -> None:
        """Note that a player left for good. Before all are ready the match is withdrawn; later the seat forfeits."""
        if self.started:
            self._step(lambda referee: referee.ended(seat, ending, at), at, seat)
        elif self._waiting and not self.closed:
            self._withdraw((seat,), "a bot has gone before it began")
        else:
            self._left.setdefault(seat, ending)

    def keep_debug(self, seat: int, line: DebugLine) -> None:
        """Keep a private line for the bot's owner."""
        self.debug_lines[seat].append(line)

    def time_left_ms(self, seat: int, decision: int) -> int:
        """Return the thinking time until an open decision is lost."""
        if self._referee.open_decision(seat) != decision:
            return 0
        return ms_down(self._referee.time_left(seat, self._timers.now()))

    def failed(self, seat: int | None = None, decision: int = 0) -> None:
        """Make the match void by the exception that is being handled.

        `seat`, `decision`: what was being processed; the bot is not at fault, but an organiser who often sees the same
        one there may have found a bot that makes the arena fail on purpose.
        """
        error_id = secrets.token_hex(4)
        _log.exception("a match failed", match=self.setup.match, error_id=error_id)
        failure = sys.exception()
        details = () if failure is None else arena_faults.exception_facts(failure)
        if seat is not None:
            details = (*details, (arena_faults.DURING_BOT, self.setup.seats[seat].bot))
        if decision:
            details = (*details, ("decision", str(decision)))
        self.void(arena_faults.error(error_id, details))

    def _carry_out(self, effects: list[Effect], now: int) -> None:
        self._unsent = self._unsent or bool(effects)
        for effect in effects:
            match effect:
                case Played():
                    self._log.ply(effect.record)
                    self._history.played(effect)
                case Ask():
                    self._ask_when_due(effect, now)
                case SetUp():
                    self._log.set_up(effect.events)
                    self._history.set_up(effect.events)
                case CloseDecision():
                    self._players[effect.seat].close(effect)
                case IgnoreAnswer():
                    self._players[effect.seat].ignore(effect)
                case EndSeat():
                    self._history.forfeited(effect.seat, effect.ending.termination)
                    self._players[effect.seat].end_seat(effect.ending)
                case NoteRecord():
                    self._log.note(effect)
                case MatchResult():
                    self._finish(effect)
                    return
        if self._unsent and self._held is None and not self._referee.holds_back:
            self._unsent = False
            self._send_news()
            self.spectator_view.notify()
        self._arm(now)

    def _ask_when_due(self, effect: Ask, now: int) -> None:
        """Ask now, or later if secret questions before it were answered in less than their padded time."""
        if self._pad is None:
            self._ask(effect)
            return
        self._drop_held()
        due = self._pad.due(self._referee.state, now)
        if due <= now:
            self._pad.asked(self._referee.state, now)
            self._ask(effect)
            return
        self._held = effect
        self._release = self._timers.call_at(due, lambda: self._ask_held(due))

    def _ask_held(self, due: int) -> None:
        """Ask the question that was held back until `due`.

        Pads are counted from `due`, not from now: timers are late, and the sum of their delays would show how many
        questions were asked.
        """
        effect, self._held, self._release = self._held, None, None
        if effect is not None:
            self._step(lambda _referee: [effect], due)

    def _drop_held(self) -> None:
        if self._release is not None:
            self._release.cancel()
        self._held, self._release = None, None

    def _ask(self, effect: Ask) -> None:
        seat, state = effect.seat, self._referee.state
        clock = self._referee.clock(seat)
        player = self._players[seat]
        # To copy a position takes less time than to make what is not sent.
        sees_view, sees_list = player.sees_view, player.sees_list
        self._asking = True
        player.ask(
            Question(
                effect.decision,
                state.legal_actions() if sees_list else None,
                state.observe(seat) if sees_view else None,
                self._happened(seat),
                per_decision_ms=clock.per_decision_ns // NS_PER_MS,
                bank_ms=clock.bank_ns // NS_PER_MS,
                increment_ms=self.setup.time_control.increment_ms,
                seat_time_left_ms=clock.seat_time_left_ns // NS_PER_MS,
                position=None if sees_view and sees_list else state.clone(),
                seat=seat,
            )
        )
        self._asking = False

    def _happened(self, seat: int) -> list[Happening]:
        """Return what the seat has not been sent yet."""
        happened = self._history.seen_by(seat, self._seen[seat])
        self._seen[seat] = len(self._history)
        return happened

    def _send_news(self) -> None:
        for seat in self._live:
            if self._seen[seat] < len(self._history):
                happened = self._happened(seat)
                if happened:
                    self._players[seat].news(happened)

    def _finish(self, result: MatchResult) -> None:
        self.closed = True
        self._disarm()
        self._drop_held()
        self._owner.over(self, result)

    # The alarm: one per match, moved only when it is due earlier or has gone off

    def _arm(self, now: int) -> None:
        """Set the alarm. `now`: of the last event. A stall since then only makes it too early, and it is set again."""
        due = self._referee.wake_at(now)
        if due is None or (self._alarm is not None and self._alarm_at <= due):
            return
        self._disarm()
        self._alarm_at = due
        self._alarm = self._timers.call_at(due, self._wake)

    def _disarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _wake(self) -> None:
        self._alarm = None
        now = self._timers.now()
        self._step(lambda referee: referee.tick(now), now)
