"""What becomes of a match between its seats being ready and play, on a real database that the test holds up."""

import asyncio
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from arena.core.match import MatchSetup, MatchState, SeedPolicy, SuitePlace
from arena.core.suites import parse_suite
from arena.match_log.writer import MatchLogBuilder
from arena.scheduling.match_failure import MOST_STARVED, REST_NS, VOIDS_ALLOWED, CircuitBreaker
from arena.sessions import outgoing
from arena.sessions.handshake import Identity, Preferences
from arena.sessions.registry import SessionRegistry
from arena.store.audit.entries import AuditFilter, AuditKind
from arena.store.audit.writer import AuditSink, tell_nobody
from arena.store.database import Database
from arena.store.matches.groups import GroupSecret
from tests.unit.core.causes import a_cause
from tests.unit.runner.fakes import FakeTimers
from tests.unit.scheduling.fakes import FakeHost, a_match_manager, a_recorder
from tests.unit.sessions.test_sessions import FakeLink
from tests.unit.store.audit_recorder import AuditRecorder
from tests.unit.store.store_fixture import StoreFixture, a_result, open_store

BOTS = ("ann", "bob")
SECRET = GroupSecret(bytes(32), bytes(32))


class ManagedMatch:
    """Two connected bots, and a pending match of theirs. Must be made with the loop running."""

    def __init__(self, folder: Path, host: FakeHost | None = None) -> None:
        """`host`: where the bots are hosted; None: they dial in."""
        store = open_store(folder)
        self.db = StoreFixture(store)
        self.db.populate(*BOTS)
        self.match = self.db.pair(*BOTS)[0]
        self.database = Database(store)
        timers = FakeTimers()
        self.sessions = SessionRegistry(timers, lambda: None)
        self.host = host
        self.links = [self._come(bot) for bot in BOTS]
        recorder = a_recorder(self.database, folder)
        self.match_manager = a_match_manager(
            self.database, self.sessions, recorder, timers, host or FakeHost()
        )

    def _come(self, bot: str) -> FakeLink:
        program = 0 if self.host is None else self.host.unused[bot]
        session, link = (
            self.sessions.open(Identity(bot, "1", "ada", "token", program), {"caravan": frozenset({1})}),
            FakeLink(),
        )
        session.connect(link, Preferences())
        return link

    def break_log(self) -> None:
        """From now on no log of a match can be begun."""

        def broken(setup: MatchSetup) -> MatchLogBuilder:
            raise RuntimeError("no log today")

        self.match_manager._open_log = broken

    def offer(self, match: int, secret: GroupSecret = SECRET) -> bool:
        """Offer the match to its bots, if they have room."""
        return self.match_manager.seat(self.db.match(match), secret)

    def seat(self, secret: GroupSecret = SECRET) -> None:
        """Offer the match, and answer ready for both bots."""
        assert self.offer(self.match, secret)
        for session in self.sessions:
            for seat in list(session.seats.values()):
                seat.match.ready(seat.seat)

    async def hold_up(self) -> threading.Event:
        """Whatever is stored from now on waits until the event is set."""
        loop, held, release = asyncio.get_running_loop(), asyncio.Event(), threading.Event()

        def wait(_: object) -> None:
            loop.call_soon_threadsafe(held.set)
            release.wait()

        self.waits = asyncio.create_task(self.database.write(wait))
        await held.wait()
        return release


async def test_a_match_withdrawn_while_it_was_stored_is_void_and_replayed(tmp_path: Path) -> None:
    """Its seats were told that it does not begin, so it must not stay RUNNING for ever."""
    managed = ManagedMatch(tmp_path)
    release = await managed.hold_up()
    managed.seat()
    managed.match_manager.void_all(a_cause("the arena shuts down"))
    assert not managed.match_manager.plays(managed.match)
    release.set()
    await managed.match_manager.settled()
    void, other, replay = (managed.db.match(number) for number in (1, 2, 3))
    managed.database.close()
    assert (void.state, "the arena shuts down" in void.void_reason) == (MatchState.ABORTED, True)
    assert (replay.state, replay.slot, replay.voids) == (MatchState.PENDING, void.slot, 1)
    assert other.state is MatchState.PENDING
    for link in managed.links:
        assert [type(message) for message in link.pushed] == [outgoing.Offered, outgoing.Withdrawn]


async def test_a_match_on_a_suite_names_its_entry_and_has_a_fixed_seed(tmp_path: Path) -> None:
    suite = parse_suite("mine", f"game caravan\nseats 2\nopen {'5e' * 32}\nshut {'0f' * 32}\n")
    managed, setups, begun = ManagedMatch(tmp_path), list[MatchSetup](), asyncio.Event()
    open_log = managed.match_manager._open_log

    def noted(setup: MatchSetup) -> MatchLogBuilder:
        setups.append(setup)
        begun.set()
        return open_log(setup)

    managed.match_manager._open_log = noted
    managed.seat(replace(SECRET, suite=suite, pairing=2))
    await begun.wait()
    managed.match_manager.void_all(a_cause("the arena shuts down"))
    await managed.match_manager.settled()
    managed.database.close()
    [setup] = setups
    assert setup.suite == SuitePlace("mine", suite.sha256, "open"), (
        "place 0 of pairing 2, each with its own entry"
    )
    assert (setup.seed, setup.seed_policy, setup.secret_commitment) == (b"\x5e" * 32, SeedPolicy.FIXED, b"")


async def test_row_46_an_arena_that_can_set_up_no_match_rests(tmp_path: Path) -> None:
    """Each is void at once, and so would be whatever is played instead: without a rest that would never end."""
    managed = ManagedMatch(tmp_path)
    managed.break_log()
    numbers = [managed.match, *(each for _ in range(5) for each in managed.db.pair(*BOTS))]
    rests = []
    for number in numbers:
        rests.append(managed.match_manager.rests)
        assert not managed.offer(number)
    rests.append(managed.match_manager.rests)
    await managed.match_manager.settled()
    states = {managed.db.match(number).state for number in numbers}
    managed.database.close()
    assert len(rests) == VOIDS_ALLOWED + 2
    assert "match after match" in rests[-1]
    assert not any(rests[:-1])
    assert states == {MatchState.ABORTED}


async def test_row_46_unstorable_results_make_the_arena_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That a match was played to its end is no sign that all is well."""
    managed = ManagedMatch(tmp_path)

    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("no result today")

    monkeypatch.setattr(managed.match_manager._recorder, "settle", broken)
    for number in [managed.match, *(each for _ in range(5) for each in managed.db.pair(*BOTS))]:
        assert not managed.match_manager.rests
        managed.match = number
        managed.seat()
        runner = managed.match_manager._running[number].runner
        await managed.match_manager.settled()
        assert runner.started
        managed.match_manager.over(runner, a_result(1, 2))
        await managed.match_manager.settled()
    managed.database.close()
    assert "match after match" in managed.match_manager.rests


@pytest.mark.parametrize("policy", [SeedPolicy.SHARED, SeedPolicy.DERIVED])
async def test_an_isolated_match_needs_unused_processes(tmp_path: Path, policy: SeedPolicy) -> None:
    """Whatever matchmaking has thought a moment ago."""
    for name in ("guests", "hosted"):
        (tmp_path / name).mkdir()
    alone = policy is SeedPolicy.SHARED
    guests = ManagedMatch(tmp_path / "guests")
    assert guests.offer(guests.db.pair(*BOTS, policy=policy)[0]) is not alone
    hosted = ManagedMatch(tmp_path / "hosted", host := FakeHost(*BOTS))
    host.unused["bob"] = 7  # another program than the one that is connected
    number = hosted.db.pair(*BOTS, policy=policy)[0]
    if alone:
        assert not hosted.offer(number)
        assert not any(session.seats for session in hosted.sessions)
        assert host.seated == []
        host.unused["bob"] = 1
    assert hosted.offer(number)
    assert host.seated == [("ann", alone), ("bob", alone)]
    for managed in (guests, hosted):
        managed.match_manager.void_all(a_cause("the test ends"))
        await managed.match_manager.settled()
        managed.database.close()


async def test_a_match_that_is_starved_repeatedly_is_void(tmp_path: Path) -> None:
    """No bot is blamed, so no count of a bot's would end it."""
    managed = ManagedMatch(tmp_path)
    states = []
    for _ in range(MOST_STARVED):
        assert managed.offer(managed.match)
        managed.match_manager._running[managed.match].runner._withdraw(
            (), "a program got no processor to take its seat", starved=True
        )
        await managed.match_manager.settled()
        states.append(managed.db.match(managed.match).state)
    [entry] = managed.db.store.read(lambda tx: tx.audit.page(AuditFilter(), before=None, limit=10))
    managed.database.close()
    assert states == [*[MatchState.PENDING] * (MOST_STARVED - 1), MatchState.ABORTED]
    assert entry.kind is AuditKind.MATCH_VOID
    assert "the machine is overloaded" in entry.sentence


def breaker_after(voids: int, audit: AuditSink = tell_nobody) -> CircuitBreaker:
    """Return a circuit breaker that has seen so many void matches."""
    breaker = CircuitBreaker(audit)
    for _ in range(voids):
        breaker.note(MatchState.ABORTED, 0)
    return breaker


def test_a_few_void_matches_are_allowed_and_each_one_more_makes_it_rest() -> None:
    assert not breaker_after(VOIDS_ALLOWED).rests(0)
    breaker = breaker_after(VOIDS_ALLOWED + 1)
    assert (breaker.rests(REST_NS - 1), breaker.rests(REST_NS)) == (True, False)
    breaker.note(MatchState.ABORTED, REST_NS)
    assert breaker.rests(REST_NS + 1)


def test_a_finished_match_in_between_starts_the_count_anew() -> None:
    breaker = breaker_after(VOIDS_ALLOWED)
    breaker.note(MatchState.FINISHED, 0)
    for _ in range(VOIDS_ALLOWED):
        breaker.note(MatchState.ABORTED, 0)
    assert not breaker.rests(0)


def test_each_rest_is_in_the_audit_trail() -> None:
    recorder = AuditRecorder()
    breaker_after(VOIDS_ALLOWED + 1, recorder)
    [told] = recorder.told
    assert (told.kind, told.facts) == (AuditKind.REST, {"voids": str(VOIDS_ALLOWED + 1)})
