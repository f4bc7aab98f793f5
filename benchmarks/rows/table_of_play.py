"""Both sides of a comparison set up: an arena with bots that play, and a floor that repeats one of its matches."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.floors.script import SEATS, Script
from benchmarks.processes.arena import PATIENT, RunningArena
from benchmarks.processes.usage import cpu_s
from benchmarks.processes.worker import Worker, WorkerFailedError
from benchmarks.rows.samples import Sample, sample
from engine.registry import GAMES

BOTS: Final = "benchmarks.clients.program"
GAME: Final = next(iter(GAMES))

_BEGIN_WITHIN_S: Final = 60.0
_SCRIPTED: Final = 100
"""Decisions that a floor repeats: as many as every match has, however it goes."""


@dataclass(frozen=True, slots=True)
class Side:
    """Bots, and what asks them."""

    bots: Worker
    asker: int
    """A process id."""

    def measure(self, seconds: float) -> Sample:
        """Let the bots answer for so long, or up to a minute longer where too little is asked.

        Raises WorkerFailedError: nothing was asked, or something went wrong in a match.
        """
        before = cpu_s(self.asker)
        answer = self.bots.ask("play", seconds=seconds)
        used = cpu_s(self.asker) - before
        self.check()
        if not answer["decisions"]:
            raise WorkerFailedError(f"no decision came in {answer['seconds']:.1f} s")
        return sample(answer, used)

    def check(self) -> None:
        """Raise WorkerFailedError if something happened to a bot that should not have."""
        trouble = self.bots.ask("ends")["troubles"]
        if trouble:
            raise WorkerFailedError(f"the matches were not what they should be: {trouble[0]}")


@dataclass(frozen=True, slots=True)
class Shape:
    """How matches are spread over streams."""

    name: str
    bots: int
    matches_each: int
    """How many matches at once each bot takes."""

    @property
    def seats(self) -> int:
        """Seats in all matches that are played at once."""
        return self.bots * self.matches_each


@contextmanager
def playing(arena: RunningArena, shape: Shape) -> Iterator[Side]:
    """Bots, all in one process, each on a stream of its own, in matches of a rated ladder without end."""
    with Worker(BOTS) as bots:
        tokens = arena.bots(shape.name, shape.bots)
        names = [f"{shape.name}-{number}" for number in range(shape.bots)]
        arena.ladder(shape.name, names, GAME, PATIENT)
        bots.ask("connect", address=arena.unix, tokens=tokens, game=GAME, matches=shape.matches_each)
        arena.run_ladder(shape.name)
        _wait_until_all_play(bots, shape.seats)
        yield Side(bots, arena.pid)


def record(arena: RunningArena) -> Script:
    """Play a match and return its frames, which a floor repeats."""
    with Worker(BOTS) as bots:
        tokens = arena.bots("script", SEATS)
        arena.ladder("script", [f"script-{seat}" for seat in range(SEATS)], GAME, PATIENT)
        bots.ask("connect", address=arena.unix, tokens=tokens, game=GAME, matches=1)
        bots.ask("record")
        arena.run_ladder("script", SEATS)  # a group
        frames: list[tuple[int, str]] = []
        while len(frames) < _SCRIPTED:
            bots.ask("play", seconds=0.5)
            frames += bots.ask("recorded")
    return Script(tuple((seat, bytes.fromhex(frame)) for seat, frame in frames[:_SCRIPTED]))


@contextmanager
def floor(module: str, scheme: str, script: Script, folder: Path, streams: int) -> Iterator[Side]:
    """Run a floor with as many streams, and the same program of bots on them."""
    name = module.rsplit(".", 1)[-1]
    socket, file = folder / f"{name}-{streams}.sock", folder / f"{name}-{streams}.json"
    script.save(file)
    with Worker(module, str(socket), str(file)) as asker, Worker(BOTS) as bots:
        asker.answer()  # that it is open
        bots.ask("connect", address=f"{scheme}://{socket}", tokens=[""] * streams, game=GAME, matches=1)
        yield Side(bots, asker.pid)


def _wait_until_all_play(bots: Worker, seats: int) -> None:
    give_up = time.monotonic() + _BEGIN_WITHIN_S
    while (playing := bots.ask("playing")) < seats:
        if time.monotonic() > give_up:
            raise WorkerFailedError(f"only {playing} of {seats} seats play after {_BEGIN_WITHIN_S:g} s")
        time.sleep(0.05)
