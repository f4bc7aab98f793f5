"""Which worker plays a match, and how many programs all of them run at once."""

import asyncio
import socket
from collections import Counter
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from arena.hosting.environment import MOST_WORKERS
from arena.sandbox.sandbox import UIDS
from arena.server.match_workers import messages
from arena.server.match_workers.channel import Channel
from arena.server.match_workers.match_workers import MatchWorkers
from arena.server.metered_log import MatchCounts

BOTS = ("ant", "bee", "cat", "dog", "elk", "fox")


class WorkersOfTest(MatchWorkers):
    """Workers without processes: the test says what they would."""

    def __init__(self, workers: int, places: int) -> None:
        environment: Any = SimpleNamespace(workers=workers)
        super().__init__(
            environment,
            data=Path(),
            places=places,
            changed=lambda: None,
            counts=MatchCounts(),
            audit=lambda *_, **__: None,
            json_logs=False,
        )
        self.sent: list[tuple[str, object]] = []
        for worker in self._workers:
            worker.heard = True
            worker.send = lambda message, name=worker.name: self.sent.append((name, message))  # type: ignore[method-assign, misc]

    def begin(self, *bots: str) -> str:
        """Begin a match for which there is room; return the worker that plays it."""
        ticket: Any = SimpleNamespace(setup=SimpleNamespace(match=1), bots=bots)
        self.start(ticket)
        worker, message = self.sent[-1]
        assert isinstance(message, messages.Play)
        playing = next(each for each in self._workers if each.name == worker)
        playing.programs = Counter(bots)
        return worker

    def end(self, worker: str) -> None:
        """Let go of the match of a worker, which keeps its programs."""
        match = next(each.match for each in self._workers if each.name == worker)
        assert match is not None
        match.close(None)

    @property
    def held(self) -> int:
        return sum(each.held for each in self._workers)


async def test_a_match_goes_to_the_worker_that_runs_its_programs_already() -> None:
    workers = WorkersOfTest(3, 12)
    first, second = workers.begin("ant", "bee"), workers.begin("cat", "dog")
    workers.end(first)
    workers.end(second)
    assert workers.idle == 3
    assert workers.begin("dog", "cat") == second
    assert workers.begin("elk", "fox") not in {first, second}


async def test_programs_that_only_wait_make_room_for_a_match_of_another_worker() -> None:
    workers = WorkersOfTest(2, 4)
    first = workers.begin("ant", "bee")
    second = workers.begin("cat", "dog")
    workers.end(first)
    assert not workers.room_for(["ant", "bee", "elk"])
    assert workers.sent[-1] == (first, messages.LeavePrograms())
    assert workers.room_for(["elk", "fox"]), "in place of the programs that wait"
    workers.end(second)
    assert workers.begin("cat", "dog") == second
    assert not workers.room_for(["ant", "bee", "elk"])
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
        workers = WorkersOfTest(4, 8)
        for ends, seats, number in steps:
            worker = workers._workers[number]
            if ends and worker.match is not None:
                workers.end(worker.name)
                worker.programs.clear()
            elif workers.room_for(BOTS[:seats]):
                workers.begin(*BOTS[:seats])
            assert workers.held <= 8

    asyncio.run(check())


def test_no_two_workers_share_a_uid_nor_one_with_the_arena() -> None:
    workers = WorkersOfTest(MOST_WORKERS, 12)
    environment: Any = SimpleNamespace(
        sandbox=SimpleNamespace(runtimes=SimpleNamespace(added={})), work=SimpleNamespace(path=Path())
    )
    workers._environment = environment
    ranges = [workers._settings(worker).uids for worker in workers._workers]
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
    workers = WorkersOfTest(4, 12)

    def needed() -> int:
        return sum(each.needed.is_set() for each in workers._workers)

    assert needed() == 0
    workers.ready_for(1)
    assert needed() == 1
    workers.begin("ant", "bee")
    workers.ready_for(2)
    assert needed() == 3
    workers.ready_for(9)
    assert needed() == 4
