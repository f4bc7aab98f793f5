"""The Swiss system: a fixed number of rounds in which bots of about equal scores meet."""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.core.pairing.formats.outcomes import ranked
from arena.core.pairing.formats.plan import History, NextRound, PlanSize, RoundPairing
from arena.core.pairing.formats.progress import BotProgress
from arena.core.pairing.formats.single_round import check_enough, check_groups
from arena.core.pairing.formats.swiss_pairs import SwissBot, swiss_pairs
from arena.core.pairing.formats.swiss_scores import swiss_merit, swiss_scores
from arena.core.pairing.formats.swiss_tables import TableBot, swiss_tables


def usual_rounds(entrants: int, seats: int) -> int:
    """Return the fewest rounds after which one bot can be the only one that has won all its tables."""
    rounds, most = 1, seats
    while most < entrants:
        rounds += 1
        most *= seats
    return rounds


@dataclass(frozen=True, slots=True)
class Swiss:
    """So many rounds, 0 for the usual number; the remainder of the bots has byes."""

    seats: int
    rounds: int = 0

    def check(self, entrants: Sequence[str]) -> None:
        """Check that one table can be filled; see Format."""
        check_enough(len(entrants), self.seats, f"A Swiss tournament of {self.seats} seats")
        check_groups(len(entrants) // self.seats * self._rounds(len(entrants)), self.seats)

    def expected_size(self, entrants: int) -> PlanSize:
        """Return the size; see Format."""
        rounds = self._rounds(entrants)
        groups = entrants // self.seats * rounds
        return PlanSize((rounds, rounds), (groups, groups), (groups * self.seats,) * 2)

    def next_round(self, history: History) -> NextRound:
        """Return the next round; the tournament also ends when fewer bots than seats are left; see Format."""
        number = len(history.rounds) + 1
        entered = history.entered(number)
        if number > self._rounds(len(history.entrants)) or len(entered) < self.seats:
            return NextRound(())
        scores = swiss_scores(history, self.seats)
        entry = {bot: place for place, bot in enumerate(history.entrants)}
        order = sorted(entered, key=lambda bot: (-scores.points[bot], entry[bot]))
        place = {bot: number for number, bot in enumerate(order)}
        met = [
            {place[other]: times for other, times in scores.met[bot].items() if other in place}
            for bot in order
        ]
        if self.seats == 2:
            pairs, bye = swiss_pairs(
                [
                    SwissBot(
                        points=scores.points[bot],
                        met=frozenset(met[number]),
                        met_often=met[number],
                        byes=scores.byes[bot],
                        unplayed=scores.unplayed[bot],
                        down=_last_two(scores.down.get(bot, [])),
                        up=_last_two(scores.up.get(bot, [])),
                    )
                    for number, bot in enumerate(order)
                ]
            )
            tables, byes = [list(pair) for pair in pairs], [] if bye is None else [bye]
        else:
            tables, byes = swiss_tables(
                [
                    TableBot(scores.points[bot], met[number], scores.byes[bot])
                    for number, bot in enumerate(order)
                ],
                self.seats,
            )
        tables.sort(key=lambda table: (-max(scores.points[order[bot]] for bot in table), min(table)))
        return NextRound(
            tuple(
                RoundPairing(
                    tuple(sorted((order[bot] for bot in table), key=entry.__getitem__)), table=number
                )
                for number, table in enumerate(tables, start=1)
            ),
            tuple(sorted((order[bot] for bot in byes), key=entry.__getitem__)),
        )

    def ranking(self, history: History) -> tuple[tuple[str, ...], ...]:
        """Rank by points, then by the tie-breaks of `swiss_merit`; see Format."""
        scores = swiss_scores(history, self.seats)
        return ranked(
            history.entrants, {bot: swiss_merit(scores, bot, self.seats) for bot in history.entrants}
        )

    def progress(self, history: History) -> dict[str, BotProgress]:
        """Return the points of each entrant; see Progressive."""
        points = swiss_scores(history, self.seats).points
        return {bot: BotProgress(points_milli=points[bot]) for bot in history.entrants}

    def _rounds(self, entrants: int) -> int:
        return self.rounds or usual_rounds(entrants, self.seats)


def _last_two(rounds: Sequence[bool]) -> tuple[bool, bool]:
    """Return the last value and the one before, newest first; False for a round that was not."""
    padded = (False, False, *rounds)
    return padded[-1], padded[-2]
