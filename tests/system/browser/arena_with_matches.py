"""A real arena with all that pages can show: matches of every game and ending, a tournament, a match in play."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.cli import sample_bots
from arena.cli.framework.processes import without_arena
from arena.v1 import match_pb2, time_control_pb2, tournament_pb2
from tests.system.play.arena_process import ENDLESS, SLOW, WAIT_S, ArenaProcess

GAMES: Final = {
    "caravan": {"turn_limit": "30"},
    "caravanserai": {},
    "ahldarahd": {},
    "wasteland": {"max_rounds": "4"},
}
"""Games with options that keep their matches short."""

WAITS: Final = """
import sys
import arena.sdk

class Waits(arena.sdk.Bot):
    games = ("caravan",)
    matches = 4

    def choose(self, observation, legal_actions, clock):
        sys.stdin.readline()
        return 0

arena.sdk.run(Waits)
"""
"""A bot that plays an action for each line of its input."""

RESIGNS: Final = """
import arena.sdk

class Resigns(arena.sdk.Bot):
    games = ("caravan",)
    asked = 0

    def choose(self, observation, legal_actions, clock):
        Resigns.asked += 1
        self.debug(f"<b>doubt {self.asked}</b> {'x' * 300}")
        if self.asked % 4 == 0:
            self.resign()
        return 0

arena.sdk.run(Resigns)
"""
"""A bot that writes a debug line at each decision, and resigns at every fourth."""


@dataclass(frozen=True)
class ArenaWithPages:
    """An arena and its pages."""

    arena: ArenaProcess
    address: str
    """Of the first page, without a slash at its end."""

    def matches(self, **wanted: object) -> list[match_pb2.Match]:
        """Return matches, newest first."""
        return list(self.arena.matches.ListMatches(page_size=100, **wanted).matches)


@dataclass(frozen=True)
class Shown(ArenaWithPages):
    """An arena with all that pages can show."""

    waiting: subprocess.Popen[str]
    """The program of the bot that waits for a line with each decision."""
    live: str
    """The match that it plays."""


def program(arena: ArenaProcess, token: str, *command: str) -> subprocess.Popen[str]:
    """Start the program of a bot."""
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**without_arena(os.environ), **sample_bots.environment(arena.unix, token)},
    )


@contextmanager
def pages_of(arena: ArenaProcess, port: int = 0) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run the pages of an arena; yield their address."""
    command = [sys.executable, "-m", "arena.cli.app", "pages", "--data", str(arena.data), "--port", str(port)]
    pages = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=without_arena(os.environ))
    try:
        assert pages.stdout is not None
        said = pages.stdout.readline()
        yield next(word for word in said.split() if word.startswith("http")).rstrip("./"), pages
    finally:
        pages.kill()
        pages.communicate(timeout=WAIT_S)


@contextmanager
def arena_with_two_bots(data: Path) -> Iterator[ArenaWithPages]:
    """Run an arena in which ant and bee, which play at random, are connected and have played a group."""
    with ArenaProcess(data) as arena, ExitStack() as running:
        for name in ("ant", "bee"):
            started = program(arena, arena.bot(name), *sample_bots.command("caravan", "random"))
            running.callback(started.communicate, timeout=WAIT_S)
            running.callback(started.kill)
        arena.ladder("caravan", "ant", "bee", options=GAMES["caravan"], matches=2)
        arena.wait_for("match over", 2)
        address, _ = running.enter_context(pages_of(arena))
        yield ArenaWithPages(arena, address)


@contextmanager
def shown_arena(data: Path) -> Iterator[Shown]:
    """Run an arena until everything has been played that ends."""
    with ArenaProcess(data) as arena, ExitStack() as running:
        commands = {
            "ant": sample_bots.command("caravan", "random"),
            "bee": sample_bots.command("caravan", "random"),
            "coward": (sys.executable, "-c", RESIGNS),
            "snail": (sys.executable, "-c", WAITS),
        }
        programs = {}
        for name, command in commands.items():
            programs[name] = program(arena, arena.bot(name), *command)
            running.callback(programs[name].communicate, timeout=WAIT_S)
            running.callback(programs[name].kill)
        for game, options in GAMES.items():
            arena.ladder(game, "ant", "bee", game=game, options=options, matches=2)
        ended = 2 * len(GAMES)
        arena.wait_for("match over", ended)  # both bots are there for the board of the solo ladder
        arena.ladder("solo", "ant", "bee", game="caravanserai", seat_counts=[1], matches=1)
        arena.ladder("short", "ant", "coward", options=GAMES["caravan"], matches=2)
        plan(arena, "spring", "ant", "bee")
        ended += 2 + 2 + 2
        arena.wait_for("match over", ended)
        [voided, *_] = arena.matches.ListMatches(ladder="ladders/caravan").matches
        arena.matches.VoidMatch(name=voided.name, reason="a test of void matches")
        plan(arena, "summer", "ant", "snail", time_control=ENDLESS)
        groups = len(GAMES) + 4
        arena.wait_for("match group made", groups)
        [*_, live] = arena.matches.ListMatches(tournament="tournaments/summer").matches
        next(arena.matches.WatchMatch(name=live.name))  # once it has begun
        address, _ = running.enter_context(pages_of(arena))
        yield Shown(arena, address, programs["snail"], live.name)


def plan(
    arena: ArenaProcess, name: str, *bots: str, time_control: time_control_pb2.TimeControl = SLOW
) -> None:
    """Run a tournament."""
    arena.tournaments.CreateTournament(
        tournament_id=name,
        format=tournament_pb2.Tournament.FORMAT_ROUND_ROBIN,
        game="caravan",
        bots=[f"bots/{bot}" for bot in bots],
        options=GAMES["caravan"],
        time_control=time_control,
    )
    arena.tournaments.RunTournament(name=f"tournaments/{name}")
