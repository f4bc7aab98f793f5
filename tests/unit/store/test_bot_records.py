"""Record and rating history of a bot, compared with what a slow reader of the whole history finds."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from arena.core.clock.time_control import TimeControl
from arena.core.match import MatchState, SeedPolicy
from arena.core.match_record import MatchRecord, MatchTerms, SeatRecord
from arena.core.rating.history import RatingPoint
from arena.core.rating.ledger import EntryKind
from arena.core.rating.rating import INITIAL
from arena.store.ladders.ladders import SecretRow
from arena.store.matches.bot_records import EndingRow, OpponentPlace, OpponentRow, TotalsRow
from arena.store.matches.groups import NewGroup
from arena.store.matches.matches import MatchFilter, PlannedMatch
from arena.store.matches.results import MatchReport
from arena.store.store import Transaction
from tests.unit.store.solo_store_fixture import GONE, SoloStoreFixture
from tests.unit.store.store_fixture import (
    DAY,
    LADDER,
    StoreFixture,
    a_commitment,
    a_ladder,
    a_result,
    a_seat,
    open_store,
)

BOTS = ("ant", "bee", "cat", "dog", "eel")
OTHER = "other"
GAMES = {LADDER: "caravan", OTHER: "wasteland"}
ALL = 10_000


class RandomHistory:
    """Plays groups of matches on two ladders; some matches are void, some are made void later."""

    def __init__(self, db: StoreFixture, seed: int) -> None:
        self._db = db
        self._random = Random(seed)
        db.populate(*BOTS)
        db.store.write(self._add_other_ladder)

    def _add_other_ladder(self, tx: Transaction) -> None:
        tx.ladders.add(replace(a_ladder(OTHER), game=GAMES[OTHER]))
        tx.ladders.add_secret(OTHER, SecretRow(DAY, bytes(32), a_commitment("other day"), None))
        for bot in BOTS:
            tx.entries.join(OTHER, bot, self._db.now_us)

    def play(self, groups: int) -> None:
        """Play so many groups, and void some of their matches."""
        played: list[int] = []
        for _ in range(groups):
            matches = self._pair()
            self._random.shuffle(matches)
            if self._random.random() < 0.1:
                matches.pop()  # its group stays open
            for match in matches:
                self._db.now_us += self._random.randrange(1_000)
                self._end(match)
            played += matches
            if self._random.random() < 0.2:
                self._void(played)

    def _pair(self) -> list[int]:
        bots = tuple(self._random.sample(BOTS, self._random.choice((2, 2, 3, 4))))
        ladder = self._random.choice((LADDER, LADDER, OTHER))
        rated = self._random.random() < 0.9
        terms = MatchTerms(GAMES[ladder], 1, {}, TimeControl(), rated=rated, ladder=ladder)
        new = NewGroup(ladder, DAY, bots, SeedPolicy.DERIVED, terms)

        def plan(group: int) -> tuple[PlannedMatch, ...]:
            seeds = [a_commitment(f"g{group}/{k}") for k in range(len(bots))]
            return tuple(PlannedMatch(bots[k:] + bots[:k], k, seed) for k, seed in enumerate(seeds))

        return list(self._db.store.write(lambda tx: tx.groups.create(new, plan, self._db.now_us))[1])

    def _end(self, match: int) -> None:
        bots = self._db.match(match).bots
        self._db.start(match, **{bot: str(self._random.randrange(1 + match // 30)) for bot in bots})
        if self._random.random() < 0.1:
            state = self._random.choice((MatchState.ABORTED, MatchState.NO_CONTEST))
            result = a_result(*([0] * len(bots)), state=state)
            self._db.report(MatchReport(match, result, bytes(32), ""))
            return
        placings = sorted(self._random.choices(range(1, len(bots) + 1), k=len(bots)))
        ranked = [1 + sum(each < own for each in placings) for own in placings]
        self._random.shuffle(ranked)
        seats = tuple(
            replace(
                a_seat(placing, forfeited=placing > 1 and self._random.random() < 0.2),
                score=self._random.randrange(-9, 60),
            )
            for placing in ranked
        )
        result = replace(a_result(*ranked), seats=seats)
        self._db.report(MatchReport(match, result, bytes(32), "ab" * 32))

    def _void(self, played: list[int]) -> None:
        match = self._random.choice(played)
        record = self._db.match(match)
        if record.state is MatchState.FINISHED or record.left_to_organiser:
            self._db.void(match)


@pytest.fixture(scope="module", params=range(3))
def history(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[StoreFixture]:
    """Yield a store with a random history, which the tests do not change."""
    db = StoreFixture(open_store(tmp_path_factory.mktemp("history")))
    RandomHistory(db, request.param).play(30)
    yield db
    db.store.close()


def finished(db: StoreFixture, ladder: str | None) -> list[MatchRecord]:
    """Return all matches that count, oldest first."""
    matches = db.store.read(lambda tx: tx.matches.page(MatchFilter(ladder=ladder), before=None, limit=ALL))
    return [match for match in reversed(matches) if match.state is MatchState.FINISHED]


def seat_of(match: MatchRecord, bot: str) -> SeatRecord:
    """Return the bot's seat."""
    return match.seats[match.bots.index(bot)]


def normal(seat: SeatRecord) -> bool:
    """Whether the seat was not forfeited."""
    assert seat.ending is not None
    return not seat.ending.forfeited


def opponent_row(bot: str, opponent: str, matches: list[MatchRecord]) -> OpponentRow:
    """Return the results in these matches of both."""
    pairs = [(match, seat_of(match, bot), seat_of(match, opponent)) for match in matches]
    compared = [(match, mine, theirs) for match, mine, theirs in pairs if normal(mine) and normal(theirs)]
    assert matches[-1].ended_us is not None
    return OpponentRow(
        opponent=opponent,
        matches=len(pairs),
        wins=sum(mine.placing < theirs.placing for _, mine, theirs in pairs),
        ties=sum(mine.placing == theirs.placing for _, mine, theirs in pairs),
        compared=len(compared),
        compared_games=len({match.terms.game for match, _, _ in compared}),
        score_difference=sum(mine.score - theirs.score for _, mine, theirs in compared) if compared else None,
        last_match=matches[-1].id,
        last_match_us=matches[-1].ended_us,
    )


@pytest.mark.parametrize("ladder", [None, LADDER, OTHER])
def test_the_record_is_that_of_all_finished_matches(history: StoreFixture, ladder: str | None) -> None:
    counted = finished(history, ladder)
    for bot in BOTS:
        own = [match for match in counted if bot in match.bots]
        met: defaultdict[str, list[MatchRecord]] = defaultdict(list)
        endings: defaultdict[tuple[object, object], list[MatchRecord]] = defaultdict(list)
        totals = Counter[str]()
        for match in own:
            seat, others = seat_of(match, bot), [each for each in match.seats if each.bot != bot]
            for other in others:
                met[other.bot].append(match)
            assert seat.ending is not None
            endings[seat.ending.termination, seat.ending.fault].append(match)
            totals["firsts"] += seat.placing == 1
            totals["ties"] += seat.placing == 1 and any(other.placing == 1 for other in others)
        rows = [opponent_row(bot, opponent, matches) for opponent, matches in met.items()]
        ordered = tuple(sorted(rows, key=lambda row: (-row.matches, row.opponent)))
        ended = {
            EndingRow(*kind, len(matches), matches[-1].id, matches[-1].ended_us)  # type: ignore[arg-type]  # it has ended
            for kind, matches in endings.items()
        }

        def read(tx: Transaction, bot: str = bot) -> tuple[object, tuple[EndingRow, ...], TotalsRow]:
            records = tx.bot_records
            opponents = records.opponents(bot, ladder=ladder, after=None, limit=ALL)
            return opponents, records.endings(bot, ladder=ladder), records.totals(bot, ladder=ladder)

        found_opponents, found_endings, found_totals = history.store.read(read)
        assert found_opponents == ordered
        assert set(found_endings) == ended
        assert [each.matches for each in found_endings] == sorted((e.matches for e in ended), reverse=True)
        assert found_totals == TotalsRow(len(own), totals["firsts"], totals["ties"])


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_pages_of_opponents_are_the_whole_in_order(history: StoreFixture, limit: int) -> None:
    def page(after: OpponentPlace | None, limit: int) -> tuple[OpponentRow, ...]:
        return history.store.read(
            lambda tx: tx.bot_records.opponents("ant", ladder=None, after=after, limit=limit)
        )

    seen: list[OpponentRow] = []
    while rows := page(OpponentPlace(seen[-1].matches, seen[-1].opponent) if seen else None, limit):
        seen += rows
    assert tuple(seen) == page(None, ALL)
    assert len(seen) == len(BOTS) - 1


def test_a_match_of_one_seat_is_counted_but_nobody_is_first_in_it(db: StoreFixture) -> None:
    solo = SoloStoreFixture(db.store)
    solo.join("ant", "bee", "cat")
    solo.play({"ant": 30, "bee": GONE})

    def totals(bot: str) -> TotalsRow:
        return db.store.read(lambda tx: tx.bot_records.totals(bot, ladder=None))

    assert [totals(bot) for bot in ("ant", "bee", "cat")] == [TotalsRow(played, 0, 0) for played in (1, 1, 0)]
    assert db.store.read(lambda tx: tx.bot_records.opponents("ant", ladder=None, after=None, limit=9)) == ()


@pytest.mark.parametrize("ladder", [LADDER, OTHER])
def test_the_history_of_a_rating_is_what_the_ledger_has_about_the_bot(
    history: StoreFixture, ladder: str
) -> None:
    entries = history.store.read(lambda tx: tuple(tx.ledger.all(ladder)))
    assert EntryKind.MATCH_GROUP in {entry.kind for entry in entries}
    assert ladder == OTHER or EntryKind.VOID in {entry.kind for entry in entries}
    standings = {entry.bot: entry for entry in history.store.read(lambda tx: tx.entries.all(ladder))}
    rated = {entry.group: entry.matches for entry in entries if entry.kind is EntryKind.MATCH_GROUP}
    for bot in BOTS:
        expected: list[RatingPoint] = []
        matches = 0
        for entry in entries:
            for change in entry.changes:
                if change.bot == bot:
                    void = entry.kind is EntryKind.VOID
                    played = rated[entry.group]
                    matches += -len(played) if void else len(played)
                    after, last = change.after, played[-1].match
                    point = RatingPoint(
                        after.rating_milli,
                        after.information,
                        after.version,
                        matches,
                        entry.group,
                        last,
                        0,
                        void,
                    )
                    expected.append(point)
        found = history.store.read(lambda tx, bot=bot: tx.ledger.history(ladder, bot))  # type: ignore[misc]  # a lambda with a default
        assert [replace(point, at_us=0) for point in found] == expected
        assert all(one.at_us <= two.at_us or two.taken_back for one, two in pairwise(found))
        newest = (found[-1].matches, found[-1].rating_milli) if found else (0, INITIAL.rating_milli)
        assert newest == (standings[bot].matches, standings[bot].rating_milli)


def test_a_bot_without_a_rated_match_has_no_history(db: StoreFixture) -> None:
    db.populate("ant", "bee")
    db.finish(db.pair("ant", "bee")[0], 1, 2)
    assert db.store.read(lambda tx: tx.ledger.history(LADDER, "ant")) == ()
