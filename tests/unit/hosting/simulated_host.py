"""A ladder with more hosted bots than places, played by the clock of a simulation: no process, no disk, no waiting.

What decides is real: the scheduler, matchmaking, the order in which matches begin, and the plan of the places. What is
made up is what matches and programs do, which is to take their time.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial
from heapq import heappop, heappush
from itertools import combinations, count
from random import Random
from types import SimpleNamespace
from typing import Any, TypeVar

from arena.core.match import MatchState
from arena.core.pairing.start_order import PendingMatch
from arena.hosting.host.slots import Occupant, plan_slots
from arena.scheduling.availability import Availability
from arena.scheduling.ladders import LadderMatchmaking
from arena.scheduling.scheduler import Scheduler
from arena.store.ladders.entries import Contender
from arena.store.ladders.ladders import LadderRow, LadderState, SecretRow
from arena.store.matches.groups import GroupSecret, NewGroup
from arena.store.matches.matches import PlannedMatch
from arena.store.matches.open_matches import OpenMatch
from tests.unit.scheduling.fakes import NoHostedBots
from tests.unit.store.store_fixture import LADDER, a_ladder

T = TypeVar("T")

SECRET = bytes(range(32))
START_S = 0.3
"""From the start of a program to its hello."""
LEAVE_S = 0.1
"""From the request to leave until nothing of a program is left."""


@dataclass
class LadderRecords:
    """What would be stored of the ladder: database and transaction in one."""

    ladder: LadderRow
    contenders: dict[str, Contender]
    made: list[tuple[str, ...]] = field(default_factory=list)
    """The bots of each group."""
    open: dict[int, OpenMatch] = field(default_factory=dict)
    _ids: Any = field(default_factory=lambda: count(1))

    async def read(self, question: Callable[[Any], T]) -> T:
        """See arena.store.database.Database."""
        return question(self._transaction)

    write = read

    @property
    def _transaction(self) -> SimpleNamespace:
        secret = SecretRow("", SECRET, SECRET, None)
        return SimpleNamespace(
            ladders=SimpleNamespace(
                get=lambda _: self.ladder,
                find=lambda _: self.ladder,
                running=lambda: (self.ladder,),
                find_secret=lambda *_: secret,
            ),
            entries=SimpleNamespace(active=lambda _: tuple(self.contenders.values())),
            groups=SimpleNamespace(
                create=self._create,
                recent=lambda _, limit: [SimpleNamespace(bots=bots) for bots in reversed(self.made[-limit:])],
                secrets_of=lambda groups: dict.fromkeys(groups, GroupSecret(SECRET, SECRET)),
            ),
            open_matches=SimpleNamespace(
                all=lambda: tuple(self.open.values()),
                versions_played=lambda _: {},
                begun=lambda _: frozenset[int](),
            ),
            matches=SimpleNamespace(several=lambda ids: list(map(self._to_begin, ids))),
            tournaments=SimpleNamespace(running=lambda: ()),
            bots=SimpleNamespace(newest_versions=lambda *_: {}),
            tallies=SimpleNamespace(finished_since=lambda *_: {}),
            submissions=SimpleNamespace(unfinished=lambda: ()),
            users=SimpleNamespace(idle_bots=dict),
        )

    def _create(
        self, new: NewGroup, plan: Callable[[int], tuple[PlannedMatch, ...]], _now_us: int
    ) -> tuple[int, tuple[int, ...]]:
        self.made.append(new.bots)
        number = len(self.made)
        self.ladder = replace(self.ladder, groups_created=number)
        for bot in new.bots:
            self.contenders[bot] = replace(self.contenders[bot], last_group_number=number)
        planned = plan(number)
        ids = tuple(next(self._ids) for _ in planned)
        for match, each in zip(ids, planned, strict=True):
            self.open[match] = OpenMatch(
                *(match, number, LADDER, None, self.ladder.game, 1, MatchState.PENDING, each.bots),
                new.seed_policy,
            )
        return number, ids

    def _to_begin(self, match: int) -> SimpleNamespace:
        """Return the match as one that is to begin."""
        found = self.open[match]
        seats = [SimpleNamespace(bot=bot, ending=None) for bot in found.bots]
        return SimpleNamespace(id=match, group=found.group, bots=found.bots, state=found.state, seats=seats)


@dataclass
class SimulatedProcess:
    """A program of a bot that has a place."""

    bot: str
    present: bool = False
    playing: int = 0
    idle_since: int = 0
    going: bool = False


class SimulatedHost(NoHostedBots):
    """The hosted bots, their programs and the matches in play: host, sessions and match manager in one."""

    hosted: Set[str] = frozenset()

    def __init__(self, bots: int, places: int, *, seats: int = 2, capacity: int = 4) -> None:
        """`capacity`: matches that a program takes at once."""
        names = [f"bot{place:02}" for place in range(bots)]
        entered = replace(a_ladder(), state=LadderState.RUNNING, seat_counts=(seats,), options={seats: {}})
        contenders = [
            Contender(bot, bot, 1_400_000 + 20_000 * place, 10**9 * (1 + place % 3), 0)
            for place, bot in enumerate(names)
        ]
        self.records = LadderRecords(entered, {each.bot: each for each in contenders})
        super().__init__(places)
        self.hosted = frozenset(names)
        self.capacity = capacity
        self.now = 0.0
        self.starts = 0
        self.rests = ""
        self.running_here = 0
        self.stalls = 0
        self._random = Random(0)
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self._simulated: dict[int, SimulatedProcess] = {}
        self._numbers = count(1)
        self._playing: dict[int, tuple[str, ...]] = {}
        sessions: Any = SimpleNamespace(free=self._free_now, is_resting=lambda _bot: False)
        self.room = Availability(sessions, self, self)  # type: ignore[arg-type]
        records: Any = self.records
        self.ladders = LadderMatchmaking(records, self.room)
        self._scheduler = Scheduler(records, self.room, self, (self.ladders,))  # type: ignore[arg-type]

    def play(self, groups: int) -> None:
        """So many groups are made."""
        asyncio.run(self._play(groups))

    async def _play(self, groups: int) -> None:
        while len(self.records.made) < groups:
            while await self._scheduler.look():
                pass
            self.now, _, happens = heappop(self._events)
            happens()

    def _later(self, seconds: float, happens: Callable[[], None]) -> None:
        heappush(self._events, (self.now + seconds, next(self._order), happens))

    def serving(self, bot: str) -> SimulatedProcess | None:
        """Return the process that plays the bot's next matches, if one runs or is starting."""
        return next((each for each in self._simulated.values() if each.bot == bot and not each.going), None)

    # The host

    def hosts(self, bot: str) -> bool:
        return bot in self.hosted

    def is_there(self, bot: str) -> bool:
        return True

    def is_for_worker(self, match: OpenMatch) -> bool:
        return False

    def capacity_for(self, bot: str, game: str, rules_version: int) -> int:
        return self.capacity

    def prepare(self, waiting: Sequence[PendingMatch]) -> int | None:
        occupants = [
            Occupant(number, each.bot, bool(each.playing), each.idle_since, each.going)
            for number, each in self._simulated.items()
        ]
        plan = plan_slots(self.slots, occupants, waiting)
        for number in plan.stop:
            self._simulated[number].going = True
            self._later(LEAVE_S, partial(self._simulated.__delitem__, number))
        for bot in plan.start:
            self._begin(bot)
        return plan.waits

    def _begin(self, bot: str) -> None:
        self.starts += 1
        program = self._simulated[next(self._numbers)] = SimulatedProcess(bot)
        self._later(START_S, partial(setattr, program, "present", True))

    def free(self, bot: str, game: str, rules_version: int) -> int:
        program = self.serving(bot)
        return self.capacity - (program.playing if program is not None else 0)

    def _free_now(self, bot: str, _game: str, _rules_version: int) -> int:
        """Return how many more matches the bot's process begins now."""
        program = self.serving(bot)
        return self.capacity - program.playing if program is not None and program.present else 0

    # The match manager

    @property
    def running(self) -> int:
        return len(self._playing)

    @property
    def change_signal(self) -> Any:
        return self

    def plays(self, match: int) -> bool:
        return match in self._playing

    def seat(self, match: Any, secret: object, versions: object) -> bool:
        programs = [self.serving(bot) for bot in match.bots]
        if not all(each is not None and each.present and each.playing < self.capacity for each in programs):
            return False
        for each in programs:
            assert each is not None
            each.playing += 1
        self._playing[match.id] = match.bots
        self._later(self._random.expovariate(1.0), lambda: self._end(match.id))
        return True

    def _end(self, match: int) -> None:
        del self.records.open[match]
        for bot in self._playing.pop(match):
            program = self.serving(bot)
            assert program is not None
            program.playing -= 1
            program.idle_since = next(self._order)

    # The recovery

    async def settle_deserted(self, plays: object) -> bool:
        return False

    async def settle_refused(self, matches: object, plays: object) -> bool:
        return False

    # What tests look at

    @property
    def shares(self) -> Counter[str]:
        """How many of the groups made each bot is in."""
        return Counter(bot for bots in self.records.made for bot in bots)

    @property
    def pairs(self) -> Counter[tuple[str, ...]]:
        """How often each two bots are in a group together."""
        return Counter(pair for bots in self.records.made for pair in combinations(sorted(bots), 2))
