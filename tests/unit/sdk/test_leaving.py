"""How a bot leaves: it takes no more matches, finishes the running ones and half-closes."""

import asyncio
from typing import Any

import grpc
import pytest

from arena.sdk import run
from arena.sdk.client import ExitCode
from arena.v1 import play_pb2
from tests.unit.sdk.bots import Second
from tests.unit.sdk.conftest import Play
from tests.unit.sdk.scripted_arena import Line, an_end

DONE = play_pb2.Goodbye.CODE_DONE


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


def test_a_program_without_an_address_says_so_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("ARENA_ADDRESS", raising=False)
    with pytest.raises(SystemExit) as ended:
        run(Second)
    assert ended.value.code == ExitCode.USAGE
    [line] = caplog.messages
    assert "ARENA_ADDRESS" in line
    assert "\n" not in line
