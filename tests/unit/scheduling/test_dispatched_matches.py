"""What becomes of the matches that workers play: real matches, on a real database, from a worker that the test is."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from arena.codecs.codec import codec_for
from arena.core.endings.arena_faults import ArenaFault, VoidCause, worker_lost
from arena.core.match import DebugLine, MatchState, NoteRecord
from arena.core.match_record import MatchRecord
from arena.core.ply import PlyRecord
from arena.hosting.host.program_outcomes import NOT_READY
from arena.match_log.files import LogFiles
from arena.match_log.verify import VerificationExit, verify
from arena.match_log.writer import MatchRecords
from arena.runner.spectator_view import SpectatorView
from arena.scheduling.debug_lines import DebugLines
from arena.scheduling.disk_space import DiskSpace
from arena.scheduling.dispatch import (
    MatchLostError,
    MatchNeeds,
    MatchTicket,
    NotBegun,
    PlayedMatch,
    TimeTotals,
)
from arena.scheduling.match_failure import MOST_STARVED
from arena.scheduling.match_manager import MatchManager
from arena.scheduling.result_recorder import ResultRecorder
from arena.sessions.registry import SessionRegistry
from arena.store.database import Database
from arena.store.json_columns import VersionProgram
from arena.store.matches.groups import GroupSecret
from tests.unit.core.causes import a_cause
from tests.unit.match_log.matches import KEY, RandomMatch
from tests.unit.runner.fakes import FakeTimers
from tests.unit.scheduling.fakes import FakeHost, a_match_manager
from tests.unit.store.store_fixture import StoreFixture, a_program, open_store

BOTS = ("ann", "bob")
SECRET = GroupSecret(bytes(32), bytes(32))
LOST = worker_lost("worker 1", "has ended")


class HostOfWorkers(FakeHost):
    """Notes what it hears of its bots."""

    def __init__(self) -> None:
        super().__init__(*BOTS)
        self.failures: list[tuple[str, str, str]] = []
        self.played: list[tuple[str, str]] = []
        outcomes: Any = SimpleNamespace(failure=self._failure, match_played=self._match_played)
        self.outcomes = outcomes

    def owner(self, bot: str) -> str:
        return "ada"

    def program(self, bot: str) -> VersionProgram:
        return a_program()

    def _failure(self, bot: str, version: str, why: str) -> None:
        self.failures.append((bot, version, why))

    def _match_played(self, bot: str, version: str) -> None:
        self.played.append((bot, version))


def played(ticket: MatchTicket, *, alter: bool = False) -> PlayedMatch:
    """Play the match of a ticket, as a worker would. `alter`: report another action than the one that was played."""
    codec = codec_for(ticket.setup.game)
    match = RandomMatch(ticket.setup, Random(1), codec=codec, trouble=0.0)
    records, result = match.play()
    collected = MatchRecords(codec)
    collected.set_up(match.set_up or ())
    for record in records:
        if isinstance(record, PlyRecord):
            wrong = alter and record.decision == 1 and record.seat == 0
            collected.ply(replace(record, action=record.action ^ 1) if wrong else record)
        else:
            assert isinstance(record, NoteRecord)
            collected.note(record)
    said = ((DebugLine(1, "so far"),), ())
    totals = TimeTotals()
    return PlayedMatch(result, tuple(collected.encoded()), said, None, totals, totals, (0, 1))


@dataclass
class RunOfTest:
    """A match at the worker that the test is."""

    ticket: MatchTicket
    how: NotBegun | None = None
    """Why it does not begin; None: it begins."""
    alter: bool = False
    garbled: bool = False
    """Whether what it reports is no result at all."""
    lost: bool = False
    """Whether the worker ends while it plays."""
    begun: bool = False
    refused: bool = False
    machine: str = ""
    closed: list[MatchRecord | None] = field(default_factory=list)

    async def ready(self) -> NotBegun | None:
        return self.how

    def begin(self) -> None:
        self.begun = True

    def withdraw(self, why: str) -> None:
        raise AssertionError(why)

    def void(self, cause: VoidCause) -> None:
        raise AssertionError(cause)

    async def played(self) -> PlayedMatch:
        assert self.begun
        if self.lost:
            raise MatchLostError(LOST)
        report = played(self.ticket, alter=self.alter)
        return replace(report, records=(b"\xff", *report.records)) if self.garbled else report

    def close(self, report: MatchRecord | None) -> None:
        self.closed.append(report)

    def refuse(self) -> None:
        self.refused = True

    def watch(self) -> SpectatorView:
        raise AssertionError

    async def debug_lines(self, seat: int) -> list[DebugLine] | None:
        return None


class WorkerOfTest:
    """A dispatcher of one worker."""

    plays_hosted = True

    def __init__(self, **how: object) -> None:
        """`how`: the fields of the matches that it is given."""
        self._how = how
        self.runs: list[RunOfTest] = []
        self.idle = 1

    def ready_for(self, matches: int) -> int:
        return min(self.idle, matches)

    def can_play(self, programs: Collection[VersionProgram]) -> bool:
        return True

    def room_for(self, needs: MatchNeeds, *, other_than: str | None = None) -> bool:
        return self.idle > 0

    def start(self, ticket: MatchTicket, *, other_than: str | None = None) -> RunOfTest:
        self.runs.append(RunOfTest(ticket, **self._how))  # type: ignore[arg-type]
        return self.runs[-1]

    def programs(self, bot: str) -> int:
        return 0


class DispatchingFixture:
    """Two hosted bots and a pending match of theirs. Must be made with the loop running."""

    def __init__(self, folder: Path, worker: WorkerOfTest) -> None:
        store = open_store(folder)
        self.db = StoreFixture(store)
        self.db.populate(*BOTS)
        self.match = self.db.pair(*BOTS)[0]
        self.database = Database(store)
        self.worker = worker
        self.host = HostOfWorkers()
        self.timers = FakeTimers()
        self.sessions = SessionRegistry(self.timers, lambda: None)
        self.logs = LogFiles(folder / "logs")
        recorder = ResultRecorder(
            self.database,
            self.logs,
            DebugLines(folder / "debug"),
            (KEY.public,),
            DiskSpace(lambda: 0, 0),
        )
        self.manager: MatchManager = a_match_manager(
            self.database, self.sessions, recorder, self.timers, self.host, dispatcher=worker
        )

    async def play(self) -> RunOfTest:
        """Have the match played until its result is stored; return what the worker has seen of it."""
        assert self.manager.seat(self.db.match(self.match), SECRET)
        assert self.manager.plays(self.match)
        assert self.host.dispatched("ann") == 1
        await self.manager.settled()
        assert not self.manager.plays(self.match)
        assert self.host.dispatched("ann") == 0
        return self.worker.runs[-1]


async def test_a_match_of_a_worker_is_signed_stored_and_sent(tmp_path: Path) -> None:
    fixture = DispatchingFixture(tmp_path, WorkerOfTest())
    run = await fixture.play()
    row = fixture.db.match(fixture.match)
    fixture.database.close()
    assert (row.state, run.closed) == (MatchState.FINISHED, [row])
    assert [seat.version for seat in row.seats] == ["1", "1"]
    verdict = verify(fixture.logs.read(fixture.match), keys=(KEY.public,), name=row.log)
    assert verdict.exit_code is VerificationExit.OK
    assert fixture.host.played == [("ann", "1"), ("bob", "1")]
    assert DebugLines(tmp_path / "debug").read(fixture.match, 0) == [DebugLine(1, "so far")]


async def test_what_a_worker_reports_against_the_rules_is_void_and_played_again(tmp_path: Path) -> None:
    """Row 45 of docs/bad_inputs.md."""
    fixture = DispatchingFixture(tmp_path, WorkerOfTest(alter=True))
    assert (await fixture.play()).refused
    row, again = fixture.db.match(1), fixture.db.match(3)
    fixture.database.close()
    assert (row.state, row.log, again.state) == (MatchState.ABORTED, "", MatchState.PENDING)
    assert again.replay_of == row.id
    assert row.seats[0].ending is not None
    assert ("fault", ArenaFault.WORKER.value) in row.seats[0].ending.evidence
    assert fixture.host.played == []
    assert fixture.host.failures == []


async def test_a_result_that_makes_no_log_is_void_and_named_as_the_workers(tmp_path: Path) -> None:
    fixture = DispatchingFixture(tmp_path, WorkerOfTest(garbled=True))
    assert (await fixture.play()).refused
    row = fixture.db.match(1)
    fixture.database.close()
    assert row.state is MatchState.ABORTED
    assert row.seats[0].ending is not None
    assert ("fault", ArenaFault.WORKER.value) in row.seats[0].ending.evidence


async def test_a_match_of_a_worker_that_is_lost_is_void_and_played_again(tmp_path: Path) -> None:
    fixture = DispatchingFixture(tmp_path, WorkerOfTest(lost=True))
    run = await fixture.play()
    row, again = fixture.db.match(1), fixture.db.match(3)
    fixture.database.close()
    assert (row.state, again.state, run.closed) == (MatchState.ABORTED, MatchState.PENDING, [row])
    assert row.void_reason == LOST.reason


async def test_a_bot_that_does_not_take_its_seat_at_a_worker_rests_and_its_match_waits(
    tmp_path: Path,
) -> None:
    fixture = DispatchingFixture(tmp_path, WorkerOfTest(how=NotBegun(absent=(1,))))
    run = await fixture.play()
    row = fixture.db.match(fixture.match)
    fixture.database.close()
    assert (row.state, run.begun, run.closed) == (MatchState.PENDING, False, [None])
    assert [seat.no_shows for seat in row.seats] == [0, 1]
    assert fixture.host.failures == [("bob", "1", NOT_READY)]
    assert [fixture.sessions.is_resting(bot) for bot in BOTS] == [False, True]


async def test_a_match_whose_programs_get_no_processor_at_workers_is_void_in_the_end(tmp_path: Path) -> None:
    fixture = DispatchingFixture(tmp_path, WorkerOfTest(how=NotBegun(starved=True)))
    states = []
    for _ in range(MOST_STARVED):
        await fixture.play()
        states.append(fixture.db.match(fixture.match).state)
    fixture.database.close()
    assert states == [*[MatchState.PENDING] * (MOST_STARVED - 1), MatchState.ABORTED]
    assert fixture.host.failures == []


async def test_a_match_that_a_worker_could_not_set_up_is_void(tmp_path: Path) -> None:
    fixture = DispatchingFixture(tmp_path, WorkerOfTest(how=NotBegun(cause=a_cause())))
    await fixture.play()
    row = fixture.db.match(fixture.match)
    fixture.database.close()
    assert (row.state, row.void_reason) == (MatchState.ABORTED, a_cause().reason)


async def test_no_match_begins_without_room_at_a_worker(tmp_path: Path) -> None:
    worker = WorkerOfTest()
    worker.idle = 0
    fixture = DispatchingFixture(tmp_path, worker)
    assert not fixture.manager.seat(fixture.db.match(fixture.match), SECRET)
    await asyncio.sleep(0)
    fixture.database.close()
    assert worker.runs == []
