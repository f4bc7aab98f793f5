"""The host gives some matches a program of their own: it has played nothing before, and plays nothing else."""

from tests.unit.hosting.host_fixture import OTHER_VERSION, HostFixture, drop_seats, with_host
from tests.unit.hosting.sample_submissions import a_content, admit

SECOND_MS = 1_000


@with_host("ant", "bee")
async def test_a_program_that_has_just_come_is_fresh_until_it_has_a_seat(hosting: HostFixture) -> None:
    await hosting.prepare("ant bee", alone=[1])
    assert hosting.host.unused_process("ant") == 0  # it has not said hello
    ant = hosting.hello(0)
    assert hosting.host.unused_process("ant") == ant.identity.program == 1
    assert hosting.host.unused_process("bee") == hosting.host.unused_process("guest") == 0
    hosting.host.note_seated(ant.identity, isolated=False)
    assert hosting.host.unused_process("ant") == 0


async def test_an_isolated_process_plays_one_match_and_leaves(hosting: HostFixture) -> None:
    ant = await hosting.connect("ant guest", alone=[1], capacity=4)
    hosting.seat(ant, isolated=True)
    assert hosting.sessions.free("ant", "caravan", 1) == 0
    await hosting.prepare("ant guest", alone=[1])
    assert [len(hosting.started), hosting.running()] == [1, ["ant"]]
    drop_seats(ant)
    hosting.timers.move(2 * SECOND_MS)  # also if no other match waits
    await hosting.settle()
    await hosting.prepare("ant guest", alone=[1])
    assert len(hosting.started) == 1  # it leaves, and has not left
    await hosting.end(0)
    assert hosting.running() == []
    await hosting.prepare("ant guest", alone=[1])
    assert [running.bot for running in hosting.started] == ["ant", "ant"]
    again = hosting.hello(1)
    assert again.identity.program == hosting.host.unused_process("ant") == 2


@with_host("ant", "bee")
async def test_a_warm_program_plays_its_matches_to_the_end_and_makes_way(hosting: HostFixture) -> None:
    ant = await hosting.connect("ant guest", capacity=4)
    hosting.seat(ant, isolated=False)
    await hosting.prepare("ant bee", alone=[1])
    assert hosting.running() == ["ant"]  # and bee's is not started before it could begin
    assert hosting.sessions.free("ant", "caravan", 1) == 0
    drop_seats(ant)
    await hosting.prepare("ant bee", alone=[1])
    await hosting.end(0)
    await hosting.prepare("ant bee", alone=[1])
    assert hosting.running() == ["ant", "bee"]


@with_host("ant", "bee", slots=2)
async def test_a_match_that_waits_for_busy_processes_keeps_no_slots(hosting: HostFixture) -> None:
    ant = await hosting.connect("ant guest")
    hosting.seat(ant, isolated=False)
    assert await hosting.prepare("ant bee", "bee guest", alone=[1]) is None
    assert hosting.running() == ["ant", "bee"]
    drop_seats(ant)


async def test_a_process_of_the_old_version_is_not_unused(hosting: HostFixture) -> None:
    before = hosting.host.version("ant")
    await hosting.connect("ant guest", alone=[1])
    admit(hosting.store, "ant", a_content(OTHER_VERSION))
    await hosting.host.load()
    assert (hosting.host.version("ant"), hosting.host.version("guest")) == (OTHER_VERSION, "")
    assert before != OTHER_VERSION
    assert hosting.host.unused_process("ant") == 0


@with_host("ant", "bee")
async def test_a_bot_that_makes_way_plays_no_more_matches_at_once_than_before(hosting: HostFixture) -> None:
    await hosting.prepare("ant guest")
    for number in range(3):  # it is asked for a younger match again and again, whenever there is room for one
        ant = hosting.hello(number) if len(hosting.started) > number else None
        if ant is not None:
            hosting.seat(ant, isolated=False)
        await hosting.prepare("ant bee", "ant guest", alone=[1])
    assert hosting.running() == ["ant"]
    for program in hosting.host._processes.values():
        for session in program.sessions:
            drop_seats(session)


@with_host("ant", "bee")
async def test_a_match_that_waited_before_still_gets_the_warm_program(hosting: HostFixture) -> None:
    ant = await hosting.connect("ant guest")
    hosting.host.note_seated(ant.identity, isolated=False)
    await hosting.prepare("ant guest", "ant bee", alone=[2])
    assert hosting.sessions.free("ant", "caravan", 1) == 1
    assert hosting.running() == ["ant"]
