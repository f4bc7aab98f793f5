"""`python -m benchmarks.load`: thousands of real bots on one arena, in a number that you choose, and how it bears them.

Every bot is a stream of its own on a connection of its own; the bots run in several programs, the arena in another.
"""

import json
import resource
import tempfile
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from arena.cli.framework.errors import CliError
from arena.cli.framework.signals import Interrupted, interruptible
from arena.scheduling.scheduler import MOST_MATCHES
from arena.server.limits import MOST_CONNECTIONS, RESERVED_DESCRIPTORS
from benchmarks.calls_beside import with_history
from benchmarks.crowded import SEATS, Crowded, Size, crowded
from benchmarks.environments import Environments
from benchmarks.measuring.figures import significant
from benchmarks.measuring.machine import circumstances, load
from benchmarks.processes.arena import arena_on
from benchmarks.processes.crowd import PROGRAMS, crowd
from benchmarks.processes.worker import ROOT, WorkerFailedError

_ADDRESSES: Final = 2
"""The arena is dialled at its Unix socket and by TCP."""

_MS_PER_S: Final = 1e3
_MB: Final = 1e6
_KB: Final = 1e3
_PERCENTS: Final = (50, 95, 99)


def run(  # noqa: PLR0913, PLR0917 - the options of the command
    bots: Annotated[int, typer.Option(help="Connected, each with a stream of its own.")] = 2_000,
    matches: Annotated[int, typer.Option(help="In play at once, of two bots each.")] = 200,
    seconds: Annotated[float, typer.Option(help="How long is looked at with all matches in play.")] = 30.0,
    programs: Annotated[int, typer.Option(help="Processes that the bots run in.")] = PROGRAMS,
    beside: Annotated[
        bool,
        typer.Option(
            "--beside",
            help="Beside the matches: listings, standings, recomputed ratings, refits, reports, exports, uploads.",
        ),
    ] = False,
    checkout: Annotated[
        bool, typer.Option("--checkout", help="Not the wheel: the arena of the checkout.")
    ] = False,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="The figures as JSON, too.")] = None,
) -> None:
    """Load an arena with bots; print its decisions, waits, memory and the lag of its event loop.

    Example: python -m benchmarks.load --bots 2000 --matches 200 --seconds 30
    """
    size = Size(bots, matches)
    wrong = wrong_with(size, seconds, programs, _descriptors())
    if wrong:
        raise typer.BadParameter(wrong)
    progress = Console(stderr=True, highlight=False)
    environments = Environments(ROOT / "benchmarks" / ".venvs", progress.print)
    installed = None if checkout else environments.arena()
    about = circumstances({}, load()) | {"arena": "the checkout" if installed is None else installed.build}
    try:
        with interruptible(), tempfile.TemporaryDirectory(prefix="load-") as folder:
            python = () if installed is None else (installed.python,)
            data = Path(folder) / "arena"
            if beside:
                with_history(data)
            with arena_on(data, *python) as arena, crowd(programs) as all_bots:
                progress.print(f"{bots:,} bots dial in, then {matches:,} matches begin and are played out.")
                went = crowded(arena, all_bots, size, seconds, beside=beside)
    except (WorkerFailedError, CliError) as error:
        progress.print(f"Not borne: {error}")
        raise typer.Exit(1) from None
    except Interrupted as interrupted:
        progress.print("Stopped: nothing was measured to its end.")
        raise typer.Exit(128 + interrupted.number) from None
    figures = told(size, seconds, went)
    _show(figures, about)
    if output is not None:
        output.write_text(json.dumps({"about": about, "figures": dict(figures)}, indent=2) + "\n")


def wrong_with(size: Size, seconds: float, programs: int, descriptors: int) -> str:
    """Return why this cannot be measured, in a sentence that says what could be; empty if it can.

    `descriptors`: how many files a process may have open.
    """
    most_bots = min(_ADDRESSES * MOST_CONNECTIONS, descriptors - RESERVED_DESCRIPTORS)
    if size.matches < 1 or size.matches > MOST_MATCHES:
        return f"--matches is {size.matches:,}: an arena plays 1 to {MOST_MATCHES:,} at once."
    if size.bots < size.seats:
        return f"--bots is {size.bots:,}: {size.matches:,} matches of {SEATS} need {size.seats:,} at least."
    if size.bots > most_bots:
        return f"--bots is {size.bots:,}: an arena takes {most_bots:,} connections here (open files: `ulimit -n`)."
    if not _ADDRESSES <= programs <= size.bots:
        return f"--programs is {programs}: at least {_ADDRESSES}, one for each address, and a bot for each."
    if not 0 < seconds < float("inf"):
        return f"--seconds is {seconds:g}: it must be more than 0."
    return ""


def told(size: Size, seconds: float, went: Crowded) -> list[tuple[str, str]]:
    """Return the report: (what, figure)."""
    window, per_bot = went.window, went.playing_bytes / size.bots / _KB
    arena_busy, bots_busy = window.busy
    waits = " / ".join(significant(window.wait_ms(percent)) for percent in _PERCENTS)
    lags, own_lags = (
        " / ".join(significant(each.quantile(share) * _MS_PER_S) for share in (0.5, 0.99))
        for each in (window.lag, window.own_lag)
    )
    return [
        ("connected bots; matches at once", f"{size.bots:,}; {size.matches:,}"),
        ("all bots connected within", f"{significant(went.connect_s)} s"),
        ("all matches begun within", f"{significant(went.begin_s)} s"),
        (f"decisions a second, in {seconds:g} s with all in play", significant(window.rate)),
        ("wait from answer to next decision, p50 / p95 / p99", f"{waits} ms"),
        ("processor time of the arena a decision", f"{significant(window.cpu_us)} us"),
        ("share of a core: arena; all bots together", f"{arena_busy:.0%}; {bots_busy:.0%}"),
        ("lag of the arena's event loop, p50 / p99, then", f"{lags} ms"),
        ("the longest lag, from begin to end", f"{significant(went.longest_lag_s * _MS_PER_S)} ms"),
        ("the part of the lag that is the loop's own work, p50 / p99, then", f"{own_lags} ms"),
        ("the longest of these, from begin to end", f"{significant(went.longest_own_lag_s * _MS_PER_S)} ms"),
        (
            "stalls (over 20 ms), from begin to end",
            f"{went.stalls:g}, {significant(went.stalled_s)} s together",
        ),
        (
            "memory of the arena: connected; in play",
            f"{_mb(went.connected_bytes)}; {_mb(went.playing_bytes)}",
        ),
        ("all of the latter, shared out among the bots", f"{significant(per_bot)} KB"),
        ("decisions played to the end; lost; late", f"{went.plies:,}; {went.lost:,}; {went.late:,}"),
        ("strikes, void matches, warnings, lost connections", _troubles(went)),
        *[(f"{kind} beside", f"{count:,}") for kind, count in sorted(went.beside.items())],
    ]


def _troubles(went: Crowded) -> str:
    return f"{len(went.troubles)}: {went.troubles[0]}" if went.troubles else "0"


def _mb(size: int) -> str:
    return f"{significant(size / _MB)} MB"


def _descriptors() -> int:
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 1 << 30 if soft == resource.RLIM_INFINITY else soft


def _show(figures: list[tuple[str, str]], about: dict[str, Any]) -> None:
    table = Table(box=box.SIMPLE, show_header=False, pad_edge=False)
    for what, figure in figures:
        table.add_row(what, figure)
    console = Console(highlight=False)
    console.print(table)
    console.print(
        f"{about['date']}, {about['cores']} cores, load before {about['load_before']}, Python {about['python']}, "
        f"arena: {about['arena']}.",
        soft_wrap=True,
    )


if __name__ == "__main__":
    typer.run(run)
