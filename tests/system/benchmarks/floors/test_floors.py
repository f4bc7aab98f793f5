"""Floors repeat the frames of a match to the bots of the benchmark, which cannot tell them from an arena."""

import asyncio
from contextlib import ExitStack
from pathlib import Path

import pytest

from arena.v1 import play_pb2
from benchmarks.floors.script import Pair, Script
from benchmarks.processes.worker import Worker

LISTED = 7
SCRIPT = Script(
    tuple(
        (
            number % 2,
            play_pb2.PlayResponse(
                messages=[
                    play_pb2.ServerMessage(
                        decision=play_pb2.Decision(
                            assignment=1, decision=number // 2 + 1, packed_legal_actions=range(LISTED)
                        )
                    )
                ]
            ).SerializeToString(),
        )
        for number in range(6)
    )
)


class Stream:
    """Keeps what is written to it."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []

    async def write(self, frame: bytes) -> None:
        self.frames.append(frame)


def test_a_script_is_read_back_as_it_was_saved(tmp_path: Path) -> None:
    SCRIPT.save(tmp_path / "script")
    assert Script.load(tmp_path / "script") == SCRIPT


async def seated(streams: tuple[Stream, Stream], script: Script = SCRIPT) -> Pair:
    """Return a pair whose seats are taken."""
    pair = Pair(0, script)
    for stream in streams:
        await pair.join(stream)
    return pair


async def test_each_answer_brings_the_next_frame_to_the_seat_it_was_for_over_and_over() -> None:
    left, right = streams = (Stream(), Stream())
    pair = await seated(streams)
    for call in (pair.ready, pair.ready, *[pair.answered] * 7):
        await call()
    frames = [frame for _, frame in SCRIPT.frames]
    assert left.frames[1:] == [frames[0], frames[2], frames[4], frames[0]]
    assert right.frames[1:] == [frames[1], frames[3], frames[5], frames[1]]


class SlowStream(Stream):
    """A stream of gRPC: its frame is out before the write is over, and it takes no other one until then."""

    def __init__(self) -> None:
        super().__init__()
        self.is_writing = False

    async def write(self, frame: bytes) -> None:
        assert not self.is_writing
        self.is_writing = True
        self.frames.append(frame)
        await asyncio.sleep(0)
        self.is_writing = False


async def test_an_answer_that_comes_before_the_write_is_over_does_not_break_the_stream() -> None:
    streams = (SlowStream(), SlowStream())
    pair = await seated(streams, Script(tuple((0, frame) for _, frame in SCRIPT.frames)))  # all to one seat
    await asyncio.gather(pair.ready(), pair.ready(), *(pair.answered() for _ in range(3)))
    assert [len(stream.frames) - 1 for stream in streams] == [4, 0]


async def test_nothing_is_asked_before_both_seats_are_ready() -> None:
    streams = (Stream(), Stream())
    await (await seated(streams)).ready()
    assert [stream.frames[1:] for stream in streams] == [[], []]


@pytest.mark.parametrize(
    ("module", "scheme"),
    [("benchmarks.floors.grpc_echo", "unix"), ("benchmarks.floors.socket_echo", "socket")],
)
def test_bots_play_on_a_floor_as_they_do_in_an_arena(tmp_path: Path, module: str, scheme: str) -> None:
    socket, file = tmp_path / "floor.sock", tmp_path / "script"
    SCRIPT.save(file)
    with Worker(module, str(socket), str(file)) as floor, Worker("benchmarks.clients.program") as bots:
        assert floor.answer() == "open"
        address = f"{scheme}://{socket}"
        assert bots.ask("connect", address=address, tokens=["", "", "", ""], game="caravan", matches=1) == 4
        first, second = (bots.ask("play", seconds=0.1) for _ in range(2))
        assert bots.ask("ends")["troubles"] == []
    for seen in (first, second):
        assert seen["decisions"] > 0
        assert seen["legal_actions"] == LISTED * seen["decisions"]
        assert seen["frames"] == seen["decisions"]
        # Of each pair one decision is open when the gates close, and its answer is kept.
        assert seen["decisions"] - 4 <= len(seen["waits_ns"]) <= seen["decisions"]


def test_the_bot_behind_a_web_server_answers_the_same_decisions(tmp_path: Path) -> None:
    file = tmp_path / "script"
    SCRIPT.save(file)
    with ExitStack() as stack:
        port = stack.enter_context(Worker("benchmarks.floors.http_bot")).answer()
        asker = stack.enter_context(Worker("benchmarks.floors.http_asker", str(file), str(port)))
        seen = asker.ask("play", seconds=0.05)
    assert seen["decisions"] > 0
