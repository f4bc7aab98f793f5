"""The MCP server: the tools by name, over standard input and output."""

import asyncio
import logging
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from importlib import metadata
from typing import Any, Final, cast

import anyio
import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server

from arena.sdk.exceptions import describe
from arena.sdk.mcp.arguments import Act, Arguments, Explain, Join, State, Wait, read
from arena.sdk.mcp.calls import Calls, Ladders, Reply
from arena.sdk.mcp.errors import Reason, RefusedCallError
from arena.sdk.mcp.presence import Presence
from arena.sdk.mcp.seats import Seats
from arena.sdk.settings import Endpoint

META_KEY: Final = "arena.v1/result"
"""Where a result has its fields for programs; what it says to the agent is its text."""

INSTRUCTIONS: Final = """\
You play board games against other programs, as a bot of an arena. Call join once. Then repeat: call wait; if a decision
is due, read the position and the numbered legal actions, and answer with act. Every decision has a clock: if you do not
answer in time, a fallback plays for you, and the match continues. explain says why an action is illegal, what an action
leads to, and what the rules say."""

_LOG = logging.getLogger("arena.sdk.mcp")


@dataclass(frozen=True, slots=True)
class _Tool:
    description: str
    arguments: type[Arguments]
    call: Callable[[Calls], Callable[[Any], Awaitable[Reply]]]
    read_only: bool


TOOLS: Final[Mapping[str, _Tool]] = {
    "join": _Tool(
        "Connect to the arena as your bot, so that matches can begin. Call it once at the beginning; with matches=0 no "
        "new ones are taken. Says what happens then.",
        Join,
        lambda calls: calls.join,
        read_only=False,
    ),
    "wait": _Tool(
        "Wait for something to happen, at most so many seconds. Returns at once when a decision is due (with the "
        "position, the numbered legal actions and the time left), when a match begins or ends, or when something was "
        "played for you.",
        Wait,
        lambda calls: calls.wait,
        read_only=True,
    ),
    "state": _Tool(
        "Show the matches in progress, and of the decision that is due: the game with its options, the rules in short, "
        "what happened, the position, the numbered legal actions, and the time left.",
        State,
        lambda calls: calls.state,
        read_only=True,
    ),
    "act": _Tool(
        "Play an action for a decision that is due. An illegal action, and an answer that is late or given twice, is "
        "refused with the reason and changes nothing. An action cannot be taken back.",
        Act,
        lambda calls: calls.act,
        read_only=False,
    ),
    "explain": _Tool(
        "Say why an action is illegal or what it leads to, or what the rules say about some words or a clause. Without "
        "arguments: the rules in short.",
        Explain,
        lambda calls: calls.explain,
        read_only=True,
    ),
}


async def serve(bot: str, endpoint: Endpoint, ladders: Ladders | None) -> None:
    """Serve the tools until standard input ends. Matches in progress are then neither resigned nor played on."""
    seats = Seats()
    presence = Presence(bot, endpoint, seats)
    try:
        server = server_of(Calls(presence, seats, ladders))
        lines = cast("anyio.AsyncFile[str]", InputLines())
        async with stdio_server(stdin=lines) as (read_stream, write_stream):
            await server.run(read_stream, write_stream, server.create_initialization_options())
    except* (BrokenPipeError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        _LOG.warning("The agent's program has gone: nobody reads the answers.")
    finally:
        names = [seat.match.name for seat in seats.in_progress()]
        await presence.close()
        if names:
            _LOG.warning(
                "The program ends during %s. Nothing is resigned, but the clocks run: start the program again and call "
                "join to continue, before the seat is forfeited for absence (absence_ms).",
                ", ".join(names),
            )


def server_of(calls: Calls) -> Server[dict[str, Any]]:
    """Return the server of the tools; it is run on two streams."""

    async def list_tools(
        _context: ServerRequestContext[dict[str, Any]], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=name,
                    description=tool.description,
                    input_schema=tool.arguments.model_json_schema(),
                    annotations=types.ToolAnnotations(
                        read_only_hint=tool.read_only, destructive_hint=False, open_world_hint=True
                    ),
                )
                for name, tool in TOOLS.items()
            ]
        )

    async def call_tool(
        _context: ServerRequestContext[dict[str, Any]], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        return await answer(calls, params.name, params.arguments or {})

    return Server(
        "caravan-arena",
        version=_version(),
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def answer(calls: Calls, name: str, given: Mapping[str, Any]) -> types.CallToolResult:
    """Return the result of a call; of a refused one the reason."""
    try:
        tool = TOOLS.get(name)
        if tool is None:
            raise RefusedCallError(
                Reason.TOOL_UNKNOWN, f"There is no tool {name!r}. Tools: {', '.join(TOOLS)}."
            )
        reply = await tool.call(calls)(read(tool.arguments, given))
    except RefusedCallError as why:
        return _result(str(why), {"reason": str(why.reason)}, is_error=True)
    except Exception as error:  # noqa: BLE001 - the agent reads a sentence, whatever has failed
        sentence = describe(error, answer)
        _LOG.error("%s has failed: %s", name, sentence)
        return _result(
            f"{name} has failed by a fault of this program, and nothing was played: {sentence}. Please report it.",
            {"reason": str(Reason.INTERNAL)},
            is_error=True,
        )
    return _result(reply.text, reply.fields, is_error=False)


def _result(text: str, fields: dict[str, Any], *, is_error: bool) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], is_error=is_error, _meta={META_KEY: fields}
    )


def _version() -> str:
    try:
        return metadata.version("caravan-arena")
    except metadata.PackageNotFoundError:
        return "unknown"


class InputLines:
    """The lines of standard input, read by a thread of their own that keeps no program from ending."""

    def __init__(self, source: int = 0) -> None:
        """Begin to read. `source`: a file descriptor."""
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._source = source
        threading.Thread(target=self._read, name="input", daemon=True).start()

    async def __aiter__(self) -> AsyncIterator[str]:
        """Yield the lines until the input ends."""
        while (line := await self._lines.get()) is not None:
            yield line

    def _read(self) -> None:
        rest = b""
        while data := self._read_some():
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self._put(line.decode(errors="replace"))
        self._put(None)

    def _read_some(self) -> bytes:
        try:
            return os.read(self._source, 1 << 16)
        except OSError:
            return b""

    def _put(self, line: str | None) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
