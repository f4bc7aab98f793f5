"""How a bot leaves: it takes no more matches, finishes the running ones and half-closes."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.sdk.client import ExitCode
from arena.v1 import play_pb2
from tests.unit.sdk.bots import Second
from tests.unit.sdk.conftest import Play
from tests.unit.sdk.scripted_arena import Line, an_arena, an_end

DONE = play_pb2.Goodbye.CODE_DONE

PROGRAM = """
import arena.sdk

class First(arena.sdk.Bot):
    name = "first"
    games = ("caravan",)

    def choose(self, observation, legal_actions, clock):
        return 0

arena.sdk.run(First)
"""


async def _half_close_and_goodbye(line: Line) -> None:
    await line.expect_half_close()
    await line.goodbye(DONE)


ENDS: dict[str, Any] = {
    "match_ended": an_end(),
    "withdrawn": play_pb2.Withdrawn(assignment=1),
    "warning": play_pb2.Warning(code=play_pb2.Warning.CODE_NO_SHOW, assignment=1),
}
"""Ways in which a bot loses its seat."""


@pytest.mark.parametrize("end", [None, *ENDS])
def test_a_leaving_bot_finishes_its_match_before_it_half_closes(play: Play, end: str | None) -> None:
    """`end`: of its only match; None: it plays none, and leaves at once."""
    leave = asyncio.Event()

    async def script(line: Line) -> None:
        await line.welcome()
        await (line.start() if end else line.ping())
        leave.set()
        assert (await line.expect("capacity")).matches == 0
        if end == "match_ended":
            await line.ask()
        if end is not None:
            await line.send(**{end: ENDS[end]})
        await _half_close_and_goodbye(line)

    assert play(Second, script, leave=leave) == ExitCode.DONE


def test_a_leaving_bot_that_loses_its_connection_comes_back_to_finish(play: Play) -> None:
    leave = asyncio.Event()

    async def before(line: Line) -> None:
        await line.welcome(resume_token="first")
        await line.start()
        leave.set()
        await line.expect("capacity")
        await line.abort(grpc.StatusCode.UNAVAILABLE, "gone")

    async def after(line: Line) -> None:
        hello = await line.welcome(resumed=True)
        assert hello.capacity.matches == 0
        await line.expect("capacity")
        await line.send(match_ended=an_end())
        await _half_close_and_goodbye(line)

    assert play(Second, before, after, leave=leave) == ExitCode.DONE


def test_a_goodbye_to_a_leaving_bot_is_the_end_whatever_it_says(play: Play) -> None:
    leave = asyncio.Event()

    async def script(line: Line) -> None:
        await line.welcome()
        await line.start()
        leave.set()
        await line.expect("capacity")
        await line.goodbye(play_pb2.Goodbye.CODE_SHUTTING_DOWN, come_back=True)

    assert play(Second, script, leave=leave) == ExitCode.DONE


def _start(environ: dict[str, str]) -> subprocess.Popen[str]:
    root = Path(__file__).resolve().parents[3]
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(root)} | environ,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_program_without_an_address_says_so_in_one_sentence() -> None:
    with _start({}) as program:
        _, errors = program.communicate(timeout=30)
    assert program.returncode == ExitCode.USAGE
    assert "ARENA_ADDRESS" in errors
    assert errors.count("\n") == 1


def test_a_program_leaves_in_good_order_when_it_is_terminated(
    loop: asyncio.Runner, socket_folder: Path
) -> None:
    async def conversation() -> tuple[int, str]:
        started: asyncio.Future[subprocess.Popen[str]] = asyncio.get_running_loop().create_future()

        async def script(line: Line) -> None:
            assert line.metadata["authorization"] == "Bearer a-token"
            await line.welcome()
            await line.start()
            (await started).send_signal(signal.SIGTERM)
            assert (await line.expect("capacity")).matches == 0
            await line.ask()
            await line.send(match_ended=an_end())
            await _half_close_and_goodbye(line)

        async with an_arena(socket_folder, script) as endpoint:
            environ = {"ARENA_ADDRESS": endpoint.address, "ARENA_TOKEN": endpoint.token}
            with _start(environ) as program:
                started.set_result(program)
                _, errors = await asyncio.to_thread(program.communicate, timeout=30)
            return program.returncode, errors

    code, errors = loop.run(conversation())
    assert code == ExitCode.DONE, errors
    assert "Traceback" not in errors
