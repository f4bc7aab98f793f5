"""How fast the web pages are, and what they cost an arena: `python -m benchmarks.pages`.

First each kind of page is loaded from an arena with a long history. Every page is cold: pages are kept for some time,
and the same one is loaded again only after more than that. Then bots play while pages are asked for at a steady rate,
in turns with the same time without a request. What counts are strikes, and how late the heartbeat of the arena's loop
is. The readers have a lower priority than the arena, since they are on this machine only for the measurement.
"""

import http.client
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit

import typer
from rich.console import Console
from rich.table import Table

from arena.cli.framework.processes import Child, without_arena
from arena.pages.kept_pages import FRESH_S
from arena.v1 import match_pb2, time_control_pb2
from benchmarks.growth.history import GAME, LADDER, Size, bot_names, build
from benchmarks.measuring.figures import significant
from benchmarks.processes.arena import RunningArena, arena_on

_MS: Final = 1e3
_THREADS: Final = 8
"""Readers that ask for pages at the same time."""
_THINK_S: Final = 0.2
"""What a bot of the second part takes for a decision."""
_THINKS: Final = f"""
import time
import arena.sdk

class Thinks(arena.sdk.Bot):
    games = ("{GAME}",)
    matches = 32
    open_decisions = 32

    def choose(self, observation, legal_actions, clock):
        time.sleep({_THINK_S})
        return len(legal_actions) // 2

arena.sdk.run(Thinks)
"""
_CONTROL: Final = time_control_pb2.TimeControl(
    per_decision_ms=500, bank_ms=0, strikes=1_000, absence_ms=30_000, seat_limit_ms=86_400_000
)
"""A decision that comes 300 ms late is a strike."""
_NICE: Final = 10
_LAG: Final = 'arena_loop_lag_seconds_bucket{le="'


def measure(  # noqa: PLR0913, PLR0917 - options of a command
    bots: Annotated[int, typer.Option(help="Of the history.")] = 1_000,
    matches: Annotated[int, typer.Option(help="Of the history, an even number.")] = 100_000,
    rounds: Annotated[int, typer.Option(help="How often each kind of page is loaded.")] = 40,
    playing: Annotated[int, typer.Option(help="Matches in play beside the requests.")] = 32,
    rate: Annotated[int, typer.Option(help="Requests a second.")] = 200,
    seconds: Annotated[float, typer.Option(help="How long each turn of the second part takes.")] = 20.0,
    turns: Annotated[int, typer.Option(help="Turns with requests, and as many without.")] = 3,
) -> None:
    """Print how long pages take, and what requests do to an arena with matches in play."""
    console = Console(width=110, highlight=False)
    with tempfile.TemporaryDirectory(prefix="pages-") as folder:
        size = Size(bots, matches)
        console.print(f"Pages of {size}, milliseconds, of {rounds} cold loads each.")
        console.print(_loaded(Path(folder) / "history", size, rounds))
        console.print(
            f"{rate} requests a second beside {playing} matches, {turns} turns of {seconds:g} s each."
        )
        console.print(_beside(Path(folder) / "playing", playing, rate, seconds, turns))


@contextmanager
def pages_of(arena: RunningArena) -> Iterator[str]:
    """Run the pages of an arena; yield host and port."""
    command = [sys.executable, "-P", "-m", "arena.cli.app", "pages", "--data", str(arena.data), "--port", "0"]
    pages = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=without_arena(os.environ))
    try:
        assert pages.stdout is not None
        said = next(word for word in pages.stdout.readline().split() if word.startswith("http"))
        yield urlsplit(said.rstrip("./")).netloc
    finally:
        pages.terminate()
        pages.wait()


def _loaded(data: Path, size: Size, rounds: int) -> Table:
    """Return a table with a line for each kind of page."""
    data.mkdir()
    build(data / "arena.db", size)
    chosen = random.Random(1)
    names = bot_names(size.bots)
    kinds: dict[str, Callable[[], str]] = {
        "first page": lambda: "/",
        "ladders": lambda: "/ladders",
        "ladder": lambda: f"/ladders/{LADDER}",
        "bots": lambda: "/bots",
        "bot": lambda: f"/bots/{chosen.choice(names)}",
        "matches": lambda: "/matches",
        "matches of a bot": lambda: f"/matches?bot={chosen.choice(names)}",
        "match": lambda: f"/matches/{chosen.randint(1, size.matches)}",
        "tournaments": lambda: "/tournaments",
        "now": lambda: "/now",
        "wall": lambda: "/wall",
        "standings.csv": lambda: f"/ladders/{LADDER}/standings.csv",
    }
    taken: dict[str, list[float]] = {kind: [] for kind in kinds}
    with arena_on(data) as arena, pages_of(arena) as address:
        for _ in range(rounds):
            began = time.monotonic()
            for kind, place in kinds.items():
                taken[kind].append(_load_s(address, place()))
            time.sleep(max(0.0, 1.2 * FRESH_S - (time.monotonic() - began)))
    table = Table("page", "p50", "p95", "longest", box=None)
    for kind, times in taken.items():
        times.sort()
        shown = (times[len(times) // 2], times[len(times) * 95 // 100], times[-1])
        table.add_row(kind, *(significant(each * _MS) for each in shown))
    return table


def _load_s(address: str, place: str) -> float:
    """Return how long a page takes, with a connection of its own. Raises AssertionError: it is an error."""
    began = time.perf_counter()
    connection = http.client.HTTPConnection(address, timeout=60)
    connection.request("GET", place)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    assert answer.status == 200, f"{place}: {answer.status}"
    return time.perf_counter() - began


def _beside(data: Path, playing: int, rate: int, seconds: float, turns: int) -> Table:
    """Return a table with a line for each turn."""
    table = Table(
        "turn",
        "requests a second",
        "p95 ms",
        "errors",
        "loop lag p99 ms",
        "strikes in ended matches",
        box=None,
    )
    with arena_on(data) as arena, pages_of(arena) as address, ExitStack() as running:
        for token in arena.bots("bot", 2):
            environment = {**without_arena(os.environ), "ARENA_ADDRESS": arena.tcp, "ARENA_TOKEN": token}
            child = Child(
                "a bot",
                (sys.executable, "-c", _THINKS),
                environment=environment,
                log=data.with_suffix(".bot"),
            )
            running.callback(child.kill)
        arena.ladder("load", ["bot-0", "bot-1"], GAME, _CONTROL)
        arena.run_ladder("load")
        while arena.running_matches("load") < playing:
            time.sleep(0.1)
        os.nice(_NICE)
        for turn in range(2 * turns):
            before, strikes = arena.metrics(), _strikes(arena)
            asked = _Requests(address, rate if turn % 2 else 0, seconds)
            asked.run()
            after = arena.metrics()
            grown = {name: value - before.get(name, 0.0) for name, value in after.items()}
            table.add_row(
                "with" if turn % 2 else "without",
                significant(len(asked.times) / seconds) if asked.times else "-",
                significant(_percentile(asked.times, 95) * _MS) if asked.times else "-",
                str(asked.errors),
                significant(_lag_p99(grown) * _MS),
                f"{_strikes(arena) - strikes:g}",
            )
    return table


def _strikes(arena: RunningArena) -> int:
    """Return the strikes in all matches that have ended."""
    request = match_pb2.ListMatchesRequest(state=match_pb2.MATCH_STATE_FINISHED, page_size=100)
    strikes = 0
    while True:
        listed = arena.calls.matches.ListMatches(request)
        strikes += sum(seat.strikes for match in listed.matches for seat in match.seats)
        if not listed.next_page_token:
            return strikes
        request.page_token = listed.next_page_token


class _Requests:
    """Requests at a steady rate from several threads."""

    _PLACES: Final = (
        "/",
        "/ladders/load",
        "/bots/bot-0",
        "/bots/bot-1",
        "/matches",
        "/now",
        "/wall",
        "/matches?bot=bot-1",
    )

    def __init__(self, address: str, rate: int, seconds: float) -> None:
        self._address, self._rate, self._seconds = address, rate, seconds
        self.times: list[float] = []
        self.errors = 0

    def run(self) -> None:
        """Return after so many seconds."""
        began = time.monotonic()
        threads = [threading.Thread(target=self._ask, args=(began, number)) for number in range(_THREADS)]
        if self._rate:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        time.sleep(max(0.0, began + self._seconds - time.monotonic()))

    def _ask(self, began: float, number: int) -> None:
        connection = http.client.HTTPConnection(self._address, timeout=60)
        every = _THREADS / self._rate
        for count in range(int(self._seconds / every)):
            time.sleep(max(0.0, began + every * (count + number / _THREADS) - time.monotonic()))
            asked = time.perf_counter()
            connection.request("GET", self._PLACES[(count + number) % len(self._PLACES)])
            answer = connection.getresponse()
            answer.read()
            self.times.append(time.perf_counter() - asked)
            self.errors += answer.status != 200
        connection.close()


def _percentile(times: Sequence[float], percent: int) -> float:
    return sorted(times)[len(times) * percent // 100]


def _lag_p99(grown: dict[str, float]) -> float:
    """Return the 99th percentile of a histogram in seconds, interpolated within its bucket."""
    buckets = sorted(
        (float(name.removeprefix(_LAG).rstrip('"}')), count)
        for name, count in grown.items()
        if name.startswith(_LAG)
    )
    wanted = 0.99 * buckets[-1][1]
    low, below = 0.0, 0.0
    for limit, count in buckets:
        if count >= wanted:
            return (
                low
                if limit == float("inf")
                else low + (limit - low) * (wanted - below) / max(count - below, 1)
            )
        low, below = limit, count
    return low


if __name__ == "__main__":
    typer.run(measure)
