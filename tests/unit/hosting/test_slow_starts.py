"""A program that says no hello in time: by its own fault, or because it got no processor."""

import pytest

from arena.hosting.host import process as programs
from arena.sandbox.processor_time import ProcessorReading
from tests.unit.hosting.host_fixture import HostFixture
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


@pytest.mark.parametrize(
    ("reading", "stall_s", "waits_s", "end"),
    [
        (has(used=2, waited=20), 0, 30, "silent"),
        (has(used=2, waited=20), 15, 30, ""),
        (has(used=2, waited=20, taken=0.5, waits=True), 0, 10, "silent"),
        (has(waited=119, waits=True), 0, 120, "starved"),
        (None, 0, 10, "silent"),
    ],
    ids=["waiting", "waiting while the arena stalls", "own wait", "no processor", "no statistics"],
)
async def test_time_without_a_processor_does_not_count_until_hello(
    hosting: HostFixture, reading: ProcessorReading | None, stall_s: int, waits_s: int, end: str
) -> None:
    """A busy machine holds up both: what a process waits while the arena stalls is not lost."""
    hosting.stall_ns = stall_s * NS_PER_S
    await start(hosting)
    hosting.started[0].reading = reading
    hosting.timers.move((waits_s - 1) * SECOND_MS)
    await looked_at(hosting)
    assert hosting.running() == ["ant"]
    if end:
        hosting.timers.move(2 * SECOND_MS)
        await looked_at(hosting)
        assert hosting.host.stats.ends == {end: 1}
    if end == "starved":
        assert not (await hosting.stored("ant")).suspended
        assert not hosting.host.is_there("ant")


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
