"""Fakes of the sessions and of the host, and what schedules matches of bots that play as the test says."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from arena.codecs.codec import codec_for
from arena.core.endings.terminations import SeatEnding
from arena.core.match import MatchSetup
from arena.core.match_record import MatchRecord
from arena.core.pairing.formats.plan import History
from arena.core.pairing.round_robin import round_robin
from arena.core.pairing.start_order import PendingMatch
from arena.core.tournaments import TournamentFormat, TournamentState
from arena.hosting.host.host import Host
from arena.match_log.files import LogFiles
from arena.match_log.writer import MatchLogBuilder
from arena.scheduling.availability import Availability
from arena.scheduling.debug_lines import DebugLines
from arena.scheduling.disk_space import DiskSpace
from arena.scheduling.dispatch import Dispatcher
from arena.scheduling.ladders import LadderMatchmaking
from arena.scheduling.match_manager import MatchManager
from arena.scheduling.planning_round import PlanningRound
from arena.scheduling.recovery import Recovery
from arena.scheduling.result_recorder import ResultRecorder
from arena.scheduling.scheduler import MADE, NOTHING, FairRotation, Scheduler, Supplier, Turn
from arena.scheduling.snapshot import read_snapshot
from arena.scheduling.tournaments import TournamentMatchmaking
from arena.sessions.handshake import Identity
from arena.sessions.registry import Presence, SessionRegistry
from arena.store.database import Database
from arena.store.matches.open_matches import OpenMatch
from arena.store.store import Store
from arena.store.tournaments.tournaments import TournamentRow
from tests.unit.core.stalls_by_hand import idle_meter
from tests.unit.match_log.matches import KEY
from tests.unit.runner.fakes import FakeTimers
from tests.unit.store.store_fixture import LADDER, StoreFixture, a_tournament, open_store


class NoHostedBots(Host):
    """Every bot connects itself."""

    def __init__(self, slots: int = 0) -> None:
        unused: Any = None
        others = dict.fromkeys(("launch", "trial", "dismiss", "wall_us", "changed"), unused)
        super().__init__(unused, unused, FakeTimers(), slots=slots, **others)

    def is_held(self, bot: str) -> bool:
        return False


class FakeHost(NoHostedBots):
    """Hosted bots, each with an unused process that is there and takes one match, unless the test changes it."""

    def __init__(self, *hosted: str, slots: int = 99) -> None:
        super().__init__(slots)
        self.versions = dict.fromkeys(hosted, "1")
        """Chosen by the owners."""
        self.held: Mapping[str, str] = {}
        self.suspended: dict[str, str] = {}
        """Why a bot is suspended."""
        self.down: set[str] = set()
        """Bots that the arena cannot run, through no fault of theirs."""
        self.unused = dict.fromkeys(hosted, 1)
        """The number of a bot's process if that has played nothing; else 0."""
        self.unwilling: set[str] = set()
        """There, but their programs say in their hello that they play another game."""
        self.asked: list[PendingMatch] = []
        """For which matches processes were last to be started."""
        self.without_place_now: int | None = None
        self.seated: list[tuple[str, bool]] = []
        self.reloads = 0
        """How often it was told that other versions may play."""

    def reload(self) -> None:
        self.reloads += 1

    @property
    def hosted(self) -> frozenset[str]:
        return frozenset(filter(self.hosts, self.versions))

    def hosts(self, bot: str) -> bool:
        return bool(self.version(bot))

    def is_there(self, bot: str) -> bool:
        return self.hosts(bot) and bot not in self.suspended.keys() | self.down

    def why_suspended(self, bot: str) -> str:
        return self.suspended.get(bot, "")

    def version(self, bot: str) -> str:
        return self.held.get(bot) or self.versions.get(bot, "")

    def hold(self, versions: Mapping[str, str]) -> None:
        self.held = versions

    def is_held(self, bot: str) -> bool:
        return self.version(bot) != self.versions.get(bot, "")

    def why_away(self, bot: str) -> str:
        return "it is held"

    def capacity_for(self, bot: str, game: str, rules_version: int) -> int:
        return int(self.is_there(bot) and bot not in self.unwilling)

    def free(self, bot: str, game: str, rules_version: int) -> int:
        return int(self.is_there(bot) and not self.is_held(bot))

    def unused_process(self, bot: str) -> int:
        return self.unused.get(bot, 0) if self.is_there(bot) else 0

    def note_seated(self, identity: Identity, *, isolated: bool) -> None:
        self.seated.append((identity.bot, isolated))

    def prepare(self, waiting: Sequence[PendingMatch]) -> int | None:
        self.asked = list(waiting)
        return self.without_place_now


class FakeSessions:
    """Sessions and match manager in one: bots with the room that a test gives them, and the matches in play."""

    rests = ""
    running = running_here = 0

    def __init__(self, *bots: str) -> None:
        self.room = dict.fromkeys(bots, 1)
        """Matches at once by bot; absent bots are not in it, and those that play other games have none."""
        self.resting: set[str] = set()
        self.back_at: dict[str, int] = {}
        """When a present bot has last come back."""
        self.in_play: dict[int, tuple[str, ...]] = {}
        self.sessions = self

    def is_resting(self, bot: str) -> bool:
        return bot in self.resting

    def is_paused(self, bot: str) -> bool:
        return False

    def is_there(self, bot: str) -> bool:
        return bot in self.room

    def took_since(self, bot: str, game: str, rules_version: int, since: int) -> bool:
        return self.capacity_for(bot, game, rules_version) > 0 and self.back_at.get(bot, 0) <= since

    def presence(self, bot: str) -> Presence:
        return Presence(connections=int(bot in self.room), playing=self._playing(bot), capacity=1)

    def capacity_for(self, bot: str, game: str, rules_version: int) -> int:
        return self.room.get(bot, 0)

    def free(self, bot: str, game: str, rules_version: int) -> int:
        return max(0, self.room.get(bot, 0) - self._playing(bot))

    def plays(self, match: int) -> bool:
        return match in self.in_play

    def is_for_worker(self, match: OpenMatch) -> bool:
        return False

    def seat(self, match: MatchRecord, secret: object, versions: object) -> bool:
        self.in_play[match.id] = match.bots
        return True

    def _playing(self, bot: str) -> int:
        return sum(bot in bots for bots in self.in_play.values())


async def planning(
    database: Database, room: Availability, refreshed: Supplier | FairRotation
) -> PlanningRound:
    """Return a planning round for the matches that are open now; `refreshed` takes over what is stored now."""
    snapshot = await database.read(read_snapshot)
    refreshed.refresh(snapshot)
    return await PlanningRound.of(room, snapshot.matches)


def a_recorder(database: Database, folder: Path) -> ResultRecorder:
    """Return a recorder that keeps logs in the folder; the disk is never full."""
    logs, lines = LogFiles(folder / "logs"), DebugLines(folder / "debug")
    return ResultRecorder(database, logs, lines, (), DiskSpace(lambda: 0, 0))


def open_log(setup: MatchSetup) -> MatchLogBuilder:
    """Begin the log of a match."""
    return MatchLogBuilder(setup, codec_for(setup.game), software="test", key=KEY, start_time_ms=0)


def a_match_manager(
    database: Database,
    sessions: SessionRegistry,
    recorder: ResultRecorder,
    timers: FakeTimers,
    host: FakeHost,
    dispatcher: Dispatcher | None = None,
) -> MatchManager:
    """Return a match manager of these."""
    return MatchManager(
        *(database, sessions, recorder),
        open_log=open_log,
        timers=timers,
        changed=lambda: None,
        host=host,
        stalls=idle_meter(),
        dispatcher=dispatcher,
    )


def add_tournament(
    store: Store, name: str, *bots: str, rounds: int = 1, challenge: bool | None = None, **changed: Any
) -> None:
    """Store a running tournament of matches of two; `challenge`: whether it yields to rated play, if it is one.

    `changed`: further fields of the row.
    """
    plan = round_robin(bots, seats=2, rounds=rounds)
    row = replace(
        a_tournament(name, *bots),
        format=TournamentFormat.ROUND_ROBIN if challenge is None else TournamentFormat.CHALLENGE,
        rounds=rounds,
        pairings=len(plan),
        yields=bool(challenge),
        **changed,
    )
    store.write(lambda tx: tx.tournaments.add(row, plan))


class SchedulingFixture:
    """What schedules matches, on a real database; the sessions, the host and the clock are fakes."""

    name = LADDER
    """Of the ladder or tournament whose turns are run."""
    db: StoreFixture

    def __init__(self, folder: Path, *bots: str, host: FakeHost | None = None) -> None:
        """`bots`: entered into the ladder, and there with room for one match each."""
        self.db = self.populated(open_store(folder), bots)
        self.database = Database(self.db.store)
        self.recorder = a_recorder(self.database, folder)
        self.sessions, self.timers, self.host = FakeSessions(*bots), FakeTimers(), host or FakeHost()
        self.restart()

    def populated(self, store: Store, bots: tuple[str, ...]) -> StoreFixture:
        """Return the store with its ladder and these bots."""
        db = StoreFixture(store)
        db.populate(*bots)
        return db

    def restart(self) -> None:
        """Forget everything that is not stored."""
        self.room = Availability(self.sessions, self.sessions, self.host)  # type: ignore[arg-type]
        self.ladders = LadderMatchmaking(self.database, self.room)
        self.tournaments = TournamentMatchmaking(self.database, self.room)
        self.recovery = Recovery(self.database, self.recorder, self.sessions, self.timers, self.host)  # type: ignore[arg-type]

    @property
    def supplier(self) -> Supplier:
        """What makes the matches."""
        return self.ladders

    async def turn(self, name: str = "", *, first: bool = True, held: frozenset[str] = frozenset()) -> Turn:
        """Run one turn of the ladder or tournament if it is running, and store what it makes."""
        snapshot = await self.database.read(read_snapshot)
        now = await PlanningRound.of(self.room, snapshot.matches)
        if (name or self.name) not in self.supplier.refresh(snapshot):
            return NOTHING
        turn = await self.supplier.make(name or self.name, now, first=first, held=held)
        await now.store(self.database)
        return turn

    def make(self, name: str = "", *, first: bool = True, held: frozenset[str] = frozenset()) -> Turn:
        """Run one turn on an event loop of its own."""
        return asyncio.run(self.turn(name, first=first, held=held))

    def look(self) -> list[int]:
        """Run the scheduler once without planning; return the matches that have begun."""
        asyncio.run(Scheduler(self.database, self.room, self.recovery, ()).look())
        return list(self.sessions.in_play)

    def matches(self) -> list[MatchRecord]:
        """Return the matches that have not ended, by id."""
        return list(self.db.store.read(lambda tx: tx.matches.unfinished()))

    def find_ending(self, match: int, bot: str) -> SeatEnding | None:
        """Return how the seat of a bot has ended; None if it has not."""
        return next(seat.ending for seat in self.db.match(match).seats if seat.bot == bot)

    def ending(self, match: int, bot: str) -> SeatEnding:
        """Return how the seat of a bot has ended."""
        found = self.find_ending(match, bot)
        assert found is not None
        return found


class TournamentFixture(SchedulingFixture):
    """What schedules the matches of a tournament."""

    @property
    def supplier(self) -> Supplier:
        return self.tournaments

    def row(self) -> TournamentRow:
        """Return the tournament as it is stored."""
        return self.db.store.read(lambda tx: tx.tournaments.get(self.name))

    def history(self) -> History:
        """Return the complete rounds."""
        row = self.row()
        return self.db.store.read(lambda tx: tx.rounds.history(row))

    def finish(self, match: MatchRecord) -> None:
        """End a match."""
        raise NotImplementedError

    def play_to_the_end(self, *, restarts: bool = False) -> None:
        """Play all rounds. `restarts`: before each step everything is forgotten that is not stored."""
        while self.row().state is not TournamentState.FINISHED:
            if restarts:
                self.restart()
            if self.make() is not MADE:
                matches = self.matches()
                assert matches or self.row().state is TournamentState.FINISHED
                for match in matches[:1]:
                    self.finish(match)


Fixture = TypeVar("Fixture", bound=SchedulingFixture)


def opened(fixture: Fixture) -> Iterator[Fixture]:
    """Yield the fixture, then close it."""
    yield fixture
    fixture.database.close()


async def take_one(turns: FairRotation, database: Database, room: Availability) -> bool:
    """Whoever is first and can has made a match group, and it is stored."""
    now = await planning(database, room, turns)
    taken = await turns.take(now)
    await now.store(database)
    return taken
