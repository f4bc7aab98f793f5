"""The gate: two versions of a bot on the same set-ups against the same field, until a sequential test has decided.

It is `arena compare` on an arena. The first two entrants are the candidate and the incumbent, two versions of one bot;
the others are the field. A pairing is one set-up: each of the two plays the same opponents on every seat, all of its
matches on one seed (`arena.core.pairing.groups.plan_set_up`). Who plays in which set-up and what it counts is that of
`arena.core.pairing.comparison`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.core.pairing.comparison import FIRST_OPPONENT, ComparisonPlan
from arena.core.pairing.formats.parameters import GateParameters
from arena.core.pairing.formats.plan import History, NextRound, PlanSize, PlayedPairing, RoundPairing
from arena.core.pairing.formats.single_round import check_enough, ranking_by_share
from arena.core.pairing.round_robin import check_size
from arena.core.sequential.sprt import GroupScore, Hypotheses, SequentialTest, Verdict
from arena.core.tournaments import TIE_MILLI, WIN_MILLI, TournamentFormat, matches_of_pairing

COMPARED: Final = 2
"""The candidate and the incumbent."""

FIRST_ROUND: Final = 4
"""Set-ups of a round, until an eighth of all that were played is more."""

_LATER_ROUNDS: Final = 8

LOWER_LIMIT: Final = "lower the limit of set-ups, --matches of `arena gate`"
"""How a gate has fewer matches."""

_MILLI: Final = 1_000


@dataclass(frozen=True, slots=True)
class Gate:
    """A comparison of the first two entrants.

    A round has a few set-ups, so that bots can play at once; the test looks at them in their order, and what is behind
    its verdict does not count. A set-up without all its results does not count either, but is one of `most`. The gate
    ends without a verdict if one of the two withdraws or plays nothing of a set-up, or too small a field is left. A bot
    of the field that plays nothing of a set-up is in none that is planned later.
    """

    seats: int
    hypotheses: Hypotheses
    most: int
    """After so many set-ups it ends without a verdict."""

    def check(self, entrants: Sequence[str]) -> None:
        """Check that the field fills a match; see Format."""
        check_enough(len(entrants), COMPARED + self.seats - 1, f"A gate with matches of {self.seats} seats")
        check_size(self.most * COMPARED * self.seats, advice=LOWER_LIMIT)

    def expected_size(self, entrants: int) -> PlanSize:
        """Return the size; see Format. The test needs at least one round."""
        first, most = min(FIRST_ROUND, self.most), self._most_rounds()
        matches = matches_of_pairing(TournamentFormat.GATE, self.seats)
        return PlanSize((1, most), (first, self.most), (first * matches, self.most * matches))

    def next_round(self, history: History) -> NextRound:
        """Return the next set-ups; see Format."""
        played = [each for of_round in history.rounds for each in of_round.pairings]
        field = self._field(history, played)
        over = self.test(history).verdict is not Verdict.UNDECIDED or len(played) >= self.most
        if over or field is None:
            return NextRound(())
        first = len(played)
        numbers = range(first, first + _round_size(first, self.most))
        return NextRound(
            tuple(
                RoundPairing(self._bots(history, field, number), table=number - first + 1)
                for number in numbers
            )
        )

    def ranking(self, history: History) -> tuple[tuple[str, ...], ...]:
        """Rank by score per pair; see Format."""
        return ranking_by_share(history, history.entrants)

    def test(self, history: History) -> SequentialTest:
        """Return the test after all complete rounds."""
        test = SequentialTest(self.hypotheses, field=True)
        pairings = [each for of_round in history.rounds for each in of_round.pairings]
        scores = (self.score(each, history.entrants) for each in pairings)
        test.extend([score for score in scores if score is not None])
        return test

    def score(self, played: PlayedPairing, entrants: Sequence[str]) -> GroupScore | None:
        """Return what the two scored on a set-up; None if a result is missing, so that it does not count."""
        pairs = self.seats * (self.seats - 1)
        places = [played.pairing.bots.index(bot) for bot in entrants[:COMPARED]]
        if any(played.pairs[place] != pairs for place in places):
            return None
        candidate, incumbent = (played.score_milli[place] // TIE_MILLI for place in places)
        return GroupScore(candidate, incumbent, pairs * WIN_MILLI // TIE_MILLI)

    def _field(self, history: History, played: Sequence[PlayedPairing]) -> tuple[str, ...] | None:
        """Return the opponents of the next set-ups; None if there will be none."""
        gone = {
            bot
            for each in played
            for bot, absent in zip(each.pairing.bots, each.absent, strict=True)
            if absent
        }
        there = [bot for bot in history.entered(len(history.rounds) + 1) if bot not in gone]
        field = tuple(bot for bot in there if bot not in history.entrants[:COMPARED])
        return field if len(there) - len(field) == COMPARED and len(field) >= self.seats - 1 else None

    def _bots(self, history: History, field: Sequence[str], number: int) -> tuple[str, ...]:
        """Return the bots of a set-up in the order of entry. `number`: from 0."""
        line_up = ComparisonPlan(self.seats, len(field)).group(number)[0].entrants
        opponents = {field[entrant - FIRST_OPPONENT] for entrant in line_up if entrant >= FIRST_OPPONENT}
        return (*history.entrants[:COMPARED], *(bot for bot in field if bot in opponents))

    def _most_rounds(self) -> int:
        played = rounds = 0
        while played < self.most:
            played += _round_size(played, self.most)
            rounds += 1
        return rounds


def _round_size(played: int, most: int) -> int:
    return min(max(FIRST_ROUND, played // _LATER_ROUNDS), most - played)


def gate_of(seats: int, parameters: GateParameters) -> Gate:
    """Return the gate with these parameters."""
    hypotheses = Hypotheses(
        parameters.elo0_milli / _MILLI,
        parameters.elo1_milli / _MILLI,
        parameters.alpha_milli / _MILLI,
        parameters.beta_milli / _MILLI,
    )
    return Gate(seats, hypotheses, parameters.set_ups)
