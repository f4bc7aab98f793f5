"""The host gives some matches a program of their own: it has played nothing before, and plays nothing else."""

from __future__ import annotations

from pathlib import Path

from arena.hosting.host.host import Host
from arena.sessions.session import Session
from tests.hosting.inn import OTHER_VERSION, HostFixture, ended, in_an_inn, seat
from tests.hosting.planted import a_content, admit

SECOND_MS = 1_000


def sits_down(host: Host, session: Session, *, alone: bool) -> None:
    """As the desk does it."""
    host.note_seated(session.identity, alone=alone)


def test_a_program_that_has_just_come_is_fresh_until_it_has_a_seat(tmp_path: Path) -> None:
    @in_an_inn(tmp_path, "ant", "bee")
    async def _(inn: HostFixture) -> None:
        inn.want("ant bee", alone=[1])
        await inn.settle()
        assert inn.host.fresh_program("ant") == 0  # it has not said hello
        ant = inn.hello(0)
        assert inn.host.fresh_program("ant") == ant.identity.program == 1
        assert inn.host.fresh_program("bee") == inn.host.fresh_program("guest") == 0
        sits_down(inn.host, ant, alone=False)
        assert inn.host.fresh_program("ant") == 0


def test_a_program_of_such_a_match_plays_nothing_beside_it_and_leaves_after_it(tmp_path: Path) -> None:
    @in_an_inn(tmp_path, "ant")
    async def _(inn: HostFixture) -> None:
        inn.want("ant guest", alone=[1])
        await inn.settle()
        ant = inn.hello(0, capacity=4)
        seat(inn, ant)
        sits_down(inn.host, ant, alone=True)
        assert inn.sessions.free("ant", "caravan", 1) == 0
        inn.want("ant guest", alone=[1])
        await inn.settle()
        assert [len(inn.started), inn.running()] == [1, ["ant"]]
        for each in list(ant.seats.values()):
            ant.drop(each)
        inn.timers.move(2 * SECOND_MS)  # also if no other match waits
        await inn.settle()
        inn.started[0].end(ended(code=0))
        await inn.settle()
        assert inn.running() == []


def test_the_next_match_gets_another_program_when_nothing_is_left_of_the_one_before(tmp_path: Path) -> None:
    @in_an_inn(tmp_path, "ant")
    async def _(inn: HostFixture) -> None:
        inn.want("ant guest", alone=[1])
        await inn.settle()
        ant = inn.hello(0)
        seat(inn, ant)
        sits_down(inn.host, ant, alone=True)
        for each in list(ant.seats.values()):
            ant.drop(each)
        inn.want("ant guest", alone=[1])
        await inn.settle()
        assert len(inn.started) == 1  # it leaves, and has not left
        inn.started[0].end(ended(code=0))
        await inn.settle()
        inn.want("ant guest", alone=[1])
        await inn.settle()
        assert [running.bot for running in inn.started] == ["ant", "ant"]
        again = inn.hello(1)
        assert again.identity.program == inn.host.fresh_program("ant") == 2


def test_a_warm_program_plays_its_matches_to_the_end_and_makes_way(tmp_path: Path) -> None:
    @in_an_inn(tmp_path, "ant", "bee")
    async def _(inn: HostFixture) -> None:
        inn.want("ant guest")
        await inn.settle()
        ant = inn.hello(0, capacity=4)
        seat(inn, ant)
        sits_down(inn.host, ant, alone=False)
        inn.want("ant bee", alone=[1])
        await inn.settle()
        assert inn.running() == ["ant"]  # and bee's is not started before it could begin
        assert inn.sessions.free("ant", "caravan", 1) == 0
        for each in list(ant.seats.values()):
            ant.drop(each)
        inn.want("ant bee", alone=[1])
        await inn.settle()
        inn.started[0].end(ended(code=0))
        await inn.settle()
        inn.want("ant bee", alone=[1])
        await inn.settle()
        assert inn.running() == ["ant", "bee"]


def test_a_match_that_waits_for_warm_programs_keeps_no_other_from_its_places(tmp_path: Path) -> None:
    @in_an_inn(tmp_path, "ant", "bee", slots=2)
    async def _(inn: HostFixture) -> None:
        inn.want("ant guest")
        await inn.settle()
        ant = inn.hello(0)
        seat(inn, ant)
        sits_down(inn.host, ant, alone=False)
        assert inn.want("ant bee", "bee guest", alone=[1]) is None
        await inn.settle()
        assert inn.running() == ["ant", "bee"]
        for each in list(ant.seats.values()):
            ant.drop(each)


def test_another_version_is_named_as_soon_as_it_plays_and_what_the_old_one_left_is_not_fresh(
    tmp_path: Path,
) -> None:
    @in_an_inn(tmp_path, "ant")
    async def _(inn: HostFixture) -> None:
        before = inn.host.version("ant")
        inn.want("ant guest", alone=[1])
        await inn.settle()
        inn.hello(0)
        admit(inn.store, "ant", a_content(OTHER_VERSION))
        await inn.host.load()
        assert (inn.host.version("ant"), inn.host.version("guest")) == (OTHER_VERSION, "")
        assert before != OTHER_VERSION
        assert inn.host.fresh_program("ant") == 0


def test_a_bot_that_makes_way_plays_no_more_matches_at_once_than_before(tmp_path: Path) -> None:
    @in_an_inn(tmp_path, "ant", "bee")
    async def _(inn: HostFixture) -> None:
        inn.want("ant guest")
        await inn.settle()
        for number in range(
            3
        ):  # it is asked for a younger match again and again, whenever there is room for one
            ant = inn.hello(number) if len(inn.started) > number else None
            if ant is not None:
                seat(inn, ant)
                sits_down(inn.host, ant, alone=False)
            inn.want("ant bee", "ant guest", alone=[1])
            await inn.settle()
        assert inn.running() == ["ant"]
        for program in inn.host._programs.values():
            for session in program.sessions:
                for each in list(session.seats.values()):
                    session.drop(each)


def test_a_match_that_waited_before_still_gets_the_warm_program(tmp_path: Path) -> None:
    @in_an_inn(tmp_path, "ant", "bee")
    async def _(inn: HostFixture) -> None:
        inn.want("ant guest")
        await inn.settle()
        ant = inn.hello(0)
        sits_down(inn.host, ant, alone=False)
        inn.want("ant guest", "ant bee", alone=[2])
        await inn.settle()
        assert inn.sessions.free("ant", "caravan", 1) == 1
        assert inn.running() == ["ant"]
