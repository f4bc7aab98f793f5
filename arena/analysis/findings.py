"""What an analysis says of a match, in words and as a document."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from arena.analysis.analysis import Analysis
from arena.analysis.judging import Move
from arena.analysis.trial import Loss, Trial
from arena.codecs.codec import Codec
from arena.core.match import Cause
from arena.drawings.drawing import Step, drawing_for
from arena.drawings.narration import capital
from arena.match_log.reader import MatchLog
from arena.match_report.plies import DEFAULTS, page_address, positions
from arena.match_report.story import names_in
from engine.game import State
from engine.randomness import Stream

_PER_MILLE = 1000


@dataclass(frozen=True, slots=True)
class Unit:
    """What losses are counted in."""

    name: str
    """As in documents."""
    sign: str
    """Behind a number."""
    factor: int

    def format(self, loss: float) -> str:
        """Return a loss with its sign."""
        return f"{self.number(loss):g}{self.sign}"

    def number(self, loss: float) -> float:
        """Return a loss in this unit, rounded."""
        return round(loss * self.factor, 0 if self.factor > 1 else 1)


PER_MILLE = Unit("expected_score_per_mille", " ‰", _PER_MILLE)
"""Of the expected score: 1000 is the difference between winning and losing against all other seats."""

POINTS = Unit("points", " points", 1)
"""Of the score, where a seat plays alone."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A costly decision."""

    rank: int
    """From 1, the costliest."""
    ply: int
    """Of its first action, from 0."""
    decision: int
    turn: int
    cause: Cause
    played: tuple[str, ...]
    better: tuple[str, ...]
    """In the game's notation: a move of several actions, if it takes several."""
    played_words: str
    better_words: str
    """A sentence each."""
    loss: Loss
    unit: Unit

    @property
    def amount(self) -> str:
        """The loss with its interval, in words."""
        unit, loss = self.unit, self.loss
        return f"{unit.format(loss.mean)} ({unit.number(loss.low):g} to {unit.number(loss.high):g})"

    @property
    def default(self) -> str:
        """Why the arena played the action; empty if the bot chose it."""
        return DEFAULTS.get(self.cause, "")

    @property
    def sentence(self) -> str:
        """All of it in words."""
        default = f" {self.default}." if self.default else ""
        return (
            f"Turn {self.turn}, ply {self.ply}:{default} {self.played_words} Better: {self.better_words} "
            f"Lost {self.amount}."
        )

    @property
    def address(self) -> str:
        """The part of a replay page's address that shows the decision."""
        return page_address(self.ply)

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "rank": self.rank,
            "ply": self.ply,
            "decision": self.decision,
            "turn": self.turn,
            "cause": self.cause.name,
            "played": list(self.played),
            "better": list(self.better),
            "played_words": self.played_words,
            "better_words": self.better_words,
            **_loss_fields(self.loss, self.unit),
            "sentence": self.sentence,
            "replay": self.address,
        }


def unit_of(log: MatchLog) -> Unit:
    """Return the unit of losses in a match."""
    return POINTS if len(log.setup.seats) == 1 else PER_MILLE


def findings(log: MatchLog, codec: Codec, seat: int, analysis: Analysis) -> list[Finding]:
    """Return the costliest decisions of an analysis, the costliest first."""
    writer = _Writer(log, codec, seat)
    return [writer.finding(rank, trial) for rank, trial in enumerate(analysis.costliest(), 1)]


def document(log: MatchLog, seat: int, analysis: Analysis, found: Sequence[Finding]) -> dict[str, Any]:
    """Return an analysis as JSON."""
    unit = unit_of(log)
    return {
        "match": f"matches/{log.setup.match}",
        "log": log.name,
        "game": log.setup.game,
        "seat": seat,
        "bot": f"bots/{log.setup.seats[seat].bot}",
        "unit": unit.name,
        "seed": analysis.seed,
        "complete": analysis.is_complete,
        "playouts": analysis.budget.done,
        "decisions": len(analysis.decisions),
        "with_choice": sum(each.has_choice for each in analysis.decisions),
        "judged": [
            {
                "ply": each.decision.ply,
                "decision": each.decision.number,
                **_loss_fields(each.loss(), unit),
            }
            for each in analysis.trials
            if each.loss().deals
        ],
        "costliest": [each.document() for each in found],
    }


def _loss_fields(loss: Loss, unit: Unit) -> dict[str, Any]:
    bounded = loss.deals > 1
    return {
        "loss": round(loss.mean * unit.factor, 1),
        "low": round(loss.low * unit.factor, 1) if bounded else None,
        "high": round(loss.high * unit.factor, 1) if bounded else None,
        "deals": loss.deals,
    }


class _Writer:
    """Writes down what was played and what would have been better, as the seat saw it."""

    def __init__(self, log: MatchLog, codec: Codec, seat: int) -> None:
        self._log, self._game, self._seat = log, codec.game, seat
        self._drawing, self._names = drawing_for(codec.game.spec.id), names_in(log)

    def finding(self, rank: int, trial: Trial) -> Finding:
        decision, better = trial.decision, trial.better()
        state, _ = next(islice(positions(self._log, self._game), decision.ply, None))
        seen = state.observe(self._seat)
        known = self._game.from_observation(
            seen, Stream(trial.seed)
        )  # shows nothing that the seat could not see
        return Finding(
            rank,
            decision.ply,
            decision.number,
            self._drawing.turn(seen),
            decision.cause,
            _notation(known, decision.played),
            _notation(known, better),
            self._words(known, decision.played),
            self._words(known, better),
            trial.loss(),
            unit_of(self._log),
        )

    def _words(self, state: State, move: Move) -> str:
        steps, now = [], state.clone()
        for action in _legal_part(state, move):
            before = now.observe(self._seat)
            now.apply(action)
            steps.append(Step(self._seat, before, action, (), now.observe(self._seat)))
        return capital(self._drawing.describe(steps, self._names)).plain + "."


def _notation(state: State, move: Move) -> tuple[str, ...]:
    return tuple(state.format_action(action) for action in move)


def _legal_part(state: State, move: Move) -> Move:
    """Return the actions of a move up to the first one that this deal does not allow."""
    now, played = state.clone(), []
    for action in move:
        if now.seat_to_act != state.seat_to_act or not now.is_legal(action):
            break
        now.apply(action)
        played.append(action)
    return tuple(played)
