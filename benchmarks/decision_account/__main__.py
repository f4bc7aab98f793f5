"""Where the processor time of one decision goes: `python -m benchmarks.decision_account`.

An arena and E, the bare gRPC echo of the same bytes, take turns. The arena's turns have one set of probes each, or
none: those with probes give the parts, those without give the whole that the parts must add up to.
"""

import json
import tempfile
from contextlib import ExitStack
from multiprocessing.connection import Client
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from arena.cli.framework.errors import CliError
from arena.cli.framework.signals import Interrupted, interruptible
from benchmarks.decision_account.account import TOLERANCE, Account, Turn, account
from benchmarks.decision_account.entry_points import SETS
from benchmarks.environments import Environments
from benchmarks.measuring.figures import significant
from benchmarks.measuring.machine import circumstances, load
from benchmarks.processes.arena import arena_on
from benchmarks.processes.usage import cpu_s, thread_cpu_s
from benchmarks.processes.worker import ROOT, WorkerFailedError
from benchmarks.rows.table_of_play import Shape, Side, floor, playing, record

SHAPES: Final = (
    ("1 match", Shape("one", bots=2, matches_each=1)),
    ("16 matches", Shape("sixteen", bots=32, matches_each=1)),
)
_GRPC: Final = "benchmarks.floors.grpc_echo"
_OTHERS_SHOWN: Final = 4
_US_PER_S: Final = 1e6


def run(
    rounds: Annotated[int, typer.Option(min=1, help="Each of seven turns.")] = 5,
    seconds: Annotated[float, typer.Option(min=0.1, help="Of each turn.")] = 2.0,
    wheel: Annotated[bool, typer.Option("--wheel", help="The compiled arena, in fewer parts.")] = False,
) -> None:
    """Print the processor time of a decision by parts, with one match and with 16; exit 1 if they do not add up.

    Example: python -m benchmarks.decision_account --rounds 5
    """
    progress = Console(stderr=True, highlight=False)
    about = circumstances({}, load())
    accounts: list[Account] = []
    compiled: list[str] = []
    python: tuple[Path, ...] = ()
    build = "the checkout, plain Python"
    if wheel:
        installed = Environments(ROOT / "benchmarks" / ".venvs", progress.print).arena()
        python, build = (installed.python,), installed.build
    try:
        with interruptible():
            for name, shape in SHAPES:
                progress.print(
                    f"Measuring {name}, {rounds} rounds of {len(SETS) + 2} turns of {seconds:g} s."
                )
                with tempfile.TemporaryDirectory(prefix="account-") as folder:
                    found, compiled = measure(shape, Path(folder), rounds, seconds, python)
                accounts.append(found)
    except (WorkerFailedError, CliError, OSError) as error:
        progress.print(f"Not measured: {error}")
        raise typer.Exit(1) from None
    except Interrupted as interrupted:
        progress.print("Stopped: nothing was measured to its end.")
        raise typer.Exit(128 + interrupted.number) from None
    show(Console(highlight=False), accounts, compiled)
    Console(highlight=False).print(
        f"{about['date']}, {about['cores']} cores, load before {about['load_before']}, Python {about['python']}, "
        f"commit {about['commit']}, arena: {build}.",
        soft_wrap=True,
    )
    if not all(each.adds_up for each in accounts):
        raise typer.Exit(1)


def measure(
    shape: Shape, folder: Path, rounds: int, seconds: float, python: tuple[Path, ...] = ()
) -> tuple[Account, list[str]]:
    """Return the account of one shape, and which probes had no place because the arena is compiled."""
    socket = str(folder / "probes.sock")
    probes = ("benchmarks.decision_account.probed_arena", socket)
    with ExitStack() as stack:
        arena = stack.enter_context(arena_on(folder / "arena", *python, module=probes))
        script = record(arena)
        ours = stack.enter_context(playing(arena, shape))
        echo = stack.enter_context(floor(_GRPC, "unix", script, folder, shape.bots))
        bare, turns, echoes = Turn(), {name: Turn() for name in SETS}, Echo()
        Echo().add(echo, seconds)
        _turn(Turn(), socket, "", ours, seconds)  # caches fill, code gets warm
        for _ in range(rounds):
            echoes.add(echo, seconds)
            _turn(bare, socket, "", ours, seconds)
            for name, turn in turns.items():
                _turn(turn, socket, name, ours, seconds)
        return account(bare, turns, echoes.us()), ask(socket, "")["compiled"]


class Echo:
    """What E has spent on its decisions, in all and in the thread of its loop, in seconds."""

    def __init__(self) -> None:
        self._decisions = 0
        self._spent_s = self._loop_s = 0.0

    def add(self, side: Side, seconds: float) -> None:
        """Add a turn."""
        spent, loop = cpu_s(side.asker), thread_cpu_s(side.asker, side.asker)
        self._decisions += side.measure(seconds).decisions
        self._spent_s += cpu_s(side.asker) - spent
        self._loop_s += thread_cpu_s(side.asker, side.asker) - loop

    def us(self) -> tuple[float, float]:
        """Return microseconds for a decision, in all and in the loop's thread."""
        return self._spent_s / self._decisions * _US_PER_S, self._loop_s / self._decisions * _US_PER_S


def ask(socket: str, probes: str) -> dict[str, Any]:
    """Put a set of probes in place, and return the figures of the arena so far."""
    with Client(socket, "AF_UNIX") as caller:
        caller.send_bytes(probes.encode())
        answer: dict[str, Any] = json.loads(caller.recv_bytes())
    return answer


def _turn(turn: Turn, socket: str, probes: str, side: Side, seconds: float) -> None:
    before = ask(socket, probes)
    decisions = side.measure(seconds).decisions
    turn.add(before, ask(socket, probes), decisions)


def show(console: Console, accounts: list[Account], compiled: list[str]) -> None:
    """Print the accounts side by side."""
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column("processor time of a decision, us")
    for name, _ in SHAPES:
        table.add_column(name, justify="right")
        table.add_column("share", justify="right")
    _rows(table, "loop's thread", [each.loop for each in accounts], accounts)
    _rows(table, "other threads", [each.threads for each in accounts], accounts)
    table.add_section()
    _row(table, "sum of the parts", [each.total for each in accounts], accounts)
    _row(table, "whole, measured without probes", [each.whole for each in accounts], accounts)
    _row(table, "E: bare echo of the same bytes", [each.echo for each in accounts], accounts)
    console.print(table)
    for (name, _), each in zip(SHAPES, accounts, strict=True):
        verdict = "they add up" if each.adds_up else "THEY DO NOT ADD UP"
        console.print(
            f"{name}: the parts are {each.difference:+.1%} off the whole ({TOLERANCE:.0%} allowed): {verdict}. The "
            f"whole is {each.whole / each.echo:.2f} times E, which spends {significant(each.echo_loop)} us in its "
            f"loop's thread and {significant(each.echo - each.echo_loop)} in those of gRPC.",
            soft_wrap=True,
        )
        others = ", ".join(f"{what} {significant(us)}" for what, us in each.others[:_OTHERS_SHOWN])
        console.print(f"{name}: largest of the other callbacks, us: {others or 'none'}.", soft_wrap=True)
    if compiled:
        console.print(
            "Compiled code cannot be told apart from what calls it: the first part is all of the handling, and "
            "`writing` holds putting the decision into words.",
            soft_wrap=True,
        )


def _rows(table: Table, title: str, parts: list[Any], accounts: list[Account]) -> None:
    table.add_section()
    _row(table, title, [sum(us for _, us in each) for each in parts], accounts)
    for place, (name, _) in enumerate(parts[0]):
        if not any(each[place][1] for each in parts):
            continue  # compiled
        _row(table, f"  {name}", [each[place][1] for each in parts], accounts)


def _row(table: Table, what: str, figures: list[float], accounts: list[Account]) -> None:
    cells = [
        cell
        for us, each in zip(figures, accounts, strict=True)
        for cell in (significant(us), f"{us / each.whole:.0%}")
    ]
    table.add_row(what, *cells)


if __name__ == "__main__":
    typer.run(run)
