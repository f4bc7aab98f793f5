"""One seat of a recorded match: its decisions, what it knew, its clock, and what was played."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from arena.core.match import FORFEIT, Cause, NoteRecord
from arena.core.ply import PlyRecord
from arena.core.referee.effects import Played
from arena.core.units import NS_PER_MS
from arena.match_log.checks.decisions import LoggedDecision, decisions_of
from arena.match_log.decode import LoggedSetUp
from arena.match_log.reader import LoggedEntry, MatchLog
from arena.runner.history import Happening, History
from arena.runner.question import Question
from engine.game import SPECTATOR, Game, State


@dataclass(frozen=True, slots=True)
class Moment:
    """One decision of the seat as it was. Times in nanoseconds."""

    decision: int
    """Its number."""
    ply: int
    """The number of the first action that was played for it."""
    state: State
    """The position; not to be changed."""
    news: tuple[Happening, ...]
    """What a live bot had been sent before it was asked."""
    happened: tuple[Happening, ...]
    """What has happened since the news."""
    per_decision_ns: int
    bank_ns: int
    """Before the decision."""
    grace_ns: int
    increment_ns: int
    seat_time_left_ns: int
    """What was left of `seat_limit_ms`."""
    played: tuple[int, ...]
    """The actions: one, or those of a plan."""
    onwards: tuple[int, ...]
    """All actions of the seat from here until another one acted; `played` is where they begin."""
    cause: Cause
    used_ns: int
    """The time it was charged."""
    bank_after_ns: int
    strikes: int
    """Of the seat, after the decision."""

    @property
    def allowance_ns(self) -> int:
        """Thinking time until the decision was lost, grace included."""
        return self.per_decision_ns + self.bank_ns + self.grace_ns

    def question(self, seat: int, *, live: bool) -> Question:
        """Return the decision as the seat was asked it; `live`: the bot has the news already."""
        return Question(
            self.decision,
            self.state.legal_actions(),
            self.state.observe(seat),
            list(self.happened if live else self.news + self.happened),
            per_decision_ms=self.per_decision_ns // NS_PER_MS,
            bank_ms=self.bank_ns // NS_PER_MS,
            increment_ms=self.increment_ns // NS_PER_MS,
            seat_time_left_ms=self.seat_time_left_ns // NS_PER_MS,
        )

    def notation(self, actions: Sequence[int]) -> str:
        """Return legal actions that follow each other from here in the game's own notation."""
        state = self.state.clone()
        texts = []
        for action in actions:
            texts.append(state.format_action(action))
            state.apply(action)
        return ", ".join(texts)


class Recording:
    """The decisions of one seat in a match, from the match's log."""

    def __init__(self, log: MatchLog, game: Game, seat: int) -> None:
        """`log`: one that `arena.match_log.checks.replay` has found to be what the rules of `game` make of its seed."""
        self.log = log
        self.game = game
        self.seat = seat
        self.forfeited = False
        """Whether the seat lost the match by its own fault."""
        self._state = game.new_match(len(log.setup.seats), log.setup.options, log.setup.seed)
        self.opening: object = self._state.observe(seat)
        """The first position, as the seat saw it."""
        self._history = History(len(log.setup.seats), secret_decisions=game.spec.secret_decisions)
        self._record = log.plies
        self._plies = 0
        self._known = 0
        self._newest = 0
        """The length of the history when the last decision of any seat was asked."""
        self._bank_ns = log.setup.time_control.bank_ns
        self._used_ns = 0
        self._strikes = 0
        self._moments: list[Moment] = []
        begins = {decision.index: decision for decision in decisions_of(log)}
        for entry in log.entries:
            self._take(entry, begins.get(entry.index))
        self.moments: tuple[Moment, ...] = tuple(self._moments)
        """Its decisions, in order."""
        newest = max(self._known, self._newest)
        self.last_news: tuple[Happening, ...] = tuple(self._history.seen_by(seat, self._known, newest))
        """What a live bot had been sent after its last decision."""
        self.ending: tuple[Happening, ...] = tuple(self._history.seen_by(seat, newest))
        """What happened since the last news."""
        self.final: object = self._state.observe(SPECTATOR)
        """The last position, as a spectator saw it."""

    def _take(self, entry: LoggedEntry, begins: LoggedDecision | None) -> None:
        """Take a step. `begins`: the decision whose first action the entry is; None if it is anything else."""
        content = entry.content
        if isinstance(content, LoggedSetUp):
            self._history.set_up(content.events)
        elif isinstance(content, NoteRecord):
            if content.what == FORFEIT and content.seat is not None:
                ending = self.log.result.seats[content.seat].ending
                self._history.forfeited(content.seat, ending.termination)
                self.forfeited = self.forfeited or content.seat == self.seat
        else:
            if begins is not None and begins.first.cause.asked:
                self._begin(begins)
            self._play(content.record)

    def _begin(self, decision: LoggedDecision) -> None:
        if decision.first.seat == self.seat:
            self._moments.append(self._moment(decision))
            self._known = len(self._history)
        self._newest = len(self._history)

    def _moment(self, decision: LoggedDecision) -> Moment:
        first, control = decision.first, self.log.setup.time_control
        bank_ns, self._bank_ns = self._bank_ns, first.bank_ns
        seat_used_ns, self._used_ns = self._used_ns, self._used_ns + first.used_ns
        self._strikes += first.cause is not Cause.CHOSEN
        newest = max(self._known, self._newest)
        return Moment(
            decision=first.decision,
            ply=self._plies,
            state=self._state.clone(),
            news=tuple(self._history.seen_by(self.seat, self._known, newest)),
            happened=tuple(self._history.seen_by(self.seat, newest)),
            per_decision_ns=0 if first.over_seat_limit else control.per_decision_ns,
            bank_ns=bank_ns,
            grace_ns=control.grace_ns,
            increment_ns=control.increment_ns,
            seat_time_left_ns=max(0, control.seat_limit_ns - seat_used_ns),
            played=tuple(ply.action for ply in decision.plies),
            onwards=tuple(
                ply.action
                for ply in takewhile(lambda ply: ply.seat == self.seat, self._record[self._plies :])
            ),
            cause=first.cause,
            used_ns=first.used_ns,
            bank_after_ns=first.bank_ns,
            strikes=self._strikes,
        )

    def _play(self, ply: PlyRecord) -> None:
        seen: list[int | None] = [None] * (len(self.log.setup.seats) + 1)  # the last is a spectator's
        seen[self.seat] = self._state.action_seen_by(ply.action, self.seat)
        self._state.apply(ply.action)
        self._history.played(Played(ply, tuple(seen)))
        self._plies += 1
