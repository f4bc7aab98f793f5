"""docs/protocol.md and the comments in the .proto files are enough to write a bot that plays.

`newcomer_bot.py` was written from them, and from the rules, by somebody who had seen nothing else: no sdk, no source of
the arena. It is kept so that they stay enough. What it does is what those pages say, so a change that breaks it breaks
every bot that was written from them; it is then the change, or the pages first, that has to be mended, not the bot.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from arena.v1 import ending_pb2, match_pb2
from tests.checkout import ROOT, imports, text
from tests.system.play.arena_process import WAIT_S, ArenaProcess

BOT = Path(__file__).with_name("newcomer_bot.py")
NAMES = ("ada", "bob")
LIBRARIES = sorted({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")})
"""Where gRPC is installed."""


def generating(out: Path) -> list[str]:
    """Return the command by which docs/protocol.md has the code generated, its patterns expanded."""
    found = re.search(
        r"^```\n(python -m grpc_tools\.protoc .*?)\n```$", text("docs/protocol.md"), re.MULTILINE | re.DOTALL
    )
    assert found
    _python, *words = shlex.split(found[1].replace("\\\n", " ").replace("OUT", str(out)))
    command = [sys.executable]
    for word in words:
        command += sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(word)) if "*" in word else [word]
    return command


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Code generated as the page says."""
    out = tmp_path_factory.mktemp("generated")
    subprocess.run(generating(out), cwd=ROOT, check=True, capture_output=True, text=True)
    return out


class BotProcess:
    """The newcomer's bot, in a folder of its own, with nothing but an address, a token and the generated code.

    A newcomer has no arena installed: `-S` leaves out the one that is here, and gRPC is put on the path by hand.
    """

    def __init__(self, address: str, token: str, generated: Path, folder: Path) -> None:
        folder.mkdir()
        path = os.pathsep.join([str(generated), *LIBRARIES])
        environment = {"ARENA_ADDRESS": address, "ARENA_TOKEN": token, "PYTHONPATH": path}
        kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
        self._written = folder / "stderr"
        with self._written.open("w") as written:
            command = [sys.executable, "-S", str(BOT)]
            self.process = subprocess.Popen(command, cwd=folder, env=kept | environment, stderr=written)

    @property
    def said(self) -> list[str]:
        """What it has written so far, line by line."""
        return self._written.read_text().splitlines()

    def leave(self) -> int:
        """Send SIGTERM and return the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(WAIT_S)

    def close(self) -> None:
        """Kill the process if it runs."""
        self.process.kill()
        self.process.wait(WAIT_S)


@pytest.fixture
def bots(arena: ArenaProcess, generated: Path, tmp_path: Path) -> Iterator[list[BotProcess]]:
    with ExitStack() as stack:
        running = []
        for name in NAMES:
            running.append(BotProcess(arena.tcp, arena.bot(name), generated, tmp_path / name))
            stack.callback(running[-1].close)
        yield running


def wait_until(done: Callable[[], bool], bots: list[BotProcess], *, looks: int = 600) -> None:
    """Poll until it is done; fail if a bot ends meanwhile, or after so many polls."""
    pause = threading.Event()
    for _ in range(looks):
        if done():
            return
        assert [bot.process.poll() for bot in bots] == [None] * len(bots), [bot.said for bot in bots]
        pause.wait(0.05)
    pytest.fail(f"not done after {looks} looks: {[bot.said for bot in bots]}")


def test_the_newcomers_bot_uses_generated_code_and_grpc_alone() -> None:
    beyond_python = {name for name in imports(str(BOT)) if name.split(".")[0] not in sys.stdlib_module_names}
    assert all(re.match(r"grpc$|arena\.(games\.caravan\.)?v1\b", name) for name in beyond_python)


def test_the_newcomers_bot_plays_a_ladder_without_a_strike_and_leaves_in_good_order(
    arena: ArenaProcess, bots: list[BotProcess]
) -> None:
    def ladder() -> Any:
        return arena.ladders.GetLadder(name="ladders/main").ladder

    arena.ladder("main", *NAMES, matches=2)
    wait_until(lambda: ladder().finished_matches == 2, bots)
    listed = arena.matches.ListMatches().matches
    assert [match.state for match in listed] == [match_pb2.MATCH_STATE_FINISHED] * 2
    for match in listed:
        assert match.ending == "FINAL_DELIVERY"
        for seat in match.seats:
            assert (seat.ending.termination, seat.strikes) == (ending_pb2.TERMINATION_NORMAL, 0)
            assert seat.decisions > 0
    assert [bot.leave() for bot in bots] == [0, 0]
    for bot in bots:
        assert bot.said[-1].startswith("goodbye CODE_DONE")
        assert not [
            line for line in bot.said if line.startswith(("warning", "decision_closed", "connection lost"))
        ]
