"""docs/mcp.md: its commands, as pasted into a shell, and its block of configuration, as an agent program reads it."""

import json
import os
import random
import re
import signal
from pathlib import Path

from mcp import Client, StdioServerParameters, stdio_client

from arena.sdk.mcp.errors import Reason
from arena.sdk.mcp.server import TOOLS
from tests.checkout import text
from tests.system.mcp.agents import Agent, play
from tests.system.page_shell import WITHIN_S, Shell, block, blocks_of, wait_until

PAGE = "docs/mcp.md"
BLOCKS = blocks_of(PAGE)


def configuration(shell: Shell, port: str) -> StdioServerParameters:
    """Return what the page has an agent program start, with the paths and the port of this test."""
    (written,) = re.findall(r"^```json\n(.*?)^```$", text(PAGE), re.MULTILINE | re.DOTALL)
    program = json.loads(written)["mcpServers"]["arena"]
    assert (program["command"], program["args"]) == (
        "/path/to/caravan-arena/.venv/bin/arena",
        ["mcp", "my-agent"],
    )
    assert program["env"].keys() == {"ARENA_ADDRESS", "ARENA_BOT_TOKEN"}
    own = {
        "ARENA_ADDRESS": f"localhost:{port}",
        "ARENA_BOT_TOKEN": str(shell.folder / Path(program["env"]["ARENA_BOT_TOKEN"]).name),
        "PATH": shell.environment["PATH"],
        "PYTHONPATH": shell.environment["PYTHONPATH"],
    }
    return StdioServerParameters(command="arena", args=program["args"], env=own, cwd="/")


async def test_the_page_leads_to_a_match_of_an_agent(tmp_path: Path) -> None:
    assert len(BLOCKS) == 3
    shell = Shell(tmp_path)
    serving = shell.start(
        "exec " + block(BLOCKS, "arena serve").strip() + " --port 0 --ready-file ready.json"
    )
    running = [serving]
    try:
        wait_until(serving, (tmp_path / "ready.json").exists)
        shell.run(block(BLOCKS, "arena ladder create"))
        running.append(shell.start(f"exec {block(BLOCKS, 'arena bot run')}"))
        port = json.loads((tmp_path / "ready.json").read_text())["tcp"].rpartition(":")[2]
        with (tmp_path / "errors").open("w+") as errors:
            transport = stdio_client(configuration(shell, port), errors)
            async with Client(transport, read_timeout_seconds=WITHIN_S) as client:
                agent = Agent(client, errors)
                await agent.call("join")
                await play(agent, 1, random.Random(3))
        wait_until(serving, shell.finished)
        (match,) = shell.finished()[:1]
    finally:
        for process in running:  # at once: another match has begun, and each side would wait for the agent
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate(timeout=WITHIN_S)
    (seat,) = [seat for seat in match["seats"] if seat["bot"] == "bots/my-agent"]
    assert (seat["ending"]["termination"], seat["strikes"]) == ("TERMINATION_NORMAL", 0)


def test_the_page_has_every_tool_with_its_arguments_and_every_reason() -> None:
    page = text(PAGE)
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]*) \|", page, re.MULTILINE))
    assert rows.keys() >= TOOLS.keys()
    for name, tool in TOOLS.items():
        assert set(re.findall(r"`(\w+)`", rows[name])) == set(tool.arguments.model_fields)
    assert not [reason for reason in Reason if f"`{reason}`" not in page]
