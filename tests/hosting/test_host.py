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
from tests.hosting.inn import OTHER_VERSION, RULES, VERSION, HostFixture, ended, in_an_inn, seat
from tests.hosting.planted import OWNER, a_content, admit
from tests.players.test_sessions import FakeLink
from tests.runner.fakes import MatchFixture

NS_PER_MS = 1_000_000
SECOND_MS = 1_000
MINUTE_MS = 60_000


def test_a_program_is_started_for_a_match_and_is_told_where_it_finds_the_arena(tmp_path: Path) -> None:
    @in_an_inn(tmp_path, "ant", "bee")
    async def _(inn: HostFixture) -> None:
        assert inn.want("ant guest") is None
        await inn.settle()
        assert inn.running() == ["ant"]
        [running] = inn.started
        assert running.program.settings == {"ARENA_ADDRESS": "unix:///run/arena/play.sock"}
        assert running.program.folder == tmp_path / "versions" / VERSION / "source"
        assert running.limits.memory_bytes == 256 * MIB
        assert inn.doors[0].identity == Identity("ant", VERSION, "organiser", "", 1)


def test_a_hosted_bot_is_there_before_its_program_runs_with_the_room_it_had_last(tmp_path: Path) -> None:
    @in_an_inn(tmp_path, "ant")
    async def _(inn: HostFixture) -> None:
        host = inn.host
        assert host.hosts("ant")
        assert host.is_there("ant")
        assert not host.hosts("guest")
        assert [host.capacity_for("ant", game, 1) for game in ("caravan", "caravanserai")] == [1, 0]
        inn.want("ant guest")
        await inn.settle()
        inn.hello(0, capacity=3)
        assert [host.free("ant", "caravan", version) for version in (1, 2)] == [3, 0]
        inn.timers.move(SECOND_MS)
        inn.started[0].end(ended(code=0))
        await inn.settle()
        assert [host.capacity_for("ant", "caravan", version) for version in (1, 2)] == [3, 0]


def test_a_program_that_no_match_needs_is_asked_to_leave_after_a_while(tmp_path: Path) -> None:
    @in_an_inn(tmp_path, "ant", "bee")
    async def _(inn: HostFixture) -> None:
        inn.want("ant guest", "bee guest")
        await inn.settle()
        links = [inn.hello(place).link for place in (0, 1)]
        inn.want("bee guest")
        inn.timers.move(IDLE_NS / NS_PER_MS - SECOND_MS)
        assert not any(running.ending.done() for running in inn.started)
        inn.timers.move(2 * SECOND_MS)
        await inn.settle()
        assert [isinstance(link, FakeLink) and link.goodbye is not None for link in links] == [True, False]
        inn.started[0].end(ended(code=0))
        await inn.settle()
        assert inn.running() == ["bee"]
        assert inn.host.figures.overstayed == 0


def test_a_program_that_stays_after_the_goodbye_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """docs/bad_inputs.md row 40."""
    monkeypatch.setattr(programs, "LEAVE_WITHIN_S", 0.0)

    @in_an_inn(tmp_path, "ant")
    async def _(inn: HostFixture) -> None:
        inn.want("ant guest")
        await inn.settle()
        inn.hello(0)
        inn.want()
        inn.timers.move(IDLE_NS / NS_PER_MS + SECOND_MS)
        await asyncio.wait_for(inn.started[0].wait(), 10)
        await inn.settle()
        assert inn.started[0].stopped_after == [programs.STOP_GRACE_S]
        assert inn.host.figures.overstayed == 1
        assert inn.host.is_there("ant")


def test_idle_programs_leave_when_others_need_their_places(tmp_path: Path) -> None:
    @in_an_inn(tmp_path, "ant", "bee", "cat", "dog", slots=2)
    async def _(inn: HostFixture) -> None:
        inn.want("ant bee")
        await inn.settle()
        for place in (0, 1):
            inn.hello(place)
        assert inn.want("cat dog") is None
        await inn.settle()
        for running in inn.started:
            running.end(ended(code=0))
        await inn.settle()
        inn.want("cat dog")
        await inn.settle()
        assert inn.running() == ["cat", "dog"]


def test_the_oldest_match_that_waits_for_a_place_is_named(tmp_path: Path) -> None:
    @in_an_inn(tmp_path, "ant", "bee", "cat", slots=2)
    async def _(inn: HostFixture) -> None:
        inn.want("ant guest", "bee guest")
        await inn.settle()
        sessions = [inn.hello(place) for place in (0, 1)]
        rooms = [seat(inn, session) for session in sessions]
        assert all(room.runner.started for room in rooms)
        assert inn.want("ant guest", "cat guest", "bee guest") == 2


def test_what_a_program_plays_when_it_ends_is_lost_with_the_evidence_and_its_last_words_are_kept(
    tmp_path: Path,
) -> None:
    """docs/bad_inputs.md row 35: also when the lost connection is seen first."""

    @in_an_inn(tmp_path, "ant")
    async def _(inn: HostFixture) -> None:
        inn.want("ant guest")
        await inn.settle()
        session = inn.hello(0)
        room = seat(inn, session)
        assert room.runner.started
        assert isinstance(session.link, FakeLink)
        session.disconnect(session.link)
        inn.started[0].heard(Stream.STDERR, b"Traceback:\n  no such camel")
        inn.started[0].end(ended(code=3))
        await inn.settle()
        inn.timers.move(2 * SECOND_MS)
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

    @in_an_inn(tmp_path, "ant")
    async def _(inn: HostFixture) -> None:
        for _ in range(2):
            inn.want("ant guest")
            await inn.settle()
            session = inn.hello(-1)
            room = MatchFixture(2)
            room.players[0] = session.new_seat()  # type: ignore[call-overload]

            def over(_: object, how: object, identity: Identity = session.identity) -> None:
                assert how == NoShow((0,))
                inn.host.note_not_ready(identity)

            room.over = over  # type: ignore[method-assign, assignment]
            room.runner.offer()
            inn.started[-1].end(ended(ExitReason.MEMORY, code=None))
            await inn.settle()
        assert inn.host.figures.ends == {"memory": 2}
        assert inn.host.is_there("ant")


def test_a_program_that_has_lost_its_connection_and_does_not_come_back_is_ended(tmp_path: Path) -> None:
    @in_an_inn(tmp_path, "ant")
    async def _(inn: HostFixture) -> None:
        inn.want("ant guest")
        await inn.settle()
        session = inn.hello(0)
        assert isinstance(session.link, FakeLink)
        session.disconnect(session.link)
        inn.timers.move(LOST_NS / NS_PER_MS + SECOND_MS)
        await inn.settle()
        assert inn.running() == []
        assert inn.host.figures.ends == {"left": 1}


def test_its_sessions_know_whether_a_program_has_ended_and_nobody_knows_how(tmp_path: Path) -> None:
    @in_an_inn(tmp_path, "ant")
    async def _(inn: HostFixture) -> None:
        inn.want("ant guest")
        await inn.settle()
        session = inn.hello(0)
        assert not session.program_ends()
        inn.started[0].is_ending = True
        assert session.program_ends()
        inn.started[0].end(ended())
        await inn.settle()
        assert not session.program_ends()


def test_a_sandbox_that_cannot_start_anything_is_no_fault_of_a_bot_and_is_left_alone_for_a_while(
    tmp_path: Path,
) -> None:
    @in_an_inn(tmp_path, "ant", "bee")
    async def _(inn: HostFixture) -> None:
        inn.broken = "No cgroup can be made."
        for _ in range(5):
            inn.want("ant bee")
            await inn.settle()
        assert inn.host.figures.starts == 2  # those of the first match
        assert not inn.host.is_there("ant")
        assert "a moment ago" in inn.host.why_away("bee")
        assert inn.host.benched("ant") == ""
        inn.broken = ""
        inn.timers.move(REST_NS / NS_PER_MS + 1)
        inn.want("ant bee")
        await inn.settle()
        assert inn.running() == ["ant", "bee"]


def test_another_version_plays_new_matches_while_the_old_one_plays_on(tmp_path: Path) -> None:
    @in_an_inn(tmp_path, "ant")
    async def _(inn: HostFixture) -> None:
        inn.want("ant guest")
        await inn.settle()
        old = inn.hello(0)
        room = seat(inn, old)
        admit(inn.store, "ant", a_content(OTHER_VERSION))
        await inn.host.load()
        assert inn.sessions.seat_for("ant", "caravan", 1) is None
        inn.want("ant guest")
        await inn.settle()
        new = inn.hello(1)
        assert inn.sessions.seat_for("ant", "caravan", 1) in new.seats.values()
        inn.timers.move(MINUTE_MS)
        await inn.settle()
        assert not inn.started[0].ending.done()
        assert room.runner.started
        for held in list(old.seats.values()):
            old.drop(held)
        inn.timers.move(2 * SECOND_MS)
        await inn.settle()
        assert isinstance(old.link, FakeLink)
        assert old.link.goodbye is not None
        inn.started[0].end(ended(code=0))


def test_a_program_is_renewed_between_two_matches(tmp_path: Path) -> None:
    @in_an_inn(tmp_path, "ant")
    async def _(inn: HostFixture) -> None:
        inn.want("ant guest")
        await inn.settle()
        session = inn.hello(0)
        seat(inn, session)
        inn.timers.move(RENEW_NS / NS_PER_MS + SECOND_MS)
        await inn.settle()
        assert not inn.started[0].ending.done()
        inn.want("ant guest")
        await inn.settle()
        assert inn.running() == ["ant", "ant"]


def test_who_has_dialled_in_as_a_bot_that_is_now_hosted_plays_to_the_end_and_is_sent_away(
    tmp_path: Path,
) -> None:
    @in_an_inn(tmp_path)
    async def _(inn: HostFixture) -> None:
        session = inn.sessions.open(Identity("ant", "1", "organiser", "token"), dict(RULES))
        session.connect(FakeLink(), Preferences())
        session.set_capacity(Capacity(2, 2))
        admit(inn.store, "ant", a_content(VERSION))
        await inn.host.load()
        assert inn.sessions.seat_for("ant", "caravan", 1) is None
        inn.timers.move(2 * SECOND_MS)
        assert inn.dismissed == ["ant"]
        await inn.database.write(lambda tx: tx.hosting.set_mode("ant", HostingMode.OFF))
        await inn.host.load()
        assert not inn.host.hosts("ant")
        assert inn.sessions.seat_for("ant", "caravan", 1) is not None


def test_the_bots_of_a_user_who_is_shut_out_play_to_the_end_and_get_no_more_matches(tmp_path: Path) -> None:
    @in_an_inn(tmp_path, "ant")
    async def _(inn: HostFixture) -> None:
        inn.want("ant guest")
        await inn.settle()
        session = inn.hello(-1)
        assert session.new_seat() is not None
        inn.store.write(lambda tx: tx.users.set_disabled(OWNER, True))
        await inn.host.load()
        assert not inn.host.is_there("ant")
        inn.timers.move(2 * SECOND_MS)
        await inn.settle()
        assert inn.running() == ["ant"]
        inn.store.write(lambda tx: tx.users.set_disabled(OWNER, False))
        await inn.host.load()
        assert inn.host.is_there("ant")
        inn.store.write(lambda tx: tx.users.set_role(OWNER, Role.SPECTATOR))
        await inn.host.load()
        assert not inn.host.is_there("ant")


def test_who_is_hosted_and_how_many_programs_there_are_places_for_is_told(tmp_path: Path) -> None:
    @in_an_inn(tmp_path, "ant", "bee", "cat", slots=2)
    async def _(inn: HostFixture) -> None:
        assert (inn.host.hosted, inn.host.slots) == ({"ant", "bee", "cat"}, 2)


def test_nothing_is_started_any_more_when_the_arena_closes(tmp_path: Path) -> None:
    @in_an_inn(tmp_path, "ant", "bee")
    async def _(inn: HostFixture) -> None:
        inn.want("ant guest")
        await inn.settle()
        inn.host.close_to_new()
        inn.want("ant guest", "bee guest")
        await inn.settle()
        assert inn.running() == ["ant"]


def test_of_two_changes_the_later_one_holds_however_long_the_first_takes_to_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @in_an_inn(tmp_path, "ant")
    async def _(inn: HostFixture) -> None:
        read, go_on, reads = inn.database.read, asyncio.Event(), 0

        async def read_slowly(question: Callable[[Transaction], object]) -> object:
            nonlocal reads
            reads += 1
            found, is_first = await read(question), reads == 1
            if is_first:
                await go_on.wait()
            return found

        monkeypatch.setattr(inn.database, "read", read_slowly)
        inn.host.reload()
        await until(lambda: reads > 0)
        admit(inn.store, "ant", a_content(OTHER_VERSION))
        inn.host.reload()
        await inn.database.write(lambda _: None)
        go_on.set()
        await until(lambda: inn.changes >= 2)
        inn.want("ant")
        await until(lambda: bool(inn.started))
        assert inn.doors[-1].identity.version == OTHER_VERSION


def test_which_version_plays_is_read_again_after_the_database_was_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 48."""
    monkeypatch.setattr("arena.hosting.host.host._READ_AGAIN_S", 0.0)

    @in_an_inn(tmp_path, "ant")
    async def _(inn: HostFixture) -> None:
        read, locked = inn.database.read, [UnavailableError(ErrorReason.STORAGE, "The database is locked.")]

        async def read_later(question: Callable[[Transaction], object]) -> object:
            if locked:
                raise locked.pop()
            return await read(question)

        monkeypatch.setattr(inn.database, "read", read_later)
        inn.store.write(lambda tx: tx.hosting.set_mode("ant", HostingMode.OFF))
        inn.host.reload()
        await until(lambda: inn.changes > 0)
        assert not inn.host.hosts("ant")


async def until(holds: Callable[[], bool]) -> None:
    """Returns once it holds; fails after a while."""
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110 - a database is asked
            await asyncio.sleep(0.001)
