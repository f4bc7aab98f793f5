"""Which worker plays a match, and how many programs all of them run at once."""

import asyncio
import os
import pickle
import socket
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.endings.arena_faults import ArenaFault
from arena.core.match import DebugLine, MatchResult, MatchState
from arena.hosting.environment import MOST_WORKERS
from arena.sandbox.sandbox import UIDS
from arena.scheduling.dispatch import (
    MatchLostError,
    MatchNeeds,
    MatchTicket,
    PlayedMatch,
    TimeTotals,
    places_of,
)
from arena.server.match_workers import messages
from arena.server.match_workers.channel import Channel, pack, unpack_checked
from arena.server.match_workers.machine import Refusal, WorkerLink
from arena.server.match_workers.match_workers import MatchWorkers
from arena.server.match_workers.this_machine import worker_uids
from arena.server.metered_log import MatchCounts, TimeCounts
from arena.store.json_columns import VersionProgram
from tests.unit.store.store_fixture import a_program

BOTS = ("ant", "bee", "cat", "dog", "elk", "fox")


@dataclass
class MachineOfTest:
    """A machine without processes: the test says what its workers would."""

    name: str = ""
    workers: int = 2
    places: int = 12
    kind: str = "one"
    lacking: tuple[str, ...] = ()
    cores: int = 64

    def can_run(self, program: VersionProgram) -> bool:
        return program.runtime not in self.lacking and program.cores <= self.cores

    async def start_worker(self, number: int, name: str) -> WorkerLink:
        raise AssertionError

    async def clear(self) -> None:
        raise AssertionError


@dataclass
class ReportsOfTest:
    """Notes what is told of machines."""

    told: list[tuple[object, ...]] = field(default_factory=list)

    def finished(self, machine: str, ticket: MatchTicket, played: PlayedMatch) -> None:
        self.told.append(("finished", machine))

    def lost(self, machine: str, match: int) -> None:
        self.told.append(("lost", machine, match))

    def refused(self, machine: str, reason: Refusal, match: int) -> None:
        self.told.append((reason, machine, match))

    def stalled(self, machine: str, seconds: float) -> None:
        self.told.append(("stalled", machine, seconds))


def program(**other: Any) -> VersionProgram:
    return replace(a_program(), **other)


def needs(*bots: str, group: int = 1, **other: Any) -> MatchNeeds:
    """Return what a match needs. `other`: fields of the programs."""
    return MatchNeeds(dict.fromkeys(bots, program(**other)), group)


class WorkersOfTest(MatchWorkers):
    """Workers without processes: the test says what they would."""

    def __init__(self, *machines: MachineOfTest) -> None:
        self.counted = MatchCounts()
        super().__init__(changed=lambda: None, counts=self.counted, audit=lambda *_, **__: None)
        self.reports = self.noted = ReportsOfTest()
        self.sent: list[tuple[str, object]] = []
        for machine in machines:
            self.add(machine)

    def add(self, machine: MachineOfTest) -> None:
        self.attach(machine)
        for worker in self._machines[machine.name].workers:
            worker.heard = True
            worker.send = lambda message, name=worker.name: self.sent.append((name, message))  # type: ignore[method-assign, misc]

    def begin(
        self, *bots: str, match: int = 1, group: int = 1, other_than: str | None = None, **other: Any
    ) -> str:
        """Begin a match for which there is room; return the worker that plays it."""
        ticket: Any = SimpleNamespace(
            setup=SimpleNamespace(match=match), bots=bots, needs=needs(*bots, group=group, **other)
        )
        self.start(ticket, other_than=other_than)
        worker, message = self.sent[-1]
        assert isinstance(message, messages.Play)
        playing = next(each for each in self._all() if each.name == worker)
        playing.programs = Counter(bots)
        return worker

    def end(self, worker: str) -> None:
        """Let go of the match of a worker, which keeps its programs."""
        match = next(each.match for each in self._all() if each.name == worker)
        assert match is not None
        match.close(None)

    @property
    def held(self) -> int:
        return sum(each.held for each in self._all())


async def test_a_match_goes_to_the_worker_that_runs_its_programs_already() -> None:
    workers = WorkersOfTest(MachineOfTest(workers=3))
    first, second = workers.begin("ant", "bee"), workers.begin("cat", "dog")
    workers.end(first)
    workers.end(second)
    assert workers.idle == 3
    assert workers.begin("dog", "cat") == second
    assert workers.begin("elk", "fox") not in {first, second}


async def test_programs_that_only_wait_make_room_for_a_match_of_another_worker() -> None:
    workers = WorkersOfTest(MachineOfTest(workers=2, places=4))
    first = workers.begin("ant", "bee")
    second = workers.begin("cat", "dog")
    workers.end(first)
    assert not workers.room_for(needs("ant", "bee", "elk"))
    assert workers.sent[-1] == (first, messages.LeavePrograms())
    assert workers.room_for(needs("elk", "fox")), "in place of the programs that wait"
    workers.end(second)
    assert workers.begin("cat", "dog") == second
    assert not workers.room_for(needs("ant", "bee", "elk"))
    assert workers.sent[-1] == (first, messages.LeavePrograms())


@given(
    st.lists(
        st.tuples(st.booleans(), st.integers(2, 6), st.integers(0, 3)),
        max_size=40,
    )
)
def test_no_more_programs_are_needed_at_once_than_there_are_places(
    steps: list[tuple[bool, int, int]],
) -> None:
    async def check() -> None:
        workers = WorkersOfTest(MachineOfTest(workers=4, places=8))
        for ends, seats, number in steps:
            worker = workers._all()[number]
            if ends and worker.match is not None:
                workers.end(worker.name)
                worker.programs.clear()
            elif workers.room_for(needs(*BOTS[:seats])):
                workers.begin(*BOTS[:seats])
            assert workers.held <= 8

    asyncio.run(check())


def test_no_two_workers_share_a_uid_nor_one_with_the_arena() -> None:
    ranges = [worker_uids(number) for number in range(1, MOST_WORKERS + 1)]
    used = [uid for first, end in ranges for uid in range(first, end)]
    assert len(used) == len(set(used))
    assert all(end - first >= len(BOTS) for first, end in ranges)
    assert set(used) <= set(UIDS)


async def test_a_message_arrives_whole_and_a_mapping_as_one() -> None:
    ours, theirs = map(Channel.of, socket.socketpair())
    here, there = await ours, await theirs
    here.send(messages.SendLines(7, 1))
    here.send(MappingProxyType({"camels": "4"}))
    here.close()
    assert await there.receive() == messages.SendLines(7, 1)
    assert await there.receive() == {"camels": "4"}
    assert await there.receive() is None
    there.close()


async def test_only_as_many_workers_are_started_as_there_were_matches_for() -> None:
    workers = WorkersOfTest(MachineOfTest(workers=4))

    def needed() -> int:
        return sum(each.needed.is_set() for each in workers._all())

    assert needed() == 0
    workers.ready_for(1)
    assert needed() == 1
    workers.begin("ant", "bee")
    workers.ready_for(2)
    assert needed() == 3
    workers.ready_for(9)
    assert needed() == 4


async def test_a_match_goes_to_the_machine_of_whose_workers_the_smallest_part_plays() -> None:
    workers = WorkersOfTest(MachineOfTest(workers=4), MachineOfTest("lab", workers=2))
    began = [workers.begin(*BOTS[:2], match=match, group=match) for match in range(1, 7)]
    assert sum("lab" in each for each in began) == 2
    assert "lab" in began[1]
    assert not workers.room_for(needs(*BOTS[:2]))


async def test_a_group_stays_on_machines_of_one_kind_while_there_is_one() -> None:
    workers = WorkersOfTest(MachineOfTest("old", workers=1), MachineOfTest("new", workers=2, kind="two"))
    first = workers.begin("ant", "bee", match=1, group=7)
    assert "old" in first
    assert not workers.room_for(needs("ant", "bee", group=7)), "the only machine of that kind is full"
    assert workers.room_for(needs("ant", "bee", group=8))
    workers.detach("old", "has left")
    assert "new" in workers.begin("ant", "bee", match=2, group=7)


async def test_no_match_begins_where_a_runtime_is_missing_and_none_on_a_drained_machine() -> None:
    workers = WorkersOfTest(MachineOfTest("plain", lacking=("java",)), MachineOfTest("whole"))
    assert workers.can_play([program(runtime="java")])
    workers.set_drained("whole", drained=True)
    assert not workers.can_play([program(runtime="java")])
    assert not workers.room_for(needs("ant", "bee", runtime="java"))
    assert workers.room_for(needs("ant", "bee"))
    workers.set_drained("whole", drained=False)
    assert workers.room_for(needs("ant", "bee", runtime="java"))


async def test_a_program_that_asks_for_more_takes_more_places() -> None:
    workers = WorkersOfTest(MachineOfTest(workers=3, places=8, cores=4))
    assert workers.can_play([program(cores=4), program(cores=4)])
    assert not workers.can_play([program(cores=4), program(cores=4), program()])
    assert not workers.can_play([program(cores=5)])
    first = workers.begin("ant", "bee", cores=3)
    assert workers.room_for(needs("cat", "dog"))
    assert not workers.room_for(needs("cat", "dog", "elk"))
    workers.end(first)
    assert workers.held == 6, "its programs wait for a next match"
    assert workers.room_for(needs("cat", "dog", "elk")), "they leave for it"


@pytest.mark.parametrize(
    ("cores", "memory_mib", "places"),
    [(1, 16, 1), (1, 512, 1), (1, 513, 2), (2, 1024, 2), (2, 1025, 3), (4, 16, 4)],
)
def test_a_place_has_one_core_and_512_mib(cores: int, memory_mib: int, places: int) -> None:
    assert places_of(program(cores=cores, memory_mib=memory_mib)) == places


async def test_places_are_those_of_machines_on_which_matches_begin() -> None:
    workers = WorkersOfTest(MachineOfTest(places=8), MachineOfTest("lab", places=20))
    assert (workers.places, workers.idle) == (28, 4)
    workers.set_drained("lab", drained=True)
    assert (workers.places, workers.idle) == (8, 2)
    workers.detach("lab", "has left")
    assert workers.places == 8


async def test_a_machine_that_is_lost_makes_its_matches_void_and_names_them() -> None:
    workers = WorkersOfTest(MachineOfTest("lab"))
    workers.begin("ant", "bee", match=5)
    match = next(worker.match for worker in workers._all() if worker.match is not None)
    workers.detach("lab", "did not answer for 20 s")
    with pytest.raises(MatchLostError) as lost:
        await match.played()
    assert lost.value.cause.fault is ArenaFault.WORKER
    assert dict(lost.value.cause.facts)["worker"] == "worker 1 of node lab"
    assert workers.noted.told == [("lost", "lab", 5)]


async def test_a_second_and_a_late_result_change_nothing_and_are_reported() -> None:
    """Rows 43 and 44 of docs/bad_inputs.md."""
    workers = WorkersOfTest(MachineOfTest("lab"))
    workers.host = SimpleNamespace(outcomes=None)  # type: ignore[assignment]
    workers.begin("ant", "bee", match=5)
    worker = next(worker for worker in workers._all() if worker.match is not None)
    first, second = played_match(plies=3), played_match(plies=4)
    workers._take(worker, messages.Over(5, first))
    workers._take(worker, messages.Over(5, second))
    assert worker.match is not None
    assert await worker.match.played() == first
    assert sum(workers.counted.think.counts) == 1
    worker.match.close(None)
    workers._take(worker, messages.Over(5, second))
    assert workers.noted.told == [(Refusal.SECOND, "lab", 5), (Refusal.LATE, "lab", 5)]


def played_match(plies: int) -> PlayedMatch:
    result = MatchResult(MatchState.FINISHED, "END", plies, (), 1, "", b"")
    times = TimeTotals((1, *[0] * (len(TimeCounts().counts) - 1)), 0.5)
    return PlayedMatch(result, (), (), None, times, times, ())


async def test_what_is_no_message_of_a_worker_ends_it_and_is_reported() -> None:
    class Link:
        async def receive(self) -> object:
            return ValueError("it is no message")

    workers = WorkersOfTest(MachineOfTest("lab"))
    workers.host = SimpleNamespace(outcomes=None)  # type: ignore[assignment]
    workers.begin("ant", "bee", match=5)
    worker = next(worker for worker in workers._all() if worker.match is not None)
    link: Any = Link()
    assert await workers._listen(worker, link)
    assert workers.noted.told == [(Refusal.IMPOSSIBLE, "lab", 5)]


@pytest.mark.parametrize(
    "message",
    [
        messages.Over(5, played_match(plies=3)),
        messages.Programs(("ant", "bee")),
        messages.Lines(5, 1, (DebugLine(3, "thinking"),)),
        messages.ProgramHello("ant", "1", 2, {"caravan": frozenset({1, 2})}, 0.25),
    ],
)
def test_what_a_node_sends_is_read_as_it_was_packed(message: object) -> None:
    assert unpack_checked(pack(message)) == message


class Hostile:
    """Runs a command where it is read, if that is done without a check."""

    def __init__(self, call: Any, *arguments: object) -> None:
        self._reduced = call, arguments

    def __reduce__(self) -> Any:
        return self._reduced


@pytest.mark.parametrize(
    "hostile",
    [
        Hostile(os.system, "true"),
        Hostile(eval, "1"),
        Hostile(getattr, {}, "keys"),
        Hostile(worker_uids, 1),
        Path("/"),
    ],
)
def test_what_a_node_sends_calls_nothing(hostile: object) -> None:
    with pytest.raises(ValueError, match="message"):
        unpack_checked(pickle.dumps(messages.Lines(1, 0, (hostile,))))  # type: ignore[arg-type]
