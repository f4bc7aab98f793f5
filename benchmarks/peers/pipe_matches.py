"""Matches as fastchess plays them: a manager, two programs a match, a line protocol over pipes.

The manager has the same engine as the arena: it judges each move and keeps a clock for it. It has no gRPC, no log, no
sandbox and no statistics. Argument: the game.
"""

import random
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from benchmarks.peers import pipe_bot
from benchmarks.processes.answering import answer_commands
from engine.registry import GAMES
from engine.state import TERMINAL

_MOVE_S: Final = 60.0
"""Allowed for a move."""


class Program:
    """A bot that runs."""

    def __init__(self, game: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", pipe_bot.__file__, game],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            env={"PYTHONPATH": ":".join(sys.path)},
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        for say, expected in (("uci", "uciok"), ("isready", "readyok")):
            if (reply := self.ask(say)) != expected:
                raise RuntimeError(f"the bot said {reply!r} to {say}")

    def say(self, line: str) -> None:
        """Write a line that has no reply."""
        self._in.write(f"{line}\n")

    def ask(self, line: str) -> str:
        """Write a line and return the reply."""
        self.say(line)
        return self._out.readline().strip()

    def close(self) -> None:
        """End it."""
        self._in.close()
        self._process.wait()
        self._out.close()


def play_match(game_id: str, seed: bytes, programs: Sequence[Program]) -> int:
    """Play a match and return its plies. Raises RuntimeError: a bot was late, or its move is not legal."""
    game = GAMES[game_id]
    seats = len(programs)
    state = game.new_match(seats, game.options(seats, {}), seed)
    played: list[str] = []
    while state.seat_to_act != TERMINAL:
        program = programs[state.seat_to_act]
        asked = time.monotonic()
        program.say(f"position {seed.hex()} moves {' '.join(played)}")
        word, action = program.ask("go").split()
        if word != "bestmove" or not state.is_legal(int(action)) or time.monotonic() - asked > _MOVE_S:
            raise RuntimeError(f"the bot of seat {state.seat_to_act} lost by {word} {action}")
        state.apply(int(action))
        played.append(action)
    return len(played)


def play(game: str, matches: int, jobs: int) -> dict[str, float]:
    """Play so many matches, so many at once; return the seconds from the first program's start, and all plies."""
    began = time.monotonic()
    seeds = [random.randbytes(32) for _ in range(matches)]

    def work(share: Sequence[bytes]) -> int:
        programs = [Program(game) for _ in range(GAMES[game].spec.min_seats)]
        try:
            return sum(play_match(game, seed, programs) for seed in share)
        finally:
            for program in programs:
                program.close()

    with ThreadPoolExecutor(jobs) as threads:
        plies = sum(threads.map(work, [seeds[job::jobs] for job in range(jobs)]))
    return {"seconds": time.monotonic() - began, "plies": plies}


if __name__ == "__main__":
    answer_commands({"play": partial(play, sys.argv[1])})
