"""Agents: the official client of the Model Context Protocol, which starts `arena mcp` as programs with agents do."""

import random
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from subprocess import DEVNULL, Popen
from typing import IO, Any

from mcp import Client, StdioServerParameters, stdio_client

from arena.cli.framework.processes import without_arena
from arena.v1 import time_control_pb2, tournament_pb2
from tests.checkout import ROOT
from tests.system.play.arena_process import SLOW, WAIT_S, ArenaProcess
from tests.unit.cli.programs import environment

META_KEY = "arena.v1/result"


class Agent:
    """A client that is connected to the tools."""

    def __init__(self, client: Client, errors: IO[str]) -> None:
        self._client, self._errors = client, errors
        self.told: list[dict[str, str]] = []
        """All news."""
        self.last_words = ""
        """What the program has written on standard error, once it has ended."""

    @property
    def client(self) -> Client:
        return self._client

    async def call(self, tool: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
        """Call a tool; return its text and its fields."""
        result = await self._client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        (content,) = result.content
        assert result.meta is not None
        fields = result.meta[META_KEY]
        self.told += fields.get("news", [])
        return content.text, fields  # type: ignore[union-attr]

    async def refusal(self, tool: str, **arguments: Any) -> str:
        """Call a tool, which is refused; return the reason."""
        result = await self._client.call_tool(tool, arguments)
        assert result.is_error
        assert result.meta is not None
        text = result.content[0].text  # type: ignore[union-attr]
        assert text
        assert "Traceback" not in text
        return str(result.meta[META_KEY]["reason"])

    async def due(self) -> tuple[str, dict[str, Any]]:
        """Wait for a decision; return the text and the decision."""
        while True:
            text, fields = await self.call("wait", seconds=WAIT_S)
            if fields["decisions"]:
                return text, fields["decisions"][0]

    async def news(self, kind: str, times: int = 1) -> None:
        """Wait until there has been news of a kind so often."""
        while [each["kind"] for each in self.told].count(kind) < times:
            await self.call("wait", seconds=WAIT_S)

    @property
    def errors(self) -> str:
        """What the program has written on standard error until now."""
        self._errors.seek(0)
        return self._errors.read()


@asynccontextmanager
async def agent_of(
    arena: ArenaProcess, *options: str, server: str = "", **variables: str
) -> AsyncIterator[Agent]:
    """Start the program for the bot "ada", and end it by the end of its input."""
    token = str(arena.data / "organiser.token")
    arguments = ["mcp", "ada", "--server", server or arena.unix, "--token", token, *options]
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "arena.cli.app", *arguments],
        env={"PYTHONPATH": str(ROOT), **variables},
        cwd=arena.data,
    )
    with tempfile.TemporaryFile("w+") as errors:
        async with Client(stdio_client(parameters, errors), read_timeout_seconds=4 * WAIT_S) as client:
            agent = Agent(client, errors)
            yield agent
        agent.last_words = agent.errors
        assert "Traceback" not in agent.last_words


@contextmanager
def random_plays(arena: ArenaProcess, bot: str = "random") -> Iterator[None]:
    """Run the sample bot that plays every game."""
    address = {"ARENA_ADDRESS": arena.unix, "ARENA_TOKEN": arena.bot(bot)}
    process = Popen(
        [sys.executable, str(ROOT / "sample_bots/python/random_bot.py")],
        stderr=DEVNULL,
        env=without_arena(environment()) | address,
    )
    try:
        yield
    finally:
        process.kill()  # it would play its matches to their end
        process.wait(WAIT_S)


def challenge(
    arena: ArenaProcess,
    game: str = "caravan",
    *,
    clock: time_control_pb2.TimeControl = SLOW,
    bots: Sequence[str] = ("bots/ada", "bots/random"),
    options: Mapping[str, str],
) -> None:
    """Let the bots play one match from each seat."""
    arena.tournaments.CreateTournament(
        tournament_pb2.CreateTournamentRequest(
            format=tournament_pb2.Tournament.FORMAT_CHALLENGE,
            game=game,
            bots=bots,
            options=dict(options),
            time_control=clock,
        )
    )


async def play(agent: Agent, matches: int, dice: random.Random) -> list[str]:
    """Play until so many matches have ended; return what was read at each decision."""
    read = []
    while [each["kind"] for each in agent.told].count("MATCH_ENDED") < matches:
        text, fields = await agent.call("wait", seconds=50)
        for due in fields["decisions"][:1]:
            read.append(text)
            number = dice.randint(1, due["legal_actions"])
            listed = re.search(rf"^{number}\. (.*)$", text, re.MULTILINE)
            by_text = (
                listed is not None and "(" not in listed[1] and "[" not in listed[1] and dice.random() < 0.3
            )
            action: Any = listed[1] if by_text and listed else number
            await agent.call("act", decision=due["decision"], action=action, thoughts="as the dice fall")
    return read
