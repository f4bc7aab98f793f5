"""A real arena in a process of its own, on a data folder of its own: `arena serve`, as an organiser starts it."""

import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.request import urlopen

from arena.cli.demo.processes import wait_for
from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.processes import Child, without_arena
from arena.v1 import bot_pb2, ladder_pb2, time_control_pb2, token_pb2
from benchmarks.processes.free_port import free_port
from benchmarks.processes.worker import of_checkout

_CALLS_AT_ONCE: Final = 16

PATIENT: Final = time_control_pb2.TimeControl(
    per_decision_ms=600_000,
    bank_ms=10_000,
    increment_ms=50,
    strikes=2,
    absence_ms=60_000,
    seat_limit_ms=86_400_000,
)
"""Everything that a clock does is done; but bots that are made to wait while the other side is measured do not lose."""


@dataclass(frozen=True, slots=True)
class RunningArena:
    """An arena that answers."""

    calls: ArenaClient
    """Its management services, with all rights."""
    unix: str
    tcp: str
    pid: int
    data: Path
    metrics_url: str

    def bots(self, prefix: str, count: int) -> list[str]:
        """Create so many bots; return a token for each."""

        def create(number: int) -> str:
            name = f"{prefix}-{number}"
            self.calls.bots.CreateBot(bot_pb2.CreateBotRequest(bot_id=name))
            request = token_pb2.CreateTokenRequest(role=token_pb2.ROLE_BOT, bot=f"bots/{name}")
            return str(self.calls.tokens.CreateToken(request).secret)

        with ThreadPoolExecutor(_CALLS_AT_ONCE) as threads:
            return list(threads.map(create, range(count)))

    def ladder(
        self, name: str, bots: Sequence[str], game: str, control: time_control_pb2.TimeControl
    ) -> None:
        """Create a rated ladder for two seats that these bots have joined; nothing is paired yet."""
        self.calls.ladders.CreateLadder(
            ladder_pb2.CreateLadderRequest(ladder_id=name, game=game, seat_counts=[2], time_control=control)
        )

        def join(bot: str) -> None:
            self.calls.ladders.JoinLadder(
                ladder_pb2.JoinLadderRequest(name=f"ladders/{name}", bot=f"bots/{bot}")
            )

        with ThreadPoolExecutor(_CALLS_AT_ONCE) as threads:
            list(threads.map(join, bots))

    def run_ladder(self, name: str, matches: int = 0) -> None:
        """Let matches be paired from now on, so many or (0) without end."""
        self.calls.ladders.RunLadder(ladder_pb2.RunLadderRequest(name=f"ladders/{name}", matches=matches))

    def running_matches(self, name: str) -> int:
        """Return the number of matches of a ladder in play."""
        answer = self.calls.ladders.GetLadder(ladder_pb2.GetLadderRequest(name=f"ladders/{name}"))
        return answer.ladder.running_matches

    def metrics_page(self) -> str:
        """Return the page of metrics as it is sent."""
        with urlopen(self.metrics_url, timeout=30) as page:
            text: str = page.read().decode()
        return text

    def metrics(self) -> dict[str, float]:
        """Return the metrics by name with labels."""
        lines = self.metrics_page().splitlines()
        pairs = (line.rsplit(" ", 1) for line in lines if line and not line.startswith("#"))
        return {name: float(value) for name, value in pairs}


@contextmanager
def arena_on(
    data: Path,
    python: Path | str = sys.executable,
    *,
    module: Sequence[str] = (),
    options: Sequence[str] = (),
) -> Iterator[RunningArena]:
    """Run an arena on the folder inside; kill it afterwards, since its last output does not matter.

    `python`: of the environment whose arena it is; `module`: of the checkout, with its own arguments, that runs the
    command line in place of `arena.cli.app`; `options`: more options of `arena serve`.
    """
    port = free_port()
    program = of_checkout(*module) if module else ("-m", "arena.cli.app")
    command = [str(python), "-P", *program, "serve", "--data", str(data), "--port", "0"]
    command += ["--metrics-port", str(port), *options]
    child = Child("the arena", command, environment=without_arena(os.environ), log=data.with_suffix(".log"))
    try:
        local = wait_for(child, data)
        with ArenaClient(local.running.address, local.token) as calls:
            running = local.running
            url = f"http://127.0.0.1:{port}/metrics"
            yield RunningArena(calls, f"{running.address}", running.tcp, child.pid, data, url)
    finally:
        child.kill()
