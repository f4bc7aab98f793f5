"""Real bot programs that are killed, and a real arena that is: both come back by themselves (rows 22 and 42)."""

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.cli.framework.processes import without_arena
from arena.v1 import ending_pb2, match_pb2
from tests.checkout import ROOT
from tests.system.play.arena_process import WAIT_S, ArenaProcess
from tests.system.play.test_match import SHORT

PROGRAM = """
import sys
import arena.sdk

class Gated(arena.sdk.Bot):
    games = ("caravan",)

    def on_match_started(self, match):
        print("started", match.name, "again" if match.comeback else "anew", flush=True)

    def choose(self, observation, legal_actions, clock):
        print("asked", flush=True)
        sys.stdin.readline()  # at its end it returns at once
        return 0

    def on_match_ended(self, match, result):
        print("ended", match.name, flush=True)

arena.sdk.run(Gated)
"""


class Program:
    """A bot as a process of its own; it answers nothing before `open_gate`."""

    def __init__(self, address: str, token: str) -> None:
        environment = without_arena(os.environ)
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment | {"ARENA_ADDRESS": address, "ARENA_TOKEN": token, "PYTHONPATH": str(ROOT)},
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.strip())

    def hear(self, *words: str) -> str:
        """Return the next line with all these words; others before it are passed over."""
        while True:
            line = self._lines.get(timeout=WAIT_S)
            if all(word in line for word in words):
                return line

    def open_gate(self) -> None:
        """All decisions are answered at once, the one that is open too."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def kill(self) -> None:
        """SIGKILL: the kernel closes its connection, nobody says goodbye."""
        self.process.kill()
        self.process.wait(WAIT_S)
        self._reader.join(WAIT_S)
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()


Start = Callable[[str], Program]


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[ArenaProcess, Start]]:
    """Yield an arena, and what starts a bot of this name at it, known or new."""
    arena = ArenaProcess(tmp_path / "data").wait_open()
    tokens: dict[str, str] = {}
    programs: list[Program] = []

    def start(bot: str) -> Program:
        if bot not in tokens:
            tokens[bot] = arena.bot(bot)
        programs.append(Program(arena.unix, tokens[bot]))
        return programs[-1]

    try:
        yield arena, start
    finally:
        for program in programs:
            program.kill()
        arena.close()


def test_row_22_a_program_that_was_killed_and_started_anew_plays_its_match_to_the_end(
    two: tuple[ArenaProcess, Start],
) -> None:
    arena, start = two
    bots = {name: start(name) for name in ("ant", "bee")}
    arena.ladder("main", *bots, options=SHORT, matches=1)
    match = bots["ant"].hear("started", "anew").split()[1]
    bots["bee"].open_gate()
    bots["ant"].hear("asked")
    bots["ant"].kill()
    again = start("ant")
    again.hear("started", match, "again")
    again.hear("asked")
    again.open_gate()
    again.hear("ended", match)
    seats = arena.match(match).seats
    assert {seat.ending.termination for seat in seats} == {ending_pb2.TERMINATION_NORMAL}
    assert [seat.strikes for seat in seats] == [0, 0]


def test_row_42_through_a_restart_of_the_arena_programs_come_back_and_play_the_match_again(
    two: tuple[ArenaProcess, Start],
) -> None:
    arena, start = two
    bots = {name: start(name) for name in ("ant", "bee")}
    arena.ladder("main", *bots, options=SHORT, matches=1)
    match = bots["ant"].hear("started", "anew").split()[1]
    arena.kill()
    with ArenaProcess(arena.data) as second:
        for bot in bots.values():
            bot.hear("does not know this session any more")
            bot.open_gate()
        replay = bots["ant"].hear("started", "anew").split()[1]
        bots["ant"].hear("ended", replay)
        assert second.match(match).state == match_pb2.MATCH_STATE_ABORTED
        assert second.match(replay).state == match_pb2.MATCH_STATE_FINISHED
        assert all(bot.process.poll() is None for bot in bots.values())
