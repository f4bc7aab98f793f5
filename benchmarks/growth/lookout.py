"""What the scheduler's looks cost with so many bots connected: the real one, with bots and desk that do nothing."""

import asyncio
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from arena.core.match import MatchResult, MatchState
from arena.core.match_record import MatchRecord
from arena.hosting.host.host import Host
from arena.runner.change_signal import ChangeSignal
from arena.runner.timers import LoopTimers
from arena.scheduling.availability import Availability
from arena.scheduling.ladders import LadderMatchmaking
from arena.scheduling.recovery import Recovery
from arena.scheduling.scheduler import Scheduler
from arena.sessions.handshake import Identity
from arena.sessions.registry import SessionRegistry
from arena.store.database import Database
from arena.store.matches.groups import GroupSecret
from arena.store.matches.open_matches import OpenMatch
from arena.store.store import Store
from benchmarks.growth.history import GAME, LADDER, OWNER, VERSION, bot_names

_BEAT_S: Final = 0.001
_LOOKS: Final = 20
_MS: Final = 1e3


@dataclass(frozen=True, slots=True)
class LookCosts:
    """Milliseconds."""

    for_each_group: float
    """Processor time of the whole process for a match group, when everybody is free at once: choosing, storing,
    seating."""
    with_nobody_free: float
    """Processor time of a look at which everybody plays."""
    longest_wait: float
    """The longest that the event loop worked before it had a turn for others: processor time of its thread."""


class _Connection:
    """A bot that is there and says nothing."""

    round_trip: Any = None
    silent = False

    def push(self, message: object) -> None:
        """Drop the message."""

    def end(self, ending: object) -> None:
        """Do nothing."""


@dataclass
class _EndlessMatches:
    """Takes every match, and never ends one."""

    sessions: SessionRegistry
    change_signal: ChangeSignal = field(default_factory=ChangeSignal)
    rests: str = ""
    playing: set[int] = field(default_factory=set)

    @property
    def running(self) -> int:
        """None that would keep another from beginning."""
        return 0

    running_here = running

    def is_for_worker(self, _match: OpenMatch) -> bool:
        """Return False: there are no workers."""
        return False

    def plays(self, match: int) -> bool:
        """Return whether it was seated."""
        return match in self.playing

    def seat(self, match: MatchRecord, _secret: GroupSecret, _versions: object = None) -> bool:
        """Count a seat more for its bots."""
        for holder in match.seats:
            self.sessions.seat_for(holder.bot, match.terms.game, match.terms.rules_version)
        self.playing.add(match.id)
        return True


class _Settlement:
    """Nothing is ever settled."""

    async def cancel(self, match: int, result: MatchResult) -> None:
        """Do nothing: no bot leaves."""
        raise AssertionError(f"match {match} is not to end in {MatchState(result.state)}")


async def _beat(gaps: list[float]) -> None:
    """Note how long the loop works from beat to beat, in its thread's processor time: a busy machine does not count."""
    while True:
        before = time.thread_time()
        await asyncio.sleep(_BEAT_S)
        gaps.append(time.thread_time() - before)


def look_costs(file: Path, bots: int) -> LookCosts:
    """Of the ladder in this database, all its bots connected with room for one match; its matches are made."""
    store = Store(f"sqlite:///{file}")
    store.write(lambda tx: tx.ladders.run(LADDER, None))
    try:
        return asyncio.run(_look_costs(store, bots))
    finally:
        store.close()


async def _look_costs(store: Store, bots: int) -> LookCosts:
    timers = LoopTimers(asyncio.get_running_loop())
    sessions = SessionRegistry(timers, lambda: None)
    for bot in bot_names(bots):
        sessions.open(Identity(bot, VERSION, OWNER, ""), {GAME: frozenset()}).link = _Connection()
    database = Database(store)
    match_manager: Any = _EndlessMatches(sessions)
    recorder: Any = _Settlement()
    unused: Any = None
    host = Host(
        database,
        sessions,
        timers,
        launch=unused,
        trial=unused,
        dismiss=unused,
        slots=0,
        wall_us=unused,
        changed=unused,
    )
    room = Availability(sessions, match_manager, host)
    recovery = Recovery(database, recorder, sessions, timers, host)
    scheduler = Scheduler(database, room, recovery, (LadderMatchmaking(database, room),))
    gaps: list[float] = []
    beat = asyncio.create_task(_beat(gaps))
    worked = time.process_time()
    while await scheduler.look():
        pass
    groups = len(match_manager.playing)  # each has two matches between the same bots, one of which has begun
    making = (time.process_time() - worked) * _MS / groups
    worked = time.process_time()
    for _ in range(_LOOKS):
        await scheduler.look()
    looking = (time.process_time() - worked) * _MS / _LOOKS
    beat.cancel()
    return LookCosts(making, looking, max(gaps) * _MS)
