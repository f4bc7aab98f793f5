"""python -m benchmarks.growth: how costs grow with bots and matches, as tables and as a picture."""

import logging
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final

import structlog
import typer
from rich.console import Console

from arena.server.event_loop import tune
from arena.store.store import Store
from benchmarks.growth.costs import match_ms, recompute_s, refit_s, standings_ms
from benchmarks.growth.history import Size, build
from benchmarks.growth.lookout import LookCosts, look_costs
from benchmarks.growth.table import Panel, Series, markdown

_HISTORIES: Final = (Size(10, 10_000), Size(100, 100_000), Size(1_000, 1_000_000))
_QUICK_HISTORIES: Final = (Size(10, 500), Size(50, 5_000), Size(200, 20_000))
_CROWDS: Final = (50, 500, 5_000)
_QUICK_CROWDS: Final = (10, 50, 200)
_FEW_MATCHES: Final = 20


@dataclass(slots=True)
class _Found:
    """Of one history after the other."""

    match: list[float] = field(default_factory=list)
    page: list[float] = field(default_factory=list)
    recomputed: list[float] = field(default_factory=list)
    refitted: list[float] = field(default_factory=list)


def main(
    *,
    quick: Annotated[bool, typer.Option(help="A hundredth of the size.")] = False,
    folder: Annotated[
        Path | None, typer.Option(help="Where the histories are kept for the next time.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Where the picture goes, for example docs/growth.svg.")
    ] = None,
) -> None:
    """Build ladders with long histories in a scratch folder (1.5 GB, some minutes) and measure on them."""
    if plot is not None and find_spec("matplotlib") is None:
        raise typer.BadParameter("a picture needs matplotlib: pip install -e '.[bench]'")
    histories, crowds = (_QUICK_HISTORIES, _QUICK_CROWDS) if quick else (_HISTORIES, _CROWDS)
    tune()  # as an arena does, whose event loop is measured
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with tempfile.TemporaryDirectory(prefix="growth-") as scratch:
        panels = (*_of_histories(histories, folder or Path(scratch)), _of_crowds(crowds))
    Console(soft_wrap=True, highlight=False, markup=False).print(markdown(panels))
    if plot is not None:
        from benchmarks.growth.plot import draw

        draw(panels, plot)


def _of_histories(sizes: Sequence[Size], folder: Path) -> tuple[Panel, Panel]:
    found = _Found()
    for size in sizes:
        _measure(folder / f"{size.bots}-{size.matches}.db", size, found)
    matches = tuple(size.matches for size in sizes)
    answers = (
        Series("a page of standings", tuple(found.page)),
        Series("storing a match", tuple(found.match)),
    )
    ratings = (
        Series("recompute", tuple(found.recomputed)),
        Series("refit (200,000 at most)", tuple(found.refitted)),
    )
    return (
        Panel("Answers", "matches, 10 to 1,000 bots", "ms", matches, answers),
        Panel("Ratings of a history", "matches, 10 to 1,000 bots", "s", matches, ratings),
    )


def _measure(file: Path, size: Size, found: _Found) -> None:
    if not file.exists():
        _say(f"Building a ladder of {size}.")
        _build(file, size)
    store = Store(f"sqlite:///{file}")
    found.page.append(standings_ms(store))
    found.recomputed.append(recompute_s(store))
    found.refitted.append(refit_s(store))
    found.match.append(match_ms(store, size.bots))
    store.close()


def _build(file: Path, size: Size) -> None:
    """Build the file, which gets its name once it is whole: one that was broken off is not measured the next time."""
    unfinished = file.with_suffix(".unfinished")
    for waste in file.parent.glob(unfinished.name + "*"):
        waste.unlink()
    build(unfinished, size)
    unfinished.rename(file)


def _of_crowds(crowds: Sequence[int]) -> Panel:
    costs = [_crowd(bots) for bots in crowds]
    lines = (
        Series("a match group, all free", tuple(each.for_each_group for each in costs)),
        Series("a look, nobody free", tuple(each.with_nobody_free for each in costs)),
        Series("longest wait of the loop", tuple(each.longest_wait for each in costs)),
    )
    return Panel("Matchmaking", "bots connected", "ms", tuple(crowds), lines)


def _crowd(bots: int) -> LookCosts:
    _say(f"Connecting {bots:,} bots.")
    with tempfile.TemporaryDirectory(prefix="growth-") as folder:
        file = Path(folder) / "arena.db"
        build(file, Size(bots, _FEW_MATCHES))
        return look_costs(file, bots)


def _say(what: str) -> None:
    typer.echo(what, err=True)


if __name__ == "__main__":
    typer.run(main)
