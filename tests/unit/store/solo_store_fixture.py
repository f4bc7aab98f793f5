"""A solo ladder in a real database file, for the tests of the store and of scheduling."""

from collections.abc import Mapping
from dataclasses import replace

from arena.core.clock.time_control import TimeControl
from arena.core.match import MatchResult, MatchState, SeatResult, SeedPolicy
from arena.core.match_record import MatchTerms
from arena.store.matches.groups import NewGroup
from arena.store.matches.matches import PlannedMatch
from arena.store.matches.results import MatchReport, Recorded
from arena.store.store import Store
from tests.unit.store.store_fixture import DAY, LADDER, StoreFixture, a_commitment, a_ladder, a_seat

GONE = -1
"""In place of a score: the match is forfeited."""


def a_solo_result(score: int) -> MatchResult:
    """Return a finished match of one seat."""
    seat: SeatResult = replace(a_seat(1, forfeited=score == GONE), score=max(score, 0))
    ending = "FORFEIT" if score == GONE else "STUCK"
    return MatchResult(MatchState.FINISHED, ending, 40, (seat,), 10**9, "", b"digest..")


class SoloStoreFixture(StoreFixture):
    """A store with a solo ladder."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.populate(ladder=replace(a_ladder(), game="caravanserai", seat_counts=(1,), options={1: {}}))

    def join(self, *bots: str) -> None:
        """Make bots, and enter them in the ladder."""
        self.populate_more(*bots)

    def board(self, *bots: str) -> dict[str, int]:
        """Create a board; return the id of the match of each bot."""
        terms = MatchTerms("caravanserai", 1, {}, TimeControl(), rated=False, ladder=LADDER)
        new = NewGroup(LADDER, DAY, bots, SeedPolicy.SHARED, terms)

        def plan(group: int) -> tuple[PlannedMatch, ...]:
            return tuple(PlannedMatch((bot,), 0, a_commitment(f"g{group}")) for bot in bots)

        ids = self.store.write(lambda tx: tx.groups.create(new, plan, 1_000))[1]
        return dict(zip(bots, ids, strict=True))

    def finish_solo(self, match: int, score: int, *, version: str = "1") -> Recorded:
        """Start the match and finish it with this score, or GONE."""
        self.store.write(lambda tx: tx.matches.start(match, [version], 1_100))
        return self.report(MatchReport(match, a_solo_result(score), bytes(32), "ab" * 32))

    def play(self, scores: Mapping[str, int], *, version: str = "1") -> dict[str, int]:
        """Play a whole board with these scores; return the id of the match of each bot."""
        board = self.board(*scores)
        for bot, score in scores.items():
            self.finish_solo(board[bot], score, version=version)
        return board
