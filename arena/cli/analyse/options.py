"""The options of `arena match analyse` and `arena log analyse`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.framework.output import Format

DEFAULT_TOP: Final = 3


SeatOption = Annotated[
    int | None, typer.Option("--seat", min=0, help="The seat to analyse. Default: one with the last place.")
]
AsOption = Annotated[str | None, typer.Option("--as", metavar="BOT", help="Analyse the seat of this bot.")]
BudgetOption = Annotated[
    str | None,
    typer.Option("--budget", metavar="TIME", help="How long to search, for example 30s or 2m. Default: 30s."),
]
PlayoutsOption = Annotated[
    int | None,
    typer.Option(
        "--playouts",
        min=1,
        max=100_000_000,
        help="Play out so many positions instead: always the same result.",
    ),
]
JobsOption = Annotated[
    int | None,
    typer.Option("--jobs", min=1, max=256, help="Processes that judge. Default: one for each processor."),
]
TopOption = Annotated[int, typer.Option("--top", min=1, max=100, help="Name so many decisions.")]
SeedOption = Annotated[
    int,
    typer.Option("--seed", min=0, help="Of all chance in the analysis; another one gives another estimate."),
]
RenderOption = Annotated[
    Path | None,
    typer.Option("--render", metavar="FILE", help="Write the replay page with the named decisions marked."),
]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """What to analyse, and how."""

    seat: int | None
    bot: str | None
    budget: str | None
    playouts: int | None
    jobs: int | None
    top: int
    seed: int
    render: Path | None
    force: bool
    format: Format
