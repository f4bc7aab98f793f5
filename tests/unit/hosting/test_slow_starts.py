"""A program that says no hello in time: by its own fault, or because it got no processor."""

from __future__ import annotations

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


async def looked_at(hosting: HostFixture) -> None:
    """Wait until the process has been checked."""
    for _ in range(10):
        await hosting.settle()


async def start(hosting: HostFixture) -> None:
    await hosting.prepare("ant guest")
    await looked_at(hosting)
    assert hosting.running() == ["ant"]


@with_host("ant")
async def test_time_without_a_processor_does_not_count_until_hello(hosting: HostFixture) -> None:
    await start(hosting)
    hosting.started[0].reading = has(used=2, waited=20)
    hosting.timers.move(29 * SECOND_MS)
    await looked_at(hosting)
    assert hosting.running() == ["ant"]
    hosting.timers.move(2 * SECOND_MS)
    await looked_at(hosting)
    assert hosting.host.stats.ends == {"silent": 1}


@with_host("ant")
async def test_nor_does_time_in_which_the_arena_stood_still(hosting: HostFixture) -> None:
    """A busy machine holds up both: what a program waits while the arena does, too, is not lost."""
    hosting.stall_ns = 15 * NS_PER_S
    await start(hosting)
    hosting.started[0].reading = has(used=2, waited=20)
    hosting.timers.move(29 * SECOND_MS)
    await looked_at(hosting)
    assert hosting.running() == ["ant"]


@with_host("ant")
async def test_a_wait_that_nobody_else_can_be_to_blame_for_counts(hosting: HostFixture) -> None:
    await start(hosting)
    hosting.started[0].reading = has(used=2, waited=20, taken=0.5, waits=True)
    hosting.timers.move(9 * SECOND_MS)
    await looked_at(hosting)
    assert hosting.running() == ["ant"]
    hosting.timers.move(2 * SECOND_MS)
    await looked_at(hosting)
    assert hosting.host.stats.ends == {"silent": 1}


@with_host("ant")
async def test_who_gets_no_processor_for_two_minutes_is_ended_without_blame(hosting: HostFixture) -> None:
    await start(hosting)
    hosting.started[0].reading = has(waited=119, waits=True)
    hosting.timers.move(119 * SECOND_MS)
    await looked_at(hosting)
    assert hosting.running() == ["ant"]
    hosting.timers.move(SECOND_MS)
    await looked_at(hosting)
    assert hosting.host.stats.ends == {"starved": 1}
    assert not (await hosting.stored("ant")).benched
    assert not hosting.host.is_there("ant")


@with_host("ant")
async def test_where_the_machine_tells_nothing_all_time_counts(hosting: HostFixture) -> None:
    await start(hosting)
    hosting.timers.move(9 * SECOND_MS)
    await looked_at(hosting)
    assert hosting.running() == ["ant"]
    hosting.timers.move(SECOND_MS)
    await looked_at(hosting)
    assert hosting.host.stats.ends == {"silent": 1}


@with_host("ant")
async def test_processor_time_is_read_only_while_it_matters(hosting: HostFixture) -> None:
    await start(hosting)
    session = hosting.hello(0)
    await hosting.settle()
    hosting.started[0].reading = has(used=1)

    def looks_after(ms: int) -> int:
        before = hosting.started[0].looks
        hosting.timers.move(ms)
        hosting.host.look_at_processors(hosting.timers.now())
        return hosting.started[0].looks - before

    assert looks_after(1_000) == 0  # nothing is expected
    fixture = MatchFixture(2)
    fixture.players[0] = session.new_seat()  # type: ignore[call-overload]
    fixture.runner.offer()
    assert looks_after(5) == 1  # it is to take its seat
    assert [looks_after(ms) for ms in (45, 4, 1, 50)] == [0, 0, 1, 1]
    for player in fixture.players:
        player.match.ready(player.seat)
    assert looks_after(100) == 0  # it is not asked before its question is written
