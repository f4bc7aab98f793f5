"""A small arena in a real database file, for the tests of the store."""

import atexit
import functools
import shutil
import tempfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from arena.core.clock.time_control import TimeControl
from arena.core.endings.terminations import Fault, SeatEnding, Termination
from arena.core.match import MatchResult, MatchState, SeatResult, SeedPolicy
from arena.core.match_record import MatchRecord, MatchTerms
from arena.core.rating.ledger import LedgerEntry
from arena.core.seeds import secret_commitment
from arena.core.tournaments import TournamentFormat, TournamentState
from arena.store.bots.bots import BotRow, BotVersionRow, VersionOrigin
from arena.store.json_columns import VersionProgram
from arena.store.ladders.entries import EntryRow
from arena.store.ladders.ladders import LadderRow, SecretRow
from arena.store.matches.groups import NewGroup
from arena.store.matches.matches import PlannedMatch
from arena.store.matches.results import MatchReport, Recorded, ReplacementMatch
from arena.store.store import Store, Transaction
from arena.store.tournaments.tournaments import TournamentRow
from tests.unit.store.databases import copied_database, database_url

DAY = "2026-11-21"
LADDER = "main"
VERSION = "ab" * 32


def open_store(folder: Path) -> Store:
    """Open a database in the folder, with its tables. A new one is a copy, since tables take 50 ms to make."""
    if (folder / "arena.db").exists():
        store = Store(database_url(folder))
        store.migrate()
        return store
    return Store(copied_database(_tables(), folder))


@functools.cache
def _tables() -> Path:
    """Return the folder of a database with its tables and nothing in them, one for each process of tests."""
    folder = Path(tempfile.mkdtemp(prefix="arena-tables-"))
    atexit.register(shutil.rmtree, folder)
    store = Store(database_url(folder))
    store.migrate()
    store.close()
    return folder


def a_program() -> VersionProgram:
    """Return a program of two files."""
    return VersionProgram(
        command=("python", "bot.py"),
        build=(),
        games=("caravan",),
        runtime="python",
        files=2,
        bytes=400,
        memory_mib=256,
        pids=64,
        build_seconds=300,
        strict=False,
    )


def a_version(bot: str, label: str = VERSION, *, created_us: int = 1_000) -> BotVersionRow:
    """Return a submitted version."""
    return BotVersionRow(bot, label, VersionOrigin.SUBMITTED, "python", created_us, a_program())


def a_commitment(label: str) -> bytes:
    """32 bytes that differ for every label."""
    return sha256(label.encode()).digest()


def a_ladder(ladder: str = LADDER) -> LadderRow:
    """Return a paused ladder of two and three seats."""
    return LadderRow(
        id=ladder,
        game="caravan",
        rules_version=1,
        seat_counts=(2, 3),
        options={2: {"camels": "5"}, 3: {"camels": "6"}},
        time_control=TimeControl(per_decision_ms=250),
        same_owner=True,
        created_us=5,
    )


def a_tournament(tournament: str = "cup", *bots: str, seats: int = 2) -> TournamentRow:
    """Return a running round-robin without pairings; its secret is all zeros."""
    return TournamentRow(
        id=tournament,
        owner="ada",
        format=TournamentFormat.ROUND_ROBIN,
        game="caravan",
        rules_version=1,
        options={},
        time_control=TimeControl(),
        bots=bots,
        seats=seats,
        rounds=1,
        seed_policy=SeedPolicy.DERIVED,
        state=TournamentState.RUNNING,
        pairings=0,
        secret=bytes(32),
        commitment=secret_commitment(bytes(32)),
        created_us=1,
    )


def a_seat(placing: int, *, forfeited: bool = False) -> SeatResult:
    """Return a seat's result; 10 decisions of 2 ms."""
    ending = SeatEnding(Termination.NORMAL, Fault.NONE, (), "Played to the end.")
    if forfeited:
        ending = SeatEnding(
            Termination.TIME_FORFEIT, Fault.BOT, (("late_ms", "312"), ("bank_ms", "0")), "Ply 41 came late."
        )
    return SeatResult(
        placing=placing,
        score=50 - placing,
        ending=ending,
        decisions=10,
        used_ns=20_000_000,
        longest_ns=9_000_000 + placing * 1_000,
        strikes=3 if forfeited else 0,
    )


def a_result(
    *placings: int, state: MatchState = MatchState.FINISHED, absent: int | None = None
) -> MatchResult:
    """Return a result with these placings by seat. `absent`: the seat whose bot was not there."""
    void = state is not MatchState.FINISHED
    return MatchResult(
        state=state,
        ending="" if void else "FINAL_DELIVERY",
        plies=40,
        seats=tuple(a_seat(placing, forfeited=seat == absent) for seat, placing in enumerate(placings)),
        duration_ns=10**9,
        void_reason="The arena was stopped." if void else "",
        digest=b"digest..",
    )


@dataclass
class StoreFixture:
    """A store with bots, a ladder and its entries."""

    store: Store
    now_us: int = 1_000

    def match(self, match: int) -> MatchRecord:
        """Return the match as it is stored."""
        return self.store.read(lambda tx: tx.matches.get(match))

    def ladder(self) -> LadderRow:
        """Return the ladder as it is stored."""
        return self.store.read(lambda tx: tx.ladders.get(LADDER))

    def ledger(self) -> tuple[LedgerEntry, ...]:
        """Return the ledger of the ladder."""
        return self.store.read(lambda tx: tuple(tx.ledger.all(LADDER)))

    def populate(self, *bots: str, owner: str = "ada", ladder: LadderRow | None = None) -> None:
        """Add the ladder, and the bots to it."""

        def change(tx: Transaction) -> None:
            tx.users.ensure(owner)
            tx.ladders.add(ladder or a_ladder())
            tx.ladders.add_secret(LADDER, SecretRow(DAY, bytes(32), a_commitment("day"), None))

        self.store.write(change)
        self.populate_more(*bots, owner=owner)

    def populate_more(self, *bots: str, owner: str = "ada") -> None:
        """More bots exist and are in the ladder."""

        def change(tx: Transaction) -> None:
            for bot in bots:
                tx.bots.add(BotRow(bot, owner, "", False, self.now_us))
                tx.entries.join(LADDER, bot, self.now_us)

        self.store.write(change)

    def submit(self, bot: str, *versions: str) -> None:
        """Submissions with these contents were admitted, one after the other."""

        def change(tx: Transaction) -> None:
            for version in versions:
                self.now_us += 1
                owner = tx.bots.get(bot).owner
                made = tx.submissions.add(bot, owner, a_commitment(version).hex(), 400, self.now_us)
                tx.bots.ensure_version(a_version(bot, version, created_us=self.now_us))
                plays = tx.hosting.admitted(bot, version)
                tx.submissions.admit(made.number, version, known=False, plays=plays, now_us=self.now_us)

        self.store.write(change)

    def pair(self, *bots: str, policy: SeedPolicy = SeedPolicy.DERIVED, day: str = DAY) -> tuple[int, ...]:
        """Create a group in which the seats rotate; return the ids of its matches."""
        new = NewGroup(
            ladder=LADDER,
            day=day,
            bots=bots,
            seed_policy=policy,
            terms=MatchTerms("caravan", 1, {"camels": "6"}, TimeControl(), rated=True, ladder=LADDER),
        )

        def plan(group: int) -> tuple[PlannedMatch, ...]:
            return tuple(
                PlannedMatch(
                    bots[k:] + bots[:k],
                    0 if policy is SeedPolicy.SHARED else k,
                    a_commitment(f"g{group}/{k}"),
                )
                for k in range(len(bots))
            )

        return self.store.write(lambda tx: tx.groups.create(new, plan, self.now_us))[1]

    def start(self, match: int, **versions: str) -> None:
        """Start the match with these versions by bot, and version 1 of each other."""
        seats = self.match(match).seats
        played = [versions.get(seat.bot, "1") for seat in seats]
        assert self.store.write(lambda tx: tx.matches.start(match, played, self.now_us))

    def finish(self, match: int, *placings: int, log: str = "ab" * 32) -> Recorded:
        """Finish the match by the rules; start it if it had not begun. `log`: the name of its log."""
        if self.match(match).state is MatchState.PENDING:
            self.start(match)
        return self.report(MatchReport(match, a_result(*placings), bytes(32), log))

    def abort(self, match: int, replay: ReplacementMatch | None) -> Recorded:
        """Report the match void by the arena's fault."""
        seats = len(self.match(match).seats)
        result = a_result(*([0] * seats), state=MatchState.ABORTED)
        return self.report(MatchReport(match, result, bytes(32), "", replay))

    def report(self, report: MatchReport) -> Recorded:
        """Record the report."""
        return self.store.write(lambda tx: tx.record_result(report, now_us=self.now_us + 500))

    def void(self, match: int, reason: str = "the board was wrong") -> None:
        """Void the match as the organiser."""
        self.store.write(lambda tx: tx.rulings.void(tx.matches.get(match), reason, 7_000))

    def entries(self) -> dict[str, EntryRow]:
        """Return ratings and counters by bot."""
        return {entry.bot: entry for entry in self.store.read(lambda tx: tx.entries.all(LADDER))}
