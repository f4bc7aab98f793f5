"""The host gives some matches a program of their own: it has played nothing before, and plays nothing else."""

from __future__ import annotations

from pathlib import Path

from tests.unit.hosting.host_fixture import OTHER_VERSION, HostFixture, ended, seat, with_host
from tests.unit.hosting.sample_submissions import a_content, admit

SECOND_MS = 1_000


def test_a_program_that_has_just_come_is_fresh_until_it_has_a_seat(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant", "bee")
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.want("ant bee", alone=[1])
        await host_fixture.settle()
        assert host_fixture.host.unused_process("ant") == 0  # it has not said hello
        ant = host_fixture.hello(0)
        assert host_fixture.host.unused_process("ant") == ant.identity.program == 1
        assert host_fixture.host.unused_process("bee") == host_fixture.host.unused_process("guest") == 0
        host_fixture.host.note_seated(ant.identity, isolated=False)
        assert host_fixture.host.unused_process("ant") == 0


def test_a_program_of_such_a_match_plays_nothing_beside_it_and_leaves_after_it(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.want("ant guest", alone=[1])
        await host_fixture.settle()
        ant = host_fixture.hello(0, capacity=4)
        seat(host_fixture, ant)
        host_fixture.host.note_seated(ant.identity, isolated=True)
        assert host_fixture.sessions.free("ant", "caravan", 1) == 0
        host_fixture.want("ant guest", alone=[1])
        await host_fixture.settle()
        assert [len(host_fixture.started), host_fixture.running()] == [1, ["ant"]]
        for each in list(ant.seats.values()):
            ant.drop(each)
        host_fixture.timers.move(2 * SECOND_MS)  # also if no other match waits
        await host_fixture.settle()
        host_fixture.started[0].end(ended(code=0))
        await host_fixture.settle()
        assert host_fixture.running() == []


def test_the_next_match_gets_another_program_when_nothing_is_left_of_the_one_before(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.want("ant guest", alone=[1])
        await host_fixture.settle()
        ant = host_fixture.hello(0)
        seat(host_fixture, ant)
        host_fixture.host.note_seated(ant.identity, isolated=True)
        for each in list(ant.seats.values()):
            ant.drop(each)
        host_fixture.want("ant guest", alone=[1])
        await host_fixture.settle()
        assert len(host_fixture.started) == 1  # it leaves, and has not left
        host_fixture.started[0].end(ended(code=0))
        await host_fixture.settle()
        host_fixture.want("ant guest", alone=[1])
        await host_fixture.settle()
        assert [running.bot for running in host_fixture.started] == ["ant", "ant"]
        again = host_fixture.hello(1)
        assert again.identity.program == host_fixture.host.unused_process("ant") == 2


def test_a_warm_program_plays_its_matches_to_the_end_and_makes_way(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant", "bee")
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.want("ant guest")
        await host_fixture.settle()
        ant = host_fixture.hello(0, capacity=4)
        seat(host_fixture, ant)
        host_fixture.host.note_seated(ant.identity, isolated=False)
        host_fixture.want("ant bee", alone=[1])
        await host_fixture.settle()
        assert host_fixture.running() == ["ant"]  # and bee's is not started before it could begin
        assert host_fixture.sessions.free("ant", "caravan", 1) == 0
        for each in list(ant.seats.values()):
            ant.drop(each)
        host_fixture.want("ant bee", alone=[1])
        await host_fixture.settle()
        host_fixture.started[0].end(ended(code=0))
        await host_fixture.settle()
        host_fixture.want("ant bee", alone=[1])
        await host_fixture.settle()
        assert host_fixture.running() == ["ant", "bee"]


def test_a_match_that_waits_for_warm_programs_keeps_no_other_from_its_places(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant", "bee", slots=2)
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.want("ant guest")
        await host_fixture.settle()
        ant = host_fixture.hello(0)
        seat(host_fixture, ant)
        host_fixture.host.note_seated(ant.identity, isolated=False)
        assert host_fixture.want("ant bee", "bee guest", alone=[1]) is None
        await host_fixture.settle()
        assert host_fixture.running() == ["ant", "bee"]
        for each in list(ant.seats.values()):
            ant.drop(each)


def test_another_version_is_named_as_soon_as_it_plays_and_what_the_old_one_left_is_not_fresh(
    tmp_path: Path,
) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        before = host_fixture.host.version("ant")
        host_fixture.want("ant guest", alone=[1])
        await host_fixture.settle()
        host_fixture.hello(0)
        admit(host_fixture.store, "ant", a_content(OTHER_VERSION))
        await host_fixture.host.load()
        assert (host_fixture.host.version("ant"), host_fixture.host.version("guest")) == (OTHER_VERSION, "")
        assert before != OTHER_VERSION
        assert host_fixture.host.unused_process("ant") == 0


def test_a_bot_that_makes_way_plays_no_more_matches_at_once_than_before(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant", "bee")
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.want("ant guest")
        await host_fixture.settle()
        for number in range(
            3
        ):  # it is asked for a younger match again and again, whenever there is room for one
            ant = host_fixture.hello(number) if len(host_fixture.started) > number else None
            if ant is not None:
                seat(host_fixture, ant)
                host_fixture.host.note_seated(ant.identity, isolated=False)
            host_fixture.want("ant bee", "ant guest", alone=[1])
            await host_fixture.settle()
        assert host_fixture.running() == ["ant"]
        for program in host_fixture.host._processes.values():
            for session in program.sessions:
                for each in list(session.seats.values()):
                    session.drop(each)


def test_a_match_that_waited_before_still_gets_the_warm_program(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant", "bee")
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.want("ant guest")
        await host_fixture.settle()
        ant = host_fixture.hello(0)
        host_fixture.host.note_seated(ant.identity, isolated=False)
        host_fixture.want("ant guest", "ant bee", alone=[2])
        await host_fixture.settle()
        assert host_fixture.sessions.free("ant", "caravan", 1) == 1
        assert host_fixture.running() == ["ant"]
