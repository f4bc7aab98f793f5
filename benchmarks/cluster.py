"""`python -m benchmarks.cluster`: what match nodes cost, how they grow, and whether they leave anything behind.

Arena, head and nodes run on this machine, each node with an address, ports and a folder of its own.
"""

import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

import typer

from arena.sandbox.capabilities import find_cgroups
from arena.sandbox.proc_fs import descendants
from arena.sandbox.sandbox import arena_mark
from benchmarks.measuring.figures import significant
from benchmarks.measuring.machine import circumstances, load
from benchmarks.processes.arena import RunningArena, arena_on
from benchmarks.processes.cluster import Cluster, cluster, wait_until_ready
from benchmarks.processes.hosted import play_ladder, span_s, submitted
from benchmarks.processes.usage import tree_cpu_s

app = typer.Typer(add_completion=False, no_args_is_help=True)

_PLACES: Final = ("--hosted-programs", "16")
_LONG: Final = {"turn_limit": "67", "no_progress_turns": "100"}
"""A match of two has about 200 decisions."""
_SHORT: Final = {"turn_limit": "1"}
_THINK_S: Final = 0.02
"""Bots that wait take no processor, so that two cores are enough for many of them."""
_PYTHON: Final = Path(sys.executable)
_IDLE_S: Final = 10.0
_ENDS_WITHIN_S: Final = 60.0
_MS_PER_S: Final = 1e3


@contextmanager
def _measuring() -> Iterator[Path]:
    """Print when and where this is measured, and yield a folder for it."""
    print(circumstances({}, load()), flush=True)
    with tempfile.TemporaryDirectory(prefix="nodes-") as folder:
        yield Path(folder)


@dataclass(frozen=True, slots=True)
class _Match:
    """The mean of some matches."""

    wall_s: float
    cpu_s: float
    decisions: float


@dataclass(frozen=True, slots=True)
class _Side:
    """An arena, and what plays its matches."""

    arena: RunningArena
    bots: Sequence[str]
    pids: Sequence[int]
    """Processes that work for its matches, as all below them do."""
    played: list[_Match] = field(default_factory=list)

    def play(self, ladder: str, matches: int) -> None:
        """Play so many matches, one after the other."""
        before = tree_cpu_s(self.pids)
        rows = play_ladder(self.arena, self.bots, matches, name=ladder, options=_LONG)
        used_s = tree_cpu_s(self.pids) - before
        decisions = sum(row.plies for row in rows) / matches
        self.played.append(_Match(span_s(rows) / matches, used_s / matches, decisions))

    def idle(self) -> float:
        """Return the share of a core that it takes while nothing is played."""
        before = tree_cpu_s(self.pids)
        time.sleep(_IDLE_S)
        return (tree_cpu_s(self.pids) - before) / _IDLE_S


@app.command()
def overhead(matches: int = 20, pairs: int = 5, think_ms: float = 0.0) -> None:
    """Play on a node, in the arena's own process and in a match worker, in turns, and compare."""
    with _measuring() as folder, ExitStack() as stack:
        lab = stack.enter_context(cluster(folder, 1))

        def side(name: str, *options: str, pids: Sequence[int] = ()) -> _Side:
            arena = stack.enter_context(arena_on(folder / name, options=(*options, *_PLACES)))
            bots = submitted(arena, folder, _PYTHON, name, think_ms / _MS_PER_S, 2, matches=1)
            return _Side(arena, bots, [arena.pid, *pids])

        sides = {
            "own process": side("own", "--match-workers", "0"),
            "match worker": side("worker", "--match-workers", "1"),
            "node": side("node", *lab.options, pids=[lab.head, *lab.nodes.values()]),
        }
        node = sides["node"]
        wait_until_ready(node.arena, 1)
        print(f"arena, head and node take {node.idle():.1%} of a core while nothing is played")
        for number in range(pairs + 1):
            for each in sides.values():
                each.play(f"l{number}", matches)
        for each in sides.values():
            del each.played[0]  # programs start, and versions travel
        for name, each in sides.items():
            wall_ms = median(one.wall_s for one in each.played) * _MS_PER_S
            cpu_ms = median(one.cpu_s for one in each.played) * _MS_PER_S
            decisions = median(one.decisions for one in each.played)
            print(
                f"{name}: a match takes {significant(wall_ms)} ms, {significant(cpu_ms)} ms of processor time, and has "
                f"{decisions:.0f} decisions"
            )
        for name in ("own process", "match worker"):
            pairs_of = list(zip(node.played, sides[name].played, strict=True))
            print(f"node over {name}, wall time: {_range([a.wall_s / b.wall_s for a, b in pairs_of])}")
            print(f"node over {name}, processor time: {_range([a.cpu_s / b.cpu_s for a, b in pairs_of])}")


def _range(ratios: Sequence[float]) -> str:
    return f"{min(ratios):.2f} to {max(ratios):.2f}, median {median(ratios):.2f}"


@app.command()
def growth(nodes: str = "1,2,4", matches: int = 8) -> None:
    """Play so many matches for each node, of bots that wait, with one node, two and four."""
    with _measuring() as folder:
        one = 0.0
        for count in map(int, nodes.split(",")):
            (scratch := folder / str(count)).mkdir()
            with _playing(scratch, count, bots=2 * count, think_s=_THINK_S) as (arena, bots, _):
                play_ladder(arena, bots, 2 * count, name="warm", options=_LONG)
                rows = play_ladder(arena, bots, matches * count, options=_LONG)
            rate = sum(row.plies for row in rows) / span_s(rows) / count
            one = one or rate
            print(
                f"{count} nodes: {rate:.1f} decisions a second for each, {rate / one:.2f} of the first",
                flush=True,
            )


@app.command()
def leftovers(matches: int = 1000, nodes: int = 2) -> None:
    """Play many short matches, and print what arena and nodes hold during them and when the arena has ended."""
    with _measuring() as folder, _playing(folder, nodes, bots=6) as (arena, bots, lab):
        play_ladder(arena, bots, matches // 10, name="warm", options=_SHORT)
        _print_holdings("after a tenth", arena, lab)
        rows = play_ladder(
            arena, bots, matches - matches // 10, options=_SHORT, within_s=_ENDS_WITHIN_S + 3 * matches
        )
        _print_holdings("after all", arena, lab)
        print(f"{len(rows)} matches in {span_s(rows):.0f} s", flush=True)
        below = descendants(arena.pid)
        os.kill(arena.pid, signal.SIGTERM)
        until = time.monotonic() + _ENDS_WITHIN_S
        while (_runs(arena.pid) or any(map(_workers, lab.nodes.values()))) and time.monotonic() < until:
            time.sleep(0.1)
        print(f"of the ended arena: processes {[pid for pid in below if _runs(pid)]}")
        _print_holdings("of the nodes then", None, lab)


def _print_holdings(when: str, arena: RunningArena | None, lab: Cluster) -> None:
    """Print what they hold of the machine."""
    if arena is not None:
        print(
            f"{when}, arena: {len(descendants(arena.pid))} processes, {_open_files([arena.pid])} open files"
        )
    for name, pid in lab.nodes.items():
        folder, below = lab.folders[name], [pid, *descendants(pid)]
        litter = [
            path for place in ("hosted", "sandbox", "versions/.work") for path in (folder / place).glob("*")
        ]
        print(
            f"{when}, {name}: {len(below)} processes, of which {len(_workers(pid))} are match workers with what they "
            f"run; {_open_files(_hosts(pid))} open files of its host; {len(_cgroups(folder))} cgroups, "
            f"{len(litter)} folders",
            flush=True,
        )


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _runs(pid: int) -> bool:
    return bool(_command(pid))


def _hosts(node: int) -> list[int]:
    return [pid for pid in descendants(node) if b"ray::NodeHost" in _command(pid)]


def _workers(node: int) -> list[int]:
    """Return the match workers of a node, with all processes below them."""
    workers = [pid for pid in descendants(node) if b"match_workers.worker" in _command(pid)]
    return [each for worker in workers for each in (worker, *descendants(worker))]


def _open_files(pids: Sequence[int]) -> int:
    return sum(len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in pids)


def _cgroups(folder: Path) -> list[str]:
    found = find_cgroups()
    mark = arena_mark(folder / "sandbox")
    return [] if found is None else [name for name in found.names() if name.startswith(f"{mark}-")]


@contextmanager
def _playing(
    folder: Path, nodes: int, *, bots: int, think_s: float = 0.0
) -> Iterator[tuple[RunningArena, Sequence[str], Cluster]]:
    """Run an arena with so many nodes inside, each of which plays one match at once."""
    with cluster(folder, nodes) as lab, arena_on(folder / "arena", options=(*lab.options, *_PLACES)) as arena:
        names = submitted(arena, folder, _PYTHON, "bot", think_s, bots, matches=1)
        wait_until_ready(arena, nodes)
        yield arena, names, lab


if __name__ == "__main__":
    app()
