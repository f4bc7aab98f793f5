"""`arena serve --pages PORT`: the pages run beside the arena, come back, and end with it."""

import os
import re
import signal
import socket
import subprocess
from pathlib import Path
from urllib.request import urlopen

from arena.cli.framework.processes import without_arena
from tests.system.cli.test_processes import gone
from tests.system.pages.conftest import played
from tests.system.pages.pages_process import ARENA
from tests.system.play.arena_process import WAIT_S, ArenaProcess
from tests.system.play.raw_bot import connect


def pages_of(arena: ArenaProcess) -> str:
    """Return the address that the arena has said."""
    arena.wait_for("pages served")
    [line] = [line for line in arena.log if "pages served" in line]
    [address] = re.findall(r"http://127\.0\.0\.1:\d+/", line)
    return str(address)


def children(pid: int) -> set[int]:
    """Return the processes that a process has started."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return {int(child) for task in tasks for child in (task / "children").read_text().split()}


def first_page(address: str) -> str:
    with urlopen(address, timeout=WAIT_S) as answer:
        return str(answer.read().decode())


def test_pages_run_beside_the_arena_come_back_when_they_end_and_end_with_it(tmp_path: Path) -> None:
    with ArenaProcess(tmp_path / "data", "--pages", "0", alone=True) as arena:
        address = pages_of(arena)
        assert "<h1>" in first_page(address)
        [pages] = children(arena.process.pid)
        os.kill(pages, signal.SIGKILL)
        assert gone(pages)
        assert "<h1>" in first_page(address), "the port stays open, so the reader only waits"
        [pages] = children(arena.process.pid)
        arena.process.send_signal(signal.SIGKILL)
        arena.process.wait(timeout=WAIT_S)
        assert gone(pages)


def test_pages_end_with_an_arena_that_closes_and_so_does_what_makes_replays(tmp_path: Path) -> None:
    with ArenaProcess(tmp_path / "data", "--pages", "0", alone=True) as arena:
        bots = connect(arena.unix, [arena.bot("ant"), arena.bot("bee")])
        arena.ladder("open", "ant", "bee", matches=2, options={"turn_limit": "4"})
        match, _ = played(bots, 2)
        address = pages_of(arena)
        assert "<svg" in first_page(f"{address}{match}/replay")
        [pages] = children(arena.process.pid)
        started = children(pages)
        assert len(started) == 2  # of the replays, and of Python, which clears up after it
    assert all(gone(each) for each in (pages, *started))
    assert not [line for line in arena.log if "leaked" in line]


def test_an_arena_does_not_start_without_the_port_of_its_pages(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [*ARENA, "serve", "--data", str(tmp_path / "data"), "--port", "0", "--pages", port]
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, timeout=WAIT_S, env=without_arena({})
        )
    assert done.returncode == 1
    assert port in done.stderr
    assert "Traceback" not in done.stderr
