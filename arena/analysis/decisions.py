"""The decisions of a seat, as it was asked them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from arena.codecs.codec import Codec
from arena.core.match import Cause
from arena.match_log.checks.decisions import decisions_of
from arena.match_log.reader import MatchLog
from arena.match_report.plies import positions
from engine.randomness import SEED_BYTES


@dataclass(frozen=True, slots=True)
class SeatDecision:
    """One decision of a seat."""

    ply: int
    """The number of its first ply, from 0."""
    number: int
    """As the bot counts its decisions, from 1."""
    observation: bytes
    """What the seat was shown, a serialised `arena.v1.Observation`: all that a judgement knows of the match."""
    played: tuple[int, ...]
    """One action, or those of a plan."""
    cause: Cause
    """Other than CHOSEN where the arena played the default."""
    choices: int
    """Listed legal actions."""

    @property
    def has_choice(self) -> bool:
        """Whether something else could have been played."""
        return self.choices > 1 or len(self.played) > 1


class UnfitLogError(Exception):
    """A log that follows other rules than this software. The message is one sentence for people."""


def seat_decisions(log: MatchLog, codec: Codec, seat: int) -> list[SeatDecision]:
    """Return the decisions of a seat in order, without what the arena played for it after a forfeit.

    Raises UnfitLogError: the positions are not known here.
    """
    found = list(_decisions(log, codec, seat))
    game, setup = codec.game, log.setup
    if setup.rules_version != game.spec.rules_version or len(setup.seed) != SEED_BYTES:
        raise UnfitLogError(
            f"it follows version {setup.rules_version} of the rules of {game.spec.id}, but version "
            f"{game.spec.rules_version} is installed. Use the version of the software that wrote it: "
            f"{log.origin.software}."
        )
    return found


def _decisions(log: MatchLog, codec: Codec, seat: int) -> Iterator[SeatDecision]:
    before = positions(log, codec.game)
    ply = 0
    for decision in decisions_of(log):
        first = decision.first
        for place, (state, record) in enumerate(islice(before, len(decision.plies))):
            if place == 0 and record.seat == seat and first.cause.asked:
                yield SeatDecision(
                    ply,
                    first.decision,
                    codec.encode_observation(state.observe(seat)),
                    tuple(each.action for each in decision.plies),
                    first.cause,
                    len(state.legal_actions()),
                )
        ply += len(decision.plies)
