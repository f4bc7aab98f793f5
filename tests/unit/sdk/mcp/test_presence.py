"""The agent's bot at an arena that does what a test says, over real gRPC."""

import asyncio
from pathlib import Path

import pytest

from arena.sdk.mcp.arguments import Join, Wait
from arena.sdk.mcp.calls import Calls
from arena.sdk.mcp.errors import Reason, RefusedCallError
from arena.sdk.mcp.presence import Presence
from arena.sdk.mcp.seats import Seats
from arena.sdk.settings import Endpoint
from arena.v1 import play_pb2
from tests.unit.sdk.scripted_arena import Line, Script, an_arena

GOODBYE = play_pb2.Goodbye


class Agent:
    """An agent of one test."""

    def __init__(self, endpoint: Endpoint, within_s: float = 10.0, bot: str = "tester") -> None:
        """`bot`: its name at the command line; the arena of these tests welcomes the tester."""
        self.seats = Seats()
        self.presence = Presence(bot, endpoint, self.seats, within_s)
        self.calls = Calls(self.presence, self.seats, None)

    async def refusal(self, arguments: Join | Wait) -> Reason:
        with pytest.raises(RefusedCallError) as why:
            await (self.calls.join(arguments) if isinstance(arguments, Join) else self.calls.wait(arguments))
        return why.value.reason


def run(loop: asyncio.Runner, folder: Path, test: object, *scripts: Script) -> None:
    async def whole() -> None:
        async with an_arena(folder, *scripts) as endpoint:
            agent = Agent(endpoint)
            try:
                await test(agent)  # type: ignore[operator]
            finally:
                await agent.presence.close()

    loop.run(whole())


def test_join_says_once_more_that_it_is_connected_and_matches_0_leaves(
    loop: asyncio.Runner, socket_folder: Path
) -> None:
    hellos: list[play_pb2.Hello] = []

    async def arena(line: Line) -> None:
        hellos.append(await line.welcome())
        assert (await line.expect("capacity")).matches == 0
        await line.expect_half_close()
        await line.goodbye(GOODBYE.CODE_DONE)

    async def test(agent: Agent) -> None:
        for _ in range(2):
            reply = await agent.calls.join(Join(game="caravan", matches=3))
            assert reply.fields["games"] == ["caravan"]
        await agent.calls.join(Join(matches=0))
        assert await agent.refusal(Wait(seconds=60)) is Reason.NOT_JOINED

    run(loop, socket_folder, test, arena)
    (hello,) = hellos
    assert [each.game for each in hello.games] == ["caravan"]
    assert (hello.capacity.matches, hello.capacity.open_decisions) == (3, 3)


def test_the_token_of_another_bot_is_refused(loop: asyncio.Runner, socket_folder: Path) -> None:
    async def arena(line: Line) -> None:
        await line.welcome()
        await asyncio.Event().wait()  # until the agent's program ends the call

    async def whole() -> None:
        async with an_arena(socket_folder, arena) as endpoint:
            agent = Agent(endpoint, bot="rival")
            try:
                assert await agent.refusal(Join()) is Reason.REFUSED
                assert await agent.refusal(Wait(seconds=60)) is Reason.NOT_JOINED
            finally:
                await agent.presence.close()

    loop.run(whole())


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (GOODBYE.CODE_REPLACED, Reason.REFUSED),
        (GOODBYE.CODE_SHUTTING_DOWN, Reason.UNREACHABLE),
    ],
)
def test_an_arena_that_says_goodbye_before_the_welcome_is_told_with_its_sentence(
    loop: asyncio.Runner, socket_folder: Path, code: play_pb2.Goodbye.Code.ValueType, reason: Reason
) -> None:
    async def arena(line: Line) -> None:
        await line.expect("hello")
        await line.goodbye(code, sentence="Another program plays as the bot.")

    async def test(agent: Agent) -> None:
        assert await agent.refusal(Join()) is reason
        assert await agent.refusal(Wait()) is reason
        assert "Another program plays" in agent.presence.trouble

    run(loop, socket_folder, test, arena)


def test_an_arena_that_is_not_there_is_told_and_tried_again(
    loop: asyncio.Runner, socket_folder: Path
) -> None:
    async def whole() -> None:
        agent = Agent(Endpoint(f"unix://{socket_folder}/nothing", ""), within_s=0.0)
        assert await agent.refusal(Join()) is Reason.UNREACHABLE
        reply = await agent.calls.wait(Wait(seconds=0))
        assert (reply.fields["reason"], reply.fields["connected"]) == ("TIMEOUT", False)
        await agent.presence.close()

    loop.run(whole())
