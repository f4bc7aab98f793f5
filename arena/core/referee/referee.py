"""The referee of one match: a synchronous state machine, from events to effects.

It owns the position and the clocks and does no I/O: every method is an event with its time, and returns the effects
in order. Times are nanoseconds of one monotonic clock. So every race is a table in a test.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena.core.clock.processor_use import WAIT_AGAIN_NS, ProcessorUse
from arena.core.clock.round_trip import most_credit_ns
from arena.core.clock.seat_clock import Charge, SeatClock
from arena.core.clock.stalls import StallMeter
from arena.core.clock.time_control import TimeControl
from arena.core.endings import results, verdicts
from arena.core.endings.arena_faults import VoidCause
from arena.core.endings.terminations import SeatEnding
from arena.core.evaluation import Evaluation
from arena.core.match import (
    CLOCK_OFF,
    CONNECTION_BACK,
    CONNECTION_LOST,
    DIGEST_EVERY,
    FORFEIT,
    ILLEGAL_ANSWER,
    LAST_STANDING,
    SOLO_FORFEIT,
    Cause,
    MatchResult,
    MatchState,
    NoteRecord,
    SeatResult,
)
from arena.core.ply import PlyRecord
from arena.core.referee.effects import (
    Ask,
    CloseDecision,
    Effect,
    EndSeat,
    IgnoreAnswer,
    IgnoreReason,
    Played,
    SetUp,
)
from arena.core.referee.seat import Hold, OpenDecision, RefereeSeat
from engine.game import SPECTATOR, TERMINAL, IllegalActionError, State

DIGEST_BYTES: Final = 8

_CHOSEN: Final = Cause.CHOSEN  # a member is slow to look up in its class


@dataclass(frozen=True)
class Refused:
    """An answer that could not be read as actions."""

    why: str
    """A sentence part that names the field, without a full stop."""


class Network:
    """The network of a seat at this moment. Times in nanoseconds."""

    def __init__(self, credit_ns: int, round_trip_ns: int | None, owner: str = "") -> None:
        """`credit_ns`: of a decision; `round_trip_ns`: the lowest so far, if any; `owner`: of the bot."""
        self.credit_ns = credit_ns
        self.round_trip_ns = round_trip_ns
        self.owner = owner
        """Stalls caused by messages of this owner's bots are not credited."""


def _nobody_knows(_seat: int) -> Network:
    """Return the network of a match that is over."""
    return Network(0, None)


def _not_known(_seat: int, _started: int, _now: int) -> ProcessorUse | None:
    """Return None: for seats without a hosted program, and for a match that is over."""
    return None


class Referee:
    """Runs one match by the rules of the game and of the clock."""

    def __init__(  # noqa: PLR0913 - what a match is judged by
        self,
        state: State,
        seats: int,
        control: TimeControl,
        *,
        stalls: StallMeter,
        network: Callable[[int], Network],
        processor: Callable[[int, int, int], ProcessorUse | None] = _not_known,
        untimed: frozenset[int] = frozenset(),
    ) -> None:
        """`state`: the position after set-up, which the referee owns from now on. `network`: by seat, as of now.

        `processor`: what a seat's program has had of the processors in a span of time; None if that is not known.
        `untimed`: the seats whose time is not counted; all of it is booked as a stall.
        """
        self.state = state
        self._control = control
        self._latest_start_ns = most_credit_ns(control)
        """The latest time after its release at which a question counts as not yet written."""
        self._seats = [RefereeSeat(SeatClock(control), stalls.overlap) for _ in range(seats)]
        self._viewers = (*range(seats), SPECTATOR)
        self._stalls = stalls
        self._network = network
        self._processor = processor
        self._untimed = untimed
        self._open: OpenDecision | None = None
        self._plies = 0
        self._began_at = 0
        self._last_alone: tuple[int, int] | None = None
        """Since when the only seat that is left is awaited, and for how long; None if none is."""
        self.over = False
        """Whether the match has ended."""
        self._effects: list[Effect] = []

    def let_go(self) -> None:
        """Drop the round trips of all seats once the match is over."""
        self._network = _nobody_knows
        self._processor = _not_known

    # What happened

    def begin(
        self, now: int, absent: Mapping[int, SeatEnding] | None = None, given: Sequence[int] = ()
    ) -> list[Effect]:
        """Begin the match and ask the first decision.

        `absent`: the seats that forfeited before, all at once; if all have, they share the first placing.
        `given`: actions that are played without asking anybody; each is legal, and the game is not over after them.
        """
        self._began_at = now
        self._effects.append(SetUp(tuple(self.state.take_events())))
        for action in given:
            self._play(OpenDecision(self.state.seat_to_act, 0, now), (action,), Cause.GIVEN, None)
        for seat in sorted(self._untimed):
            self._note(now, seat, CLOCK_OFF)
        if absent:
            self._begin_without(absent, now)
        self._advance(now)
        return self._take()

    def _begin_without(self, absent: Mapping[int, SeatEnding], now: int) -> None:
        for seat, ending in absent.items():
            self._seats[seat].ending = ending
            self._note(now, seat, FORFEIT, ending.sentence)
            self._effects.append(EndSeat(seat, ending))
        standing = sum(1 for seat in self._seats if seat.standing)
        if not standing:
            self._finish(MatchState.FINISHED, results.by_forfeit(self._seats), now, SOLO_FORFEIT)
        elif standing == 1 and len(self._seats) > 1:
            self._finish_last_standing(now)

    def released(self, seat: int, decision: int, at: int, hold: Hold | None = None) -> None:
        """Note that the question was given to the bot's connection. Nothing follows from that at once.

        From now on the bot may read it, whether or not the arena hears that it was written: see `_start`.
        `hold`: how long it was held back before, if it was.
        """
        question = self._question(seat, decision)
        if question is not None and question.released_at is None:
            question.released_at = at
            if hold is not None:
                question.hold = hold

    def delayed(self, seat: int, decision: int, by_ns: int) -> None:
        """Note that for so long after the release the arena was busy with messages to others, and could not write."""
        question = self._question(seat, decision)
        if question is not None and question.released_at is not None:
            question.released_at += by_ns

    def sent(self, seat: int, decision: int, at: int) -> None:
        """Note that the question was written. Its clock runs from `at`, or from `_start` if that is earlier."""
        question = self._question(seat, decision)
        if question is None or question.started_at is not None:
            return
        at = max(at, question.asked_at)
        if question.released_at is None:
            question.released_at = at
        start = self._start(question, at)
        question.started_at = at if start is None else min(at, start)

    def answered(
        self,
        seat: int,
        decision: int,
        answer: tuple[int, ...] | Refused,
        received: int,
        evaluation: Evaluation | None = None,
    ) -> list[Effect]:
        """Handle an answer. Several actions are a plan: all of them are played, or none.

        An answer that a bot guessed and sent before its question was asked counts as received when it was asked.
        `evaluation`: what the bot expects, kept with what is played; it decides nothing.
        """
        question = self._question(seat, decision)
        if question is not None:
            received = max(received, question.asked_at)
        start = None if question is None else self._start(question, received)
        if question is None or start is None:
            self._ignore(seat, decision, received)
        else:
            self._judge(question, min(start, received), answer, received, evaluation)
        return self._take()

    def resigned(self, seat: int, now: int) -> list[Effect]:
        """Handle a resignation."""
        self._forfeit(seat, verdicts.resignation(self._seats[seat].decisions), now)
        return self._take()

    def ended(self, seat: int, ending: SeatEnding, now: int) -> list[Effect]:
        """End a seat from outside: its session or its program has ended."""
        self._forfeit(seat, ending, now)
        return self._take()

    def lost(self, seat: int, now: int, why: str = "") -> list[Effect]:
        """Record that a seat lost its last connection. Its clocks run on.

        `why`: the bot's action that ended the connection, a sentence part without a full stop; empty if unknown.
        """
        who = self._seats[seat]
        if who.lost_at is None and not self.over:
            who.lost_at, who.why_lost = now, why
            self._note(now, seat, CONNECTION_LOST, f"{why[0].upper()}{why[1:]}." if why else "")
        return self._take()

    def returned(self, seat: int, now: int) -> list[Effect]:
        """Record that a seat has a connection again."""
        who = self._seats[seat]
        if who.lost_at is not None and not self.over:
            who.come_back(self._open if self._open and self._open.seat == seat else None, now)
            self._note(now, seat, CONNECTION_BACK)
            if self._last_alone is not None and who.standing:
                self._finish_last_standing(now)
        return self._take()

    def tick(self, now: int) -> list[Effect]:
        """Decide what is overdue."""
        if self.over:
            return self._take()
        if (alone_until := self._alone_until(now)) is not None:
            if now >= alone_until:
                self._finish_nobody_left(now)
            return self._take()
        question = self._open
        if question is not None:
            who = self._seats[question.seat]
            absent = who.absent(question, now)
            counted = who.lost_at is not None and question.seat not in self._untimed
            if counted and absent > self._control.absence_ns:
                allowed, why = self._control.absence_ns, who.why_lost
                self._forfeit(
                    question.seat, verdicts.disconnect(question.decision, absent, allowed, why), now
                )
            elif (start := self._start(question, now)) is not None:
                charge = self._measure(question, start, now)
                if charge.in_time:
                    pass
                elif self._waits_for_processor(question, start, charge, now):
                    question.judged_from = now + WAIT_AGAIN_NS
                else:
                    self._miss(question, charge, now, answered=False)
        return self._take()

    def void(self, cause: VoidCause, now: int) -> list[Effect]:
        """Void the match: the arena has failed."""
        if not self.over:
            seats = results.void(self._seats, cause)
            self._finish(MatchState.ABORTED, seats, now, why=cause.reason)
        return self._take()

    # What may be asked of it

    def wake_at(self, now: int) -> int | None:
        """Return when `tick` is due if nothing else happens; None while there is nothing to wait for."""
        if self.over:
            return None
        if (alone_until := self._alone_until(now)) is not None:
            return alone_until
        question = self._open
        if question is None:
            return None
        who = self._seats[question.seat]
        due = None
        start = self._start(question, now)
        if start is not None:
            network = self._network(question.seat)
            stall, wait = self._not_charged(question, start, now, network.owner)
            due = start + who.clock.allowance_ns + network.credit_ns + stall + wait + 1
            due = max(due, question.judged_from)
        if who.lost_at is not None and question.seat not in self._untimed:
            forfeit = now + max(0, self._control.absence_ns - who.absent(question, now)) + 1
            due = forfeit if due is None else min(due, forfeit)
        return due

    def _alone_until(self, now: int) -> int | None:
        """Return until when the only seat that is left is awaited, as far as known by now; None if none is."""
        if self._last_alone is None:
            return None
        return self._stalls.postponed(*self._last_alone, now)

    def time_left(self, seat: int, now: int) -> int:
        """Return the thinking time left for the open decision, without grace and credit; 0 without one."""
        question = self._open
        if question is None or question.seat != seat:
            return 0
        clock, start = self._seats[seat].clock, self._start(question, now)
        whole = clock.per_decision_ns + clock.bank_ns
        return whole if start is None or seat in self._untimed else max(0, whole - max(0, now - start))

    def clock(self, seat: int) -> SeatClock:
        """Return the clock of a seat; not to be changed."""
        return self._seats[seat].clock

    def open_decision(self, seat: int) -> int | None:
        """Return the number of the open decision of a seat, or None."""
        question = self._open
        return question.decision if question is not None and question.seat == seat else None

    @property
    def holds_back(self) -> bool:
        """Whether the open question is held back: then its position must not be shown."""
        return self._open is not None and self._open.released_at is None

    # The start of a clock

    def _start(self, question: OpenDecision, now: int) -> int | None:
        """Return when the clock of the open question started, as far as known by `now`; None while it is held back.

        It starts when the question is written, and without that at the latest `most_credit_ns` after its release: a
        bot that reads all of a frame but its last byte keeps the write from ending, and has read the question. The
        time in which the arena itself was not able to write does not count, unless the bot's owner has kept it busy.
        """
        if question.started_at is not None or question.released_at is None:
            return question.started_at
        owner = self._network(question.seat).owner
        return self._stalls.postponed(question.released_at, self._latest_start_ns, now, owner)

    # Judging an answer

    def _question(self, seat: int, decision: int) -> OpenDecision | None:
        question = self._open
        if question is None or question.seat != seat or question.decision != decision:
            return None
        return question

    def _ignore(self, seat: int, decision: int, received: int) -> None:
        who = self._seats[seat]
        still_open = self._question(seat, decision) is not None
        if decision < 1 or decision > who.decisions or still_open:
            reason, late = IgnoreReason.UNKNOWN, 0
        elif decision in who.missed:
            reason, late = IgnoreReason.LATE, max(0, received - who.missed[decision])
        else:
            reason, late = IgnoreReason.REPEATED, 0
        self._effects.append(IgnoreAnswer(seat, decision, reason, late))

    def _judge(
        self,
        question: OpenDecision,
        start: int,
        answer: tuple[int, ...] | Refused,
        received: int,
        evaluation: Evaluation | None,
    ) -> None:
        charge = self._measure(question, start, received)
        if not charge.in_time:
            self._miss(question, charge, received, answered=True)
            return
        clock = self._seats[question.seat].clock
        why = answer.why if isinstance(answer, Refused) else self._illegality(question.seat, answer)
        if isinstance(answer, Refused) or why is not None:
            # As one action, however many it named: what is not played gives no time to think.
            booked = clock.charge(charge, earns=False)
            self._strike_illegal(question, booked, why or "it could not be read", received)
            return
        booked = clock.charge(charge, pieces=len(answer), earns=True)
        self._take_question(received)
        self._play(question, answer, _CHOSEN, booked, evaluation)
        self._advance(received)

    def _illegality(self, seat: int, actions: tuple[int, ...]) -> str | None:
        """Return why the actions may not be played one after the other; None if they may."""
        if len(actions) == 1:
            return None if self.state.is_legal(actions[0]) else self._why_not(self.state, actions[0])
        trial = self.state.clone()
        for number, action in enumerate(actions, 1):
            if trial.seat_to_act != seat or not trial.is_legal(action):
                return f"action {number} of the plan's {len(actions)}: {self._why_not(trial, action)}"
            trial.apply(action)
        return None if actions else "it holds no action"

    @staticmethod
    def _why_not(state: State, action: int) -> str:
        try:
            state.clone().apply(action)
        except IllegalActionError as error:
            return str(error).rstrip(".")
        return "it is not this seat's action"

    def _measure(self, question: OpenDecision, started: int, now: int) -> Charge:
        network = self._network(question.seat)
        stall, wait = self._not_charged(question, started, now, network.owner)
        clock = self._seats[question.seat].clock
        return clock.measure(started, now, credit_ns=network.credit_ns, stall_ns=stall, wait_ns=wait)

    def _not_charged(self, question: OpenDecision, started: int, now: int, owner: str) -> tuple[int, int]:
        """Return the stalls of the arena and, for a hosted program, its waiting time for a processor."""
        if question.seat in self._untimed:
            return max(0, now - started), 0
        use = self._processor(question.seat, started, now)
        if use is None:
            return self._stalls.credit(started, now, owner), 0
        # Whatever else it has done meanwhile, it is charged the processor time that it had.
        stall, wait = use.credited(now - started, self._stalls.overlap(started, now))
        return stall, min(wait, self._seats[question.seat].clock.wait_left_ns)

    def _waits_for_processor(self, question: OpenDecision, started: int, charge: Charge, now: int) -> bool:
        """Return whether the seat's program waits for a processor, which may turn out to excuse a late answer."""
        use = self._processor(question.seat, started, now)
        left = self._seats[question.seat].clock.wait_left_ns
        return use is not None and not use.is_settled(charge.late_ns) and charge.wait_ns < left

    def _miss(self, question: OpenDecision, charge: Charge, now: int, *, answered: bool) -> None:
        who = self._seats[question.seat]
        miss = verdicts.Miss(
            question.decision,
            answered,
            charge.late_ns,
            charge.used_ns,
            who.clock_use(question, now),
            self._network(question.seat).round_trip_ns,
            connected=who.lost_at is None,
            why_lost=who.why_lost,
        )
        who.missed[question.decision] = now - charge.late_ns
        booked = who.clock.charge(charge, earns=False)
        ending = verdicts.time_forfeit(miss, who.strikes + 1, self._control.strikes)
        self._strike(question, Cause.TIME_FORFEIT, booked, str(miss), ending, now)

    def _strike_illegal(self, question: OpenDecision, booked: Charge, why: str, now: int) -> None:
        self._note(now, question.seat, ILLEGAL_ANSWER, why)
        strikes = self._seats[question.seat].strikes + 1
        ending = verdicts.illegal_action(question.decision, why, strikes, self._control.strikes)
        self._strike(question, Cause.ILLEGAL_ACTION, booked, f"the answer was not legal: {why}", ending, now)

    def _strike(
        self, question: OpenDecision, cause: Cause, booked: Charge, what: str, ending: SeatEnding, now: int
    ) -> None:
        """Play the default for an open decision, and tell the seat; with too many strikes it ends so."""
        who = self._seats[question.seat]
        who.strikes += 1
        action = self.state.default_action()
        notation = self.state.format_action(action)
        self._take_question(now)
        self._effects.append(
            CloseDecision(
                question.seat,
                question.decision,
                cause,
                action,
                booked.late_ns,
                who.strikes,
                self._control.strikes,
                booked.bank_ns,
                f"{what[0].upper()}{what[1:]}; {notation} was played instead.",
                ending.evidence,
            )
        )
        self._play(question, (action,), cause, booked)
        if who.strikes > self._control.strikes:
            self._forfeit(question.seat, ending, now, advance=False)
        self._advance(now)

    # Moving the match on

    def _play(
        self,
        question: OpenDecision,
        actions: tuple[int, ...],
        cause: Cause,
        charge: Charge | None,
        evaluation: Evaluation | None = None,
    ) -> None:
        """Apply the legal actions of one decision; the first one carries its charge and its evaluation."""
        state = self.state
        for action in actions:
            seen = tuple([state.action_seen_by(action, viewer) for viewer in self._viewers])
            state.apply(action)
            self._plies += 1
            due = self._plies % DIGEST_EVERY == 0
            record = PlyRecord(
                question.seat,
                question.decision,
                action,
                cause,
                tuple(state.take_events()),
                started_ns=charge.started_ns - self._began_at if charge else 0,
                used_ns=charge.used_ns if charge else 0,
                credit_ns=charge.credit_ns if charge else 0,
                stall_ns=charge.stall_ns if charge else 0,
                bank_ns=charge.bank_ns if charge else 0,
                over_seat_limit=charge.over_seat_limit if charge else False,
                digest=state.digest()[:DIGEST_BYTES] if due else b"",
                wait_ns=charge.wait_ns if charge else 0,
                evaluation=evaluation,
            )
            charge = evaluation = None
            self._effects.append(Played(record, seen))

    def _advance(self, now: int) -> None:
        """Play the defaults of forfeited seats and ask the next remaining one, or end the match."""
        while not self.over and self._open is None and self._last_alone is None:
            seat = self.state.seat_to_act
            if seat == TERMINAL:
                outcome = self.state.outcome()
                assert outcome is not None
                self._finish(
                    MatchState.FINISHED, results.by_the_rules(self._seats, outcome), now, outcome.ending
                )
                return
            who = self._seats[seat]
            if not who.standing:
                self._play(OpenDecision(seat, 0, now), (self.state.default_action(),), Cause.FORFEITED, None)
                continue
            who.decisions += 1
            self._open = OpenDecision(seat, who.decisions, now)
            self._effects.append(Ask(seat, who.decisions))

    def _forfeit(self, seat: int, ending: SeatEnding, now: int, *, advance: bool = True) -> None:
        who = self._seats[seat]
        if self.over or not who.standing:
            return
        who.ending = ending
        self._note(now, seat, FORFEIT, ending.sentence)
        self._effects.append(EndSeat(seat, ending))
        if self._open is not None and self._open.seat == seat:
            self._take_question(now)
        standing = [other for other in self._seats if other.standing]
        if self.state.seat_to_act != TERMINAL and len(standing) <= (1 if len(self._seats) > 1 else 0):
            self._last_one(standing, now)
        elif advance:
            self._advance(now)

    def _last_one(self, standing: list[RefereeSeat], now: int) -> None:
        """End the match if at most one seat is left, unless that one is absent too.

        The only seat of a match leaves a result: resigning does not avoid a bad score.
        """
        self._take_question(now)
        if len(self._seats) == 1:
            self._finish(MatchState.FINISHED, results.by_forfeit(self._seats), now, SOLO_FORFEIT)
        elif not standing:
            self._finish_nobody_left(now)
        elif standing[0].lost_at is None:
            self._finish_last_standing(now)
        else:
            self._last_alone = now, max(0, self._control.absence_ns - standing[0].absent_ns)

    # The end

    def _finish(
        self, state: MatchState, seats: tuple[SeatResult, ...], now: int, ending: str = "", why: str = ""
    ) -> None:
        self.over = True
        self._open = None
        digest = self.state.digest()[:DIGEST_BYTES]
        result = MatchResult(state, ending, self._plies, seats, self._elapsed(now), why, digest)
        self._effects.append(result)

    def _finish_last_standing(self, now: int) -> None:
        self._finish(MatchState.FINISHED, results.by_forfeit(self._seats), now, LAST_STANDING)

    def _finish_nobody_left(self, now: int) -> None:
        why = "Nobody was left to play the match to its end."
        self._finish(MatchState.NO_CONTEST, results.nobody_left(self._seats, now), now, why=why)

    # Small change

    def _take_question(self, now: int) -> None:
        """Close the decision and book the time that its seat was absent."""
        question, self._open = self._open, None
        if question is not None:
            who = self._seats[question.seat]
            who.absent_ns = who.absent(question, now)

    def _note(self, now: int, seat: int | None, what: str, text: str = "") -> None:
        self._effects.append(NoteRecord(self._elapsed(now), seat, what, text))

    def _elapsed(self, now: int) -> int:
        """Return nanoseconds since the match began; 0 for what was received just before that and is handled after."""
        return max(0, now - self._began_at)

    def _take(self) -> list[Effect]:
        effects, self._effects = self._effects, []
        return effects
