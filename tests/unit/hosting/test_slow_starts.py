"""A program that says no hello in time: by its own fault, or because it got no processor."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.hosting.host import process as programs
from arena.sandbox.processor_time import ProcessorReading
from tests.unit.hosting.host_fixture import HostFixture, with_host
from tests.unit.runner.fakes import MatchFixture

NS_PER_S = 1_000_000_000
SECOND_MS = 1_000


@pytest.fixture(autouse=True)
def looks_all_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "_LOOK_S", 0.0)


def has(*, used: float = 0, waited: float = 0, taken: float = 1_000, waits: bool = False) -> ProcessorReading:
    """Return the processor time of a process, in seconds."""
    return ProcessorReading(
        round(used * NS_PER_S), 0, round(waited * NS_PER_S), waits, round(taken * NS_PER_S)
    )


async def looked_at(host_fixture: HostFixture) -> None:
    """Wait until the process has been checked."""
    for _ in range(10):
        await host_fixture.settle()


async def start(host_fixture: HostFixture) -> None:
    host_fixture.want("ant guest")
    await looked_at(host_fixture)
    assert host_fixture.running() == ["ant"]


def test_time_in_which_a_program_could_not_run_does_not_count_until_its_hello(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        await start(host_fixture)
        host_fixture.started[0].reading = has(used=2, waited=20)
        host_fixture.timers.move(29 * SECOND_MS)
        await looked_at(host_fixture)
        assert host_fixture.running() == ["ant"]
        host_fixture.timers.move(2 * SECOND_MS)
        await looked_at(host_fixture)
        assert host_fixture.host.stats.ends == {"silent": 1}


def test_nor_does_time_in_which_the_arena_stood_still(tmp_path: Path) -> None:
    """A busy machine holds up both: what a program waits while the arena does, too, is not lost."""

    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        host_fixture.stall_ns = 15 * NS_PER_S
        await start(host_fixture)
        host_fixture.started[0].reading = has(used=2, waited=20)
        host_fixture.timers.move(29 * SECOND_MS)
        await looked_at(host_fixture)
        assert host_fixture.running() == ["ant"]


def test_a_wait_that_nobody_else_can_be_to_blame_for_counts(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        await start(host_fixture)
        host_fixture.started[0].reading = has(used=2, waited=20, taken=0.5, waits=True)
        host_fixture.timers.move(9 * SECOND_MS)
        await looked_at(host_fixture)
        assert host_fixture.running() == ["ant"]
        host_fixture.timers.move(2 * SECOND_MS)
        await looked_at(host_fixture)
        assert host_fixture.host.stats.ends == {"silent": 1}


def test_who_gets_no_processor_for_two_minutes_is_ended_without_blame(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        await start(host_fixture)
        host_fixture.started[0].reading = has(waited=119, waits=True)
        host_fixture.timers.move(119 * SECOND_MS)
        await looked_at(host_fixture)
        assert host_fixture.running() == ["ant"]
        host_fixture.timers.move(SECOND_MS)
        await looked_at(host_fixture)
        assert host_fixture.host.stats.ends == {"starved": 1}
        assert not (await host_fixture.stored("ant")).benched
        assert not host_fixture.host.is_there("ant")


def test_where_the_machine_tells_nothing_all_time_counts(tmp_path: Path) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        await start(host_fixture)
        host_fixture.timers.move(9 * SECOND_MS)
        await looked_at(host_fixture)
        assert host_fixture.running() == ["ant"]
        host_fixture.timers.move(SECOND_MS)
        await looked_at(host_fixture)
        assert host_fixture.host.stats.ends == {"silent": 1}


def test_a_program_is_looked_at_while_something_is_expected_of_it_and_not_all_the_time(
    tmp_path: Path,
) -> None:
    @with_host(tmp_path, "ant")
    async def _(host_fixture: HostFixture) -> None:
        await start(host_fixture)
        session = host_fixture.hello(0)
        await host_fixture.settle()
        host_fixture.started[0].reading = has(used=1)

        def looks_after(ms: int) -> int:
            before = host_fixture.started[0].looks
            host_fixture.timers.move(ms)
            host_fixture.host.look_at_processors(host_fixture.timers.now())
            return host_fixture.started[0].looks - before

        assert looks_after(1_000) == 0  # nothing is expected
        room = MatchFixture(2)
        room.players[0] = session.new_seat()  # type: ignore[call-overload]
        room.runner.offer()
        assert looks_after(5) == 1  # it is to take its seat
        assert [looks_after(ms) for ms in (45, 4, 1, 50)] == [0, 0, 1, 1]
        for player in room.players:
            player.match.ready(player.seat)
        assert looks_after(100) == 0  # it is not asked before its question is written
