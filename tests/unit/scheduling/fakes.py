"""Fakes of the sessions and of the host, and turns of the scheduler as tests take them."""

from typing import Any

from arena.core.match_record import MatchRecord
from arena.hosting.host.host import Host
from arena.scheduling.availability import Availability
from arena.scheduling.planning_round import PlanningRound
from arena.scheduling.scheduler import FairRotation, Supplier, Turn
from arena.sessions.registry import Presence
from arena.store.database import Database
from tests.unit.runner.fakes import FakeTimers


class NoHostedBots(Host):
    """Every bot connects itself."""

    def __init__(self, slots: int = 0) -> None:
        unused: Any = None
        others = dict.fromkeys(("launch", "trial", "dismiss", "wall_us", "changed"), unused)
        super().__init__(unused, unused, FakeTimers(), slots=slots, **others)

    def is_held(self, bot: str) -> bool:
        return False


class FakeSessions:
    """Sessions and match manager in one: bots with the room that a test gives them, and the matches in play."""

    rests = ""
    running = 0

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

    def seat(self, match: MatchRecord, secret: object, versions: object) -> bool:
        self.in_play[match.id] = match.bots
        return True

    def _playing(self, bot: str) -> int:
        return sum(bot in bots for bots in self.in_play.values())


async def planning(database: Database, room: Availability) -> PlanningRound:
    """Return a planning round for the matches that are open now."""
    return await PlanningRound.of(room, await database.read(lambda tx: tx.open_matches.all()))


async def one_turn(
    supplier: Supplier,
    name: str,
    database: Database,
    room: Availability,
    *,
    first: bool,
    held: frozenset[str],
) -> Turn:
    """One of the supplier's has its turn, and what it makes is stored."""
    now = await planning(database, room)
    turn = await supplier.make(name, now, first=first, held=held)
    await now.store(database)
    return turn


async def take_one(turns: FairRotation, database: Database, room: Availability) -> bool:
    """Whoever is first and can has made a match group, and it is stored."""
    now = await planning(database, room)
    taken = await turns.take(now)
    await now.store(database)
    return taken
