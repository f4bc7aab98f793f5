"""A ladder of honest bots and bots that take matches only as they like, on a clock that the test moves."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Final

from arena.core.match import MatchState
from arena.core.match_record import MatchRecord
from arena.scheduling.availability import Availability
from arena.scheduling.ladders import LadderMatchmaking
from arena.scheduling.recovery import Recovery
from arena.scheduling.scheduler import Scheduler
from arena.scheduling.tournaments import TournamentMatchmaking
from arena.sessions import outgoing
from arena.sessions.decision_window import Asked, AskedSeat
from arena.sessions.handshake import Capacity, Identity, Preferences
from arena.sessions.registry import SessionRegistry
from arena.sessions.seat import AssignedSeat
from arena.sessions.session import Session
from arena.store.database import Database
from arena.store.store import Store
from tests.unit.runner.fakes import FakeTimers
from tests.unit.scheduling.fakes import FakeHost, a_match_manager, a_recorder
from tests.unit.sessions.test_sessions import FakeLink
from tests.unit.store.store_fixture import LADDER, StoreFixture, open_store

HONEST: Final = ("ann", "bob")
OTHERS: Final = ("mal", "eve")

STEP_S: Final = 5
GAMES: Final = {"caravan": frozenset({1})}


class Behaviour(Enum):
    """What a bot may do at any moment, and then goes on doing."""

    PLAY = "takes every match"
    FIRST_ALONE = "takes a match of a group unless it has played another one of it"
    REFUSE = "takes no match that it is offered"
    VANISH = "has no connection"
    HELLO = "says hello again"
    CLAIM = "says hello again and claims its seats"
    NO_CAPACITY = "asks for no match"
    MORE_CAPACITY = "asks for three matches at a time"


@dataclass
class Bot:
    """One bot: its connection, and what it does with what it is offered."""

    name: str
    sessions: SessionRegistry
    session: Session | None = None
    link: FakeLink = field(default_factory=FakeLink)
    taking: Behaviour = Behaviour.PLAY
    groups: set[int] = field(default_factory=set)
    """Those of which it has taken a match."""
    asked: list[AskedSeat] = field(default_factory=list)
    ended: int = 0
    """Matches that it was told the end of."""

    def come(self, *, claim: bool = False) -> None:
        """Open a new session."""
        self.go()
        identity = Identity(self.name, "1", f"owner-of-{self.name}", "token")
        self.session, self.link = self.sessions.open(identity, GAMES), FakeLink()
        self.session.connect(self.link, Preferences())
        if claim:
            self.sessions.claim(self.session)

    def go(self) -> None:
        """Its connection is gone."""
        if self.session is not None and self.session.present:
            self.session.disconnect(self.link)
            self.sessions.lost(self.session)

    def act(self, act: Behaviour) -> None:
        """Behave like this from now on."""
        if act in (Behaviour.PLAY, Behaviour.FIRST_ALONE, Behaviour.REFUSE):
            self.taking = act
        elif act is Behaviour.VANISH:
            self.go()
        elif act in (Behaviour.HELLO, Behaviour.CLAIM):
            self.come(claim=act is Behaviour.CLAIM)
        elif self.session is not None and self.session.present:
            matches = 0 if act is Behaviour.NO_CAPACITY else 3
            self.session.set_capacity(Capacity(matches, matches or 1))

    def hear(self) -> bool:
        """Handle all messages, offers among them; return whether there were any."""
        heard, self.link.pushed = self.link.pushed, []
        for message in heard:
            if isinstance(message, outgoing.Offered):
                self._offered(message)
            elif isinstance(message, Asked):
                self.asked.append(message.seat)
            elif isinstance(message, outgoing.Ended):
                self.ended += 1
        return bool(heard)

    def _offered(self, offer: outgoing.Offered) -> None:
        seat = None if self.session is None else self.session.seats.get(offer.assignment)
        group = offer.setup.group
        refuses = self.taking is Behaviour.REFUSE or (
            self.taking is Behaviour.FIRST_ALONE and group in self.groups
        )
        if seat is not None and not refuses:
            self.groups.add(group)
            seat.match.ready(seat.seat)

    def resign(self, now: int) -> None:
        """Whatever it was asked, it gives up."""
        asked, self.asked = self.asked, []
        for seat in asked:
            assert isinstance(seat, AssignedSeat)
            seat.match.resigned(seat.seat, now)


class LadderFixture:
    """Everything that runs the ladder. Must be made with the loop running, and closed."""

    def __init__(self, folder: Path, database: Path) -> None:
        """`database`: migrated."""
        store = Store(f"sqlite:///{database}")
        self.db = StoreFixture(store)
        self.db.populate(*HONEST, *OTHERS)
        store.write(lambda tx: tx.ladders.run(LADDER, None))
        self.database, self.timers = Database(store), FakeTimers()
        self.sessions = SessionRegistry(self.timers, lambda: None)
        recorder = a_recorder(self.database, folder)
        host = FakeHost()
        self.match_manager = a_match_manager(self.database, self.sessions, recorder, self.timers, host)
        room = Availability(self.sessions, self.match_manager, host)
        self.tournaments = TournamentMatchmaking(self.database, room)
        recovery = Recovery(self.database, recorder, self.sessions, self.timers, host)
        self.scheduler = Scheduler(
            self.database, room, recovery, (LadderMatchmaking(self.database, room), self.tournaments)
        )
        self.bots = {name: Bot(name, self.sessions) for name in (*HONEST, *OTHERS)}
        self.idle_s = dict.fromkeys(HONEST, 0)
        """By honest bot: since when it has not ended a match."""
        self.longest_idle_s = 0
        for bot in self.bots.values():
            bot.come()

    async def step(self, seconds: int = STEP_S) -> None:
        """Time passes, whoever was asked resigns, and the arena and the bots react until nothing is left to do."""
        self.timers.move(seconds * 1_000)
        before = {name: self.bots[name].ended for name in HONEST}
        for bot in self.bots.values():
            bot.resign(self.timers.now())
        busy = True
        while busy:
            await self.match_manager.settled()
            made = await self.scheduler.look()
            await self.match_manager.settled()
            heard = [bot.hear() for bot in self.bots.values()]
            busy = any(heard) or made
        for name, ended in before.items():
            self.idle_s[name] = 0 if self.bots[name].ended > ended else self.idle_s[name] + seconds
        self.longest_idle_s = max(self.longest_idle_s, *self.idle_s.values())

    def no_more_groups(self) -> None:
        """Pause the ladder: open groups are played to their end."""
        self.db.store.write(lambda tx: tx.ladders.pause(LADDER))

    def begun_groups(self) -> dict[int, tuple[MatchRecord, ...]]:
        """Return the matches of each group of which one has begun."""
        groups = self.db.store.read(
            lambda tx: [tx.matches.of_group(group.id) for group in tx.groups.recent(LADDER, 10_000)]
        )
        return {matches[0].group: matches for matches in groups if any(each.started_us for each in matches)}

    def not_rated(self) -> list[int]:
        """Return the groups that have begun and are not complete, or of which a match was given up that never began.

        One that began, and that nobody was left to play to its end, may be without a result.
        """
        return [
            group
            for group, matches in self.begun_groups().items()
            if not matches[0].group_complete
            or any(match.state is not MatchState.FINISHED and match.started_us is None for match in matches)
        ]

    async def close(self) -> None:
        """Nothing of it is left."""
        await self.match_manager.settled()
        self.database.close()


@asynccontextmanager
async def a_ladder(folder: Path) -> AsyncIterator[LadderFixture]:
    """Yield a ladder on a new database in the folder."""
    open_store(folder).close()
    ladder = LadderFixture(folder, folder / "arena.db")
    try:
        yield ladder
    finally:
        await ladder.close()
