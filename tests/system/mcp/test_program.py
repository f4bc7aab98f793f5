"""The program `arena mcp`: what it writes, how it ends, and what it needs."""

import json
import signal
import subprocess
import sys

from tests.system.play.arena_process import WAIT_S, ArenaProcess
from tests.unit.cli.programs import environment, finish, start

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def program(arena: ArenaProcess) -> "subprocess.Popen[bytes]":
    token = str(arena.data / "organiser.token")
    arguments = ["mcp", "ada", "--server", arena.unix, "--token", token]
    return subprocess.Popen(
        [sys.executable, "-m", "arena.cli.app", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )


def a_call(number: int, tool: object, arguments: object) -> dict[str, object]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def test_input_that_is_no_message_ends_nothing_and_only_messages_are_written(arena: ArenaProcess) -> None:
    process = program(arena)
    assert process.stdin is not None
    assert process.stdout is not None
    lines: list[object] = [INITIALIZE, INITIALIZED, "hello", [], {"a": 1}, a_call(1, "join", {})]
    lines += [a_call(2, "wait", [1]), a_call(3, 7, {}), {"jsonrpc": "2.0", "id": 4, "method": "no/such"}]
    for line in lines:
        process.stdin.write((line if isinstance(line, str) else json.dumps(line)).encode() + b"\n")
    process.stdin.write(b"\xff\xfe\x00" * 100 + b"\n" + b"[" * 100_000 + b"\n\n")
    process.stdin.write(json.dumps(a_call(5, "state", {})).encode() + b"\n")
    process.stdin.flush()
    answers = {}
    while 5 not in answers or 1 not in answers:
        message = json.loads(process.stdout.readline())
        answers[message.get("id")] = message
    assert answers[1]["result"]["isError"] is False
    assert {"error"} <= answers[2].keys() & answers[3].keys() & answers[4].keys()
    out, err = process.communicate(timeout=WAIT_S)
    assert (process.returncode, out) == (0, b"")
    assert b"Traceback" not in err


def test_a_signal_ends_it_and_its_token(arena: ArenaProcess) -> None:
    process = program(arena)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
    process.stdin.flush()
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=WAIT_S)
    assert process.returncode == 128 + signal.SIGTERM, err
    assert b"Traceback" not in err
    assert all(each.revoked for each in arena.tokens.ListTokens().tokens if each.note == "arena mcp")


def test_an_agent_that_is_gone_while_it_waits_ends_it_without_a_fault(arena: ArenaProcess) -> None:
    process = program(arena)
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    for line in (INITIALIZE, INITIALIZED, a_call(1, "join", {})):
        process.stdin.write(json.dumps(line).encode() + b"\n")
    process.stdin.flush()
    while json.loads(process.stdout.readline()).get("id") != 1:
        pass
    process.stdin.write(json.dumps(a_call(2, "wait", {"seconds": 1})).encode() + b"\n")
    process.stdin.flush()
    process.stdout.close()
    process.stdin.close()
    with process.stderr:
        err = process.stderr.read()
    process.wait(WAIT_S)
    assert b"Internal error" not in err
    assert b"Traceback" not in err


def test_a_bot_that_does_not_exist_is_refused_before_anything_is_served(arena: ArenaProcess) -> None:
    token = str(arena.data / "organiser.token")
    ended, out, err = finish(start("mcp", "nobody", "--server", arena.unix, "--token", token))
    assert (ended, out) == (1, "")
    assert "nobody" in err


WITHOUT_MCP = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"mcp", "mcp_types"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name.split(".")[0])

sys.meta_path.insert(0, Missing())
sys.argv[0] = "arena"
from arena.cli.app import main

main()
"""


def test_without_the_packages_of_the_extra_it_says_what_to_install() -> None:
    ended, out, err = finish(start("mcp", "ada", code=WITHOUT_MCP))
    assert (ended, out) == (1, "")
    assert "pip install '.[mcp]'" in err
    assert finish(start("mcp", "--help", code=WITHOUT_MCP))[0] == 0
