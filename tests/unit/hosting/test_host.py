"""What the host does with programs: when they are started and stopped, and what their ends mean for matches."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.core.endings.terminations import Termination
from arena.core.errors import ErrorReason, UnavailableError
from arena.core.match import DebugLine, LineSource
from arena.hosting.host import process as programs
from arena.hosting.host.host import IDLE_NS, LOST_NS, RENEW_NS
from arena.hosting.host.program_outcomes import REST_NS
from arena.runner.match_runner import NoShow
from arena.sandbox.exit_status import ExitReason
from arena.sandbox.output import Stream
from arena.sandbox.process_spec import MIB
from arena.sandbox.runtimes import BUILT_IN
from arena.sessions.handshake import Capacity, Identity, Preferences
from arena.store.accounts.tokens import Role
from arena.store.bots.hosting import HostingMode
from arena.store.store import Transaction
from tests.unit.hosting.host_fixture import (
    OTHER_VERSION,
    RULES,
    VERSION,
    HostFixture,
    drop_seats,
    ended,
    seat,
    with_host,
)
from tests.unit.hosting.sample_submissions import OWNER, a_content, admit
from tests.unit.runner.fakes import MatchFixture
from tests.unit.sessions.test_sessions import FakeLink

NS_PER_MS = 1_000_000
SECOND_MS = 1_000
MINUTE_MS = 60_000


@with_host("ant", "bee")
async def test_a_match_starts_a_process_with_the_address(hosting: HostFixture, tmp_path: Path) -> None:
    assert await hosting.prepare("ant guest") is None
    assert hosting.running() == ["ant"]
    [running] = hosting.started
    assert running.program.settings == {"ARENA_ADDRESS": "unix:///run/arena/play.sock"}
    assert running.program.folder == tmp_path / "versions" / VERSION / "source"
    assert running.limits.memory_bytes == 256 * MIB
    assert hosting.sockets[0].identity == Identity("ant", VERSION, "organiser", "", 1)


@with_host("ant", slots=2)
async def test_a_hosted_bot_is_present_before_its_process_runs(hosting: HostFixture) -> None:
    host = hosting.host
    assert (host.hosted, host.slots) == ({"ant"}, 2)
    assert (host.hosts("ant"), host.is_there("ant"), host.hosts("guest")) == (True, True, False)
    assert [host.capacity_for("ant", game, 1) for game in ("caravan", "caravanserai")] == [1, 0]
    await hosting.connect("ant guest", capacity=3)
    assert [host.free("ant", "caravan", version) for version in (1, 2)] == [3, 0]
    hosting.timers.move(SECOND_MS)
    await hosting.end(0)
    assert [host.capacity_for("ant", "caravan", version) for version in (1, 2)] == [3, 0]


@with_host("ant", "bee")
async def test_a_program_that_no_match_needs_is_asked_to_leave_after_a_while(hosting: HostFixture) -> None:
    await hosting.prepare("ant guest", "bee guest")
    links = [hosting.hello(place).link for place in (0, 1)]
    await hosting.prepare("bee guest")
    hosting.timers.move(IDLE_NS / NS_PER_MS - SECOND_MS)
    assert not any(running.ending.done() for running in hosting.started)
    await hosting.move(2 * SECOND_MS)
    assert [isinstance(link, FakeLink) and link.goodbye is not None for link in links] == [True, False]
    await hosting.end(0)
    assert hosting.running() == ["bee"]
    assert hosting.host.stats.overstayed == 0


async def test_a_process_that_stays_is_ended(hosting: HostFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    """docs/bad_inputs.md row 40."""
    monkeypatch.setattr(programs, "LEAVE_WITHIN_S", 0.0)
    await hosting.connect("ant guest")
    await hosting.prepare()
    hosting.timers.move(IDLE_NS / NS_PER_MS + SECOND_MS)
    await asyncio.wait_for(hosting.started[0].wait(), 10)
    await hosting.settle()
    assert hosting.started[0].stopped_after == [programs.STOP_GRACE_S]
    assert hosting.host.stats.overstayed == 1
    assert hosting.host.is_there("ant")


@with_host("ant", "bee", "cat", "dog", slots=2)
async def test_idle_programs_leave_when_others_need_their_places(hosting: HostFixture) -> None:
    await hosting.prepare("ant bee")
    for place in (0, 1):
        hosting.hello(place)
    assert await hosting.prepare("cat dog") is None
    for running in hosting.started:
        running.end(ended(code=0))
    await hosting.settle()
    await hosting.prepare("cat dog")
    assert hosting.running() == ["cat", "dog"]


@with_host("ant", "bee", "cat", slots=2)
async def test_the_oldest_match_that_waits_for_a_place_is_named(hosting: HostFixture) -> None:
    await hosting.prepare("ant guest", "bee guest")
    sessions = [hosting.hello(place) for place in (0, 1)]
    fixtures = [seat(session) for session in sessions]
    assert all(fixture.runner.started for fixture in fixtures)
    assert await hosting.prepare("ant guest", "cat guest", "bee guest") == 2


async def test_an_ended_process_loses_its_match_with_evidence(hosting: HostFixture) -> None:
    """docs/bad_inputs.md row 35: also when the lost connection is seen first."""
    session = await hosting.connect("ant guest")
    fixture = seat(session)
    assert fixture.runner.started
    assert isinstance(session.link, FakeLink)
    session.disconnect(session.link)
    hosting.started[0].heard(Stream.STDERR, b"Traceback:\n  no such camel")
    await hosting.end(0, ended(code=3))
    hosting.timers.move(2 * SECOND_MS)
    ending = fixture.result().seats[0].ending
    assert ending.termination is Termination.EXITED
    assert dict(ending.evidence)["code"] == "3"
    assert fixture.runner.debug_lines[0] == [
        DebugLine(1, "Traceback:", LineSource.STDERR),
        DebugLine(1, "  no such camel", LineSource.STDERR),
    ]
    assert not [record for record in fixture.log.records if "lost" in str(record).lower()]


async def test_an_end_before_all_are_ready_is_one_failure(hosting: HostFixture) -> None:
    """Not two: the match manager reports a no-show, too."""
    for _ in range(2):
        session = await hosting.connect("ant guest")
        fixture = MatchFixture(2)
        fixture.players[0] = session.new_seat()  # type: ignore[call-overload]

        def over(_: object, how: object, identity: Identity = session.identity) -> None:
            assert how == NoShow((0,))
            hosting.host.note_not_ready(identity)

        fixture.over = over  # type: ignore[method-assign, assignment]
        fixture.runner.offer()
        await hosting.end(-1, ended(ExitReason.MEMORY, code=None))
    assert hosting.host.stats.ends == {"memory": 2}
    assert hosting.host.is_there("ant")


async def test_a_process_that_does_not_reconnect_is_ended(hosting: HostFixture) -> None:
    session = await hosting.connect("ant guest")
    process = session.process
    assert process is not None
    for hosting.started[0].is_ending in (True, False):
        assert process.is_ending is hosting.started[0].is_ending
    assert isinstance(session.link, FakeLink)
    session.disconnect(session.link)
    await hosting.move(LOST_NS / NS_PER_MS + SECOND_MS)
    assert hosting.running() == []
    assert hosting.host.stats.ends == {"left": 1}
    hosting.started[0].is_ending = True
    assert not process.is_ending, "its end is known"


@with_host("ant", "bee")
async def test_a_bot_whose_runtime_is_missing_is_suspended_until_the_arena_has_it(
    hosting: HostFixture,
) -> None:
    del hosting.runtimes.all["python"]
    without = hosting.another_host(slots=4)
    await without.load()
    assert not without.is_there("ant")
    assert without.capacity_for("ant", "caravan", 1) == 0
    assert without.why_away("ant") == "its version is suspended: this arena has no runtime python"
    assert (await hosting.stored("ant")).suspended == ""
    hosting.runtimes.all |= BUILT_IN
    again = hosting.another_host(slots=4)
    await again.load()
    assert again.is_there("ant")


@with_host("ant", "bee")
async def test_a_broken_sandbox_blames_no_bot_and_pauses_starts(hosting: HostFixture) -> None:
    hosting.broken = "No cgroup can be made."
    for _ in range(5):
        await hosting.prepare("ant bee")
    assert hosting.host.stats.starts == 2  # those of the first match
    assert not hosting.host.is_there("ant")
    assert "a moment ago" in hosting.host.why_away("bee")
    assert hosting.host.why_suspended("ant") == ""
    hosting.broken = ""
    hosting.timers.move(REST_NS / NS_PER_MS + 1)
    await hosting.prepare("ant bee")
    assert hosting.running() == ["ant", "bee"]


async def test_another_version_plays_new_matches_while_the_old_one_plays_on(hosting: HostFixture) -> None:
    old = await hosting.connect("ant guest")
    fixture = seat(old)
    admit(hosting.store, "ant", a_content(OTHER_VERSION))
    await hosting.host.load()
    assert hosting.sessions.seat_for("ant", "caravan", 1) is None
    await hosting.prepare("ant guest")
    new = hosting.hello(1)
    assert hosting.sessions.seat_for("ant", "caravan", 1) in new.seats.values()
    await hosting.move(MINUTE_MS)
    assert not hosting.started[0].ending.done()
    assert fixture.runner.started
    drop_seats(old)
    await hosting.move(2 * SECOND_MS)
    assert isinstance(old.link, FakeLink)
    assert old.link.goodbye is not None
    hosting.started[0].end(ended(code=0))


async def test_a_program_is_renewed_between_two_matches(hosting: HostFixture) -> None:
    session = await hosting.connect("ant guest")
    seat(session)
    await hosting.move(RENEW_NS / NS_PER_MS + SECOND_MS)
    assert not hosting.started[0].ending.done()
    await hosting.prepare("ant guest")
    assert hosting.running() == ["ant", "ant"]


@with_host()
async def test_a_remote_session_of_a_hosted_bot_is_dismissed(hosting: HostFixture) -> None:
    session = hosting.sessions.open(Identity("ant", "1", "organiser", "token"), dict(RULES))
    session.connect(FakeLink(), Preferences())
    session.set_capacity(Capacity(2, 2))
    admit(hosting.store, "ant", a_content(VERSION))
    await hosting.host.load()
    assert hosting.sessions.seat_for("ant", "caravan", 1) is None
    hosting.timers.move(2 * SECOND_MS)
    assert hosting.dismissed == ["ant"]
    await hosting.database.write(lambda tx: tx.hosting.set_mode("ant", HostingMode.OFF))
    await hosting.host.load()
    assert not hosting.host.hosts("ant")
    assert hosting.sessions.seat_for("ant", "caravan", 1) is not None


async def test_bots_of_a_disabled_user_or_spectator_get_no_more_matches(hosting: HostFixture) -> None:
    session = await hosting.connect("ant guest")
    assert session.new_seat() is not None
    changes: list[tuple[Callable[[Transaction], object], bool]] = [
        (lambda tx: tx.users.set_disabled(OWNER, True), False),
        (lambda tx: tx.users.set_disabled(OWNER, False), True),
        (lambda tx: tx.users.set_role(OWNER, Role.SPECTATOR), False),
    ]
    for change, plays in changes:
        hosting.store.write(change)
        await hosting.host.load()
        assert hosting.host.is_there("ant") is plays
        await hosting.move(2 * SECOND_MS)
        assert hosting.running() == ["ant"]


@with_host("ant", "bee")
async def test_nothing_is_started_any_more_when_the_arena_closes(hosting: HostFixture) -> None:
    await hosting.prepare("ant guest")
    hosting.host.close_to_new()
    await hosting.prepare("ant guest", "bee guest")
    assert hosting.running() == ["ant"]


async def test_the_later_of_two_changes_holds(hosting: HostFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    read, go_on, reads = hosting.database.read, asyncio.Event(), 0

    async def read_slowly(question: Callable[[Transaction], object]) -> object:
        nonlocal reads
        reads += 1
        found, is_first = await read(question), reads == 1
        if is_first:
            await go_on.wait()
        return found

    monkeypatch.setattr(hosting.database, "read", read_slowly)
    hosting.host.reload()
    await until(lambda: reads > 0)
    admit(hosting.store, "ant", a_content(OTHER_VERSION))
    hosting.host.reload()
    await hosting.database.write(lambda _: None)
    go_on.set()
    await until(lambda: hosting.changes >= 2)
    await hosting.prepare("ant")
    await until(lambda: bool(hosting.started))
    assert hosting.sockets[-1].identity.version == OTHER_VERSION


async def test_a_failed_read_is_repeated(hosting: HostFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 48."""
    monkeypatch.setattr("arena.hosting.host.host._READ_AGAIN_S", 0.0)
    read, locked = (hosting.database.read, [UnavailableError(ErrorReason.STORAGE, "The database is locked.")])

    async def read_later(question: Callable[[Transaction], object]) -> object:
        if locked:
            raise locked.pop()
        return await read(question)

    monkeypatch.setattr(hosting.database, "read", read_later)
    hosting.store.write(lambda tx: tx.hosting.set_mode("ant", HostingMode.OFF))
    hosting.host.reload()
    await until(lambda: hosting.changes > 0)
    assert not hosting.host.hosts("ant")


async def until(holds: Callable[[], bool]) -> None:
    """Wait until the condition holds; fail after a minute."""
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110 - a database is asked
            await asyncio.sleep(0.001)
