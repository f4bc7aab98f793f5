"""What the host does with programs: when they are started and stopped, and what their ends mean for matches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.core.debug_line import DebugLine, LineSource
from arena.core.endings.terminations import Termination
from arena.core.errors import ErrorReason, UnavailableError
from arena.hosting.host import process as programs
from arena.hosting.host.host import IDLE_NS, LOST_NS, RENEW_NS, REST_NS
from arena.runner.match_runner import NoShow
from arena.sandbox.exit_status import ExitReason
from arena.sandbox.output import Stream
from arena.sandbox.process_spec import MIB
from arena.sessions.handshake import Capacity, Identity, Preferences
from arena.store.accounts.tokens import Role
from arena.store.bots.hosting import HostingMode
from arena.store.store import Transaction
from tests.unit.hosting.host_fixture import OTHER_VERSION, RULES, VERSION, HostFixture, ended, seat, with_host
from tests.unit.hosting.sample_submissions import OWNER, a_content, admit
from tests.unit.runner.fakes import MatchFixture
from tests.unit.sessions.test_sessions import FakeLink

NS_PER_MS = 1_000_000
SECOND_MS = 1_000
MINUTE_MS = 60_000


def test_a_program_is_started_for_a_match_and_is_told_where_it_finds_the_arena(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant", "bee")
    async def _(host_fixture: HostFixture) -> None:
        assert host_fixture.want("ant guest") is None
        await host_fixture.settle()
        assert host_fixture.running() == ["ant"]
        [running] = host_fixture.started
        assert running.program.settings == {"ARENA_ADDRESS": "unix:///run/arena/play.sock"}
        assert running.program.folder == tmp_path / "versions" / VERSION / "source"
        assert running.limits.memory_bytes == 256 * MIB
        assert host_fixture.sockets[0].identity == Identity("ant", VERSION, "organiser", "", 1)


def test_a_hosted_bot_is_there_before_its_program_runs_with_the_room_it_had_last(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        host = host_fixture.host
        assert host.hosts("ant")
        assert host.is_there("ant")
        assert not host.hosts("guest")
        assert [host.capacity_for("ant", game, 1) for game in ("caravan", "caravanserai")] == [1, 0]
        host_fixture.want("ant guest")
        await host_fixture.settle()
        host_fixture.hello(0, capacity=3)
        assert [host.free("ant", "caravan", version) for version in (1, 2)] == [3, 0]
        host_fixture.timers.move(SECOND_MS)
        host_fixture.started[0].end(ended(code=0))
        await host_fixture.settle()
        assert [host.capacity_for("ant", "caravan", version) for version in (1, 2)] == [3, 0]


def test_a_program_that_no_match_needs_is_asked_to_leave_after_a_while(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant", "bee")
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.want("ant guest", "bee guest")
        await host_fixture.settle()
        links = [host_fixture.hello(place).link for place in (0, 1)]
        host_fixture.want("bee guest")
        host_fixture.timers.move(IDLE_NS / NS_PER_MS - SECOND_MS)
        assert not any(running.ending.done() for running in host_fixture.started)
        host_fixture.timers.move(2 * SECOND_MS)
        await host_fixture.settle()
        assert [isinstance(link, FakeLink) and link.goodbye is not None for link in links] == [True, False]
        host_fixture.started[0].end(ended(code=0))
        await host_fixture.settle()
        assert host_fixture.running() == ["bee"]
        assert host_fixture.host.stats.overstayed == 0


def test_a_program_that_stays_after_the_goodbye_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """docs/bad_inputs.md row 40."""
    monkeypatch.setattr(programs, "LEAVE_WITHIN_S", 0.0)

    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.want("ant guest")
        await host_fixture.settle()
        host_fixture.hello(0)
        host_fixture.want()
        host_fixture.timers.move(IDLE_NS / NS_PER_MS + SECOND_MS)
        await asyncio.wait_for(host_fixture.started[0].wait(), 10)
        await host_fixture.settle()
        assert host_fixture.started[0].stopped_after == [programs.STOP_GRACE_S]
        assert host_fixture.host.stats.overstayed == 1
        assert host_fixture.host.is_there("ant")


def test_idle_programs_leave_when_others_need_their_places(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant", "bee", "cat", "dog", slots=2)
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.want("ant bee")
        await host_fixture.settle()
        for place in (0, 1):
            host_fixture.hello(place)
        assert host_fixture.want("cat dog") is None
        await host_fixture.settle()
        for running in host_fixture.started:
            running.end(ended(code=0))
        await host_fixture.settle()
        host_fixture.want("cat dog")
        await host_fixture.settle()
        assert host_fixture.running() == ["cat", "dog"]


def test_the_oldest_match_that_waits_for_a_place_is_named(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant", "bee", "cat", slots=2)
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.want("ant guest", "bee guest")
        await host_fixture.settle()
        sessions = [host_fixture.hello(place) for place in (0, 1)]
        rooms = [seat(host_fixture, session) for session in sessions]
        assert all(room.runner.started for room in rooms)
        assert host_fixture.want("ant guest", "cat guest", "bee guest") == 2


def test_what_a_program_plays_when_it_ends_is_lost_with_the_evidence_and_its_last_words_are_kept(
    tmp_path: Path,
) -> None:
    """docs/bad_inputs.md row 35: also when the lost connection is seen first."""

    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.want("ant guest")
        await host_fixture.settle()
        session = host_fixture.hello(0)
        room = seat(host_fixture, session)
        assert room.runner.started
        assert isinstance(session.link, FakeLink)
        session.disconnect(session.link)
        host_fixture.started[0].heard(Stream.STDERR, b"Traceback:\n  no such camel")
        host_fixture.started[0].end(ended(code=3))
        await host_fixture.settle()
        host_fixture.timers.move(2 * SECOND_MS)
        ending = room.result().seats[0].ending
        assert ending.termination is Termination.EXITED
        assert dict(ending.evidence)["code"] == "3"
        assert room.runner.debug_lines[0] == [
            DebugLine(1, "Traceback:", LineSource.STDERR),
            DebugLine(1, "  no such camel", LineSource.STDERR),
        ]
        assert not [record for record in room.log.records if "lost" in str(record).lower()]


def test_a_program_that_ends_before_all_are_ready_is_no_show_and_one_failure(tmp_path: Path) -> None:
    """Not two: the desk says that the seat was not taken, too."""

    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        for _ in range(2):
            host_fixture.want("ant guest")
            await host_fixture.settle()
            session = host_fixture.hello(-1)
            room = MatchFixture(2)
            room.players[0] = session.new_seat()  # type: ignore[call-overload]

            def over(_: object, how: object, identity: Identity = session.identity) -> None:
                assert how == NoShow((0,))
                host_fixture.host.note_not_ready(identity)

            room.over = over  # type: ignore[method-assign, assignment]
            room.runner.offer()
            host_fixture.started[-1].end(ended(ExitReason.MEMORY, code=None))
            await host_fixture.settle()
        assert host_fixture.host.stats.ends == {"memory": 2}
        assert host_fixture.host.is_there("ant")


def test_a_program_that_has_lost_its_connection_and_does_not_come_back_is_ended(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.want("ant guest")
        await host_fixture.settle()
        session = host_fixture.hello(0)
        assert isinstance(session.link, FakeLink)
        session.disconnect(session.link)
        host_fixture.timers.move(LOST_NS / NS_PER_MS + SECOND_MS)
        await host_fixture.settle()
        assert host_fixture.running() == []
        assert host_fixture.host.stats.ends == {"left": 1}


def test_its_sessions_know_whether_a_program_has_ended_and_nobody_knows_how(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.want("ant guest")
        await host_fixture.settle()
        process = host_fixture.hello(0).process
        assert process is not None
        assert not process.is_ending
        host_fixture.started[0].is_ending = True
        assert process.is_ending
        host_fixture.started[0].end(ended())
        await host_fixture.settle()
        assert not process.is_ending


def test_a_sandbox_that_cannot_start_anything_is_no_fault_of_a_bot_and_is_left_alone_for_a_while(
    tmp_path: Path,
) -> None:
    @with_host(tmp_path, "ant", "bee")
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.broken = "No cgroup can be made."
        for _ in range(5):
            host_fixture.want("ant bee")
            await host_fixture.settle()
        assert host_fixture.host.stats.starts == 2  # those of the first match
        assert not host_fixture.host.is_there("ant")
        assert "a moment ago" in host_fixture.host.why_away("bee")
        assert host_fixture.host.why_suspended("ant") == ""
        host_fixture.broken = ""
        host_fixture.timers.move(REST_NS / NS_PER_MS + 1)
        host_fixture.want("ant bee")
        await host_fixture.settle()
        assert host_fixture.running() == ["ant", "bee"]


def test_another_version_plays_new_matches_while_the_old_one_plays_on(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.want("ant guest")
        await host_fixture.settle()
        old = host_fixture.hello(0)
        room = seat(host_fixture, old)
        admit(host_fixture.store, "ant", a_content(OTHER_VERSION))
        await host_fixture.host.load()
        assert host_fixture.sessions.seat_for("ant", "caravan", 1) is None
        host_fixture.want("ant guest")
        await host_fixture.settle()
        new = host_fixture.hello(1)
        assert host_fixture.sessions.seat_for("ant", "caravan", 1) in new.seats.values()
        host_fixture.timers.move(MINUTE_MS)
        await host_fixture.settle()
        assert not host_fixture.started[0].ending.done()
        assert room.runner.started
        for held in list(old.seats.values()):
            old.drop(held)
        host_fixture.timers.move(2 * SECOND_MS)
        await host_fixture.settle()
        assert isinstance(old.link, FakeLink)
        assert old.link.goodbye is not None
        host_fixture.started[0].end(ended(code=0))


def test_a_program_is_renewed_between_two_matches(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.want("ant guest")
        await host_fixture.settle()
        session = host_fixture.hello(0)
        seat(host_fixture, session)
        host_fixture.timers.move(RENEW_NS / NS_PER_MS + SECOND_MS)
        await host_fixture.settle()
        assert not host_fixture.started[0].ending.done()
        host_fixture.want("ant guest")
        await host_fixture.settle()
        assert host_fixture.running() == ["ant", "ant"]


def test_who_has_dialled_in_as_a_bot_that_is_now_hosted_plays_to_the_end_and_is_sent_away(
    tmp_path: Path,
) -> None:
    @with_host(tmp_path)
    async def _(host_fixture: HostFixture) -> None:
        session = host_fixture.sessions.open(Identity("ant", "1", "organiser", "token"), dict(RULES))
        session.connect(FakeLink(), Preferences())
        session.set_capacity(Capacity(2, 2))
        admit(host_fixture.store, "ant", a_content(VERSION))
        await host_fixture.host.load()
        assert host_fixture.sessions.seat_for("ant", "caravan", 1) is None
        host_fixture.timers.move(2 * SECOND_MS)
        assert host_fixture.dismissed == ["ant"]
        await host_fixture.database.write(lambda tx: tx.hosting.set_mode("ant", HostingMode.OFF))
        await host_fixture.host.load()
        assert not host_fixture.host.hosts("ant")
        assert host_fixture.sessions.seat_for("ant", "caravan", 1) is not None


def test_the_bots_of_a_user_who_is_shut_out_play_to_the_end_and_get_no_more_matches(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.want("ant guest")
        await host_fixture.settle()
        session = host_fixture.hello(-1)
        assert session.new_seat() is not None
        host_fixture.store.write(lambda tx: tx.users.set_disabled(OWNER, True))
        await host_fixture.host.load()
        assert not host_fixture.host.is_there("ant")
        host_fixture.timers.move(2 * SECOND_MS)
        await host_fixture.settle()
        assert host_fixture.running() == ["ant"]
        host_fixture.store.write(lambda tx: tx.users.set_disabled(OWNER, False))
        await host_fixture.host.load()
        assert host_fixture.host.is_there("ant")
        host_fixture.store.write(lambda tx: tx.users.set_role(OWNER, Role.SPECTATOR))
        await host_fixture.host.load()
        assert not host_fixture.host.is_there("ant")


def test_who_is_hosted_and_how_many_programs_there_are_places_for_is_told(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant", "bee", "cat", slots=2)
    async def _(host_fixture: HostFixture) -> None:
        assert (host_fixture.host.hosted, host_fixture.host.slots) == ({"ant", "bee", "cat"}, 2)


def test_nothing_is_started_any_more_when_the_arena_closes(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant", "bee")
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.want("ant guest")
        await host_fixture.settle()
        host_fixture.host.close_to_new()
        host_fixture.want("ant guest", "bee guest")
        await host_fixture.settle()
        assert host_fixture.running() == ["ant"]


def test_of_two_changes_the_later_one_holds_however_long_the_first_takes_to_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        read, go_on, reads = host_fixture.database.read, asyncio.Event(), 0

        async def read_slowly(question: Callable[[Transaction], object]) -> object:
            nonlocal reads
            reads += 1
            found, is_first = await read(question), reads == 1
            if is_first:
                await go_on.wait()
            return found

        monkeypatch.setattr(host_fixture.database, "read", read_slowly)
        host_fixture.host.reload()
        await until(lambda: reads > 0)
        admit(host_fixture.store, "ant", a_content(OTHER_VERSION))
        host_fixture.host.reload()
        await host_fixture.database.write(lambda _: None)
        go_on.set()
        await until(lambda: host_fixture.changes >= 2)
        host_fixture.want("ant")
        await until(lambda: bool(host_fixture.started))
        assert host_fixture.sockets[-1].identity.version == OTHER_VERSION


def test_which_version_plays_is_read_again_after_the_database_was_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 48."""
    monkeypatch.setattr("arena.hosting.host.host._READ_AGAIN_S", 0.0)

    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        read, locked = (
            host_fixture.database.read,
            [UnavailableError(ErrorReason.STORAGE, "The database is locked.")],
        )

        async def read_later(question: Callable[[Transaction], object]) -> object:
            if locked:
                raise locked.pop()
            return await read(question)

        monkeypatch.setattr(host_fixture.database, "read", read_later)
        host_fixture.store.write(lambda tx: tx.hosting.set_mode("ant", HostingMode.OFF))
        host_fixture.host.reload()
        await until(lambda: host_fixture.changes > 0)
        assert not host_fixture.host.hosts("ant")


async def until(holds: Callable[[], bool]) -> None:
    """Wait until the condition holds; fail after a minute."""
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110 - a database is asked
            await asyncio.sleep(0.001)
