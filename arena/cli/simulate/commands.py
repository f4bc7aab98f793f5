"""`arena simulate`: many matches in process, summed up."""

import secrets
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean, pstdev
from typing import Annotated

import typer
from rich.console import Group, RenderableType

from arena.cli.framework.commands import command, only_command
from arena.cli.framework.errors import server_packages
from arena.cli.framework.names import pairs, seed_of
from arena.cli.framework.output import Columns, Format, facts, print_json, progress_bar, show, table, table_of
from arena.cli.rules import FIRST_GAME, GameArgument, OptionValues, game_named
from arena.cli.simulate.data_set import write_data_set
from arena.cli.simulate.simulation import Plan, Policy, SimulatedMatch, play_all
from arena.dataset.schema import DataFormat
from arena.drawings.wording import counted
from engine.randomness import SEED_BYTES
from engine.registry import GAMES

app = only_command()


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """One seat over all matches."""

    seat: int
    mean_score: float
    deviation: float
    """The standard deviation of its score."""
    lowest_score: int
    highest_score: int
    first_places: int
    """Shared ones included."""
    mean_placing: float


@dataclass(frozen=True, slots=True)
class Summary:
    """All matches of a simulation; everything but the speed follows from the seed."""

    game: str
    rules_version: int
    policy: str
    seed: str
    """64 hex digits; give it to --seed to get the same matches."""
    matches: int
    seconds: float
    decisions_per_second: float
    endings: dict[str, int]
    fewest_plies: int
    mean_plies: float
    most_plies: int
    seats: tuple[SeatSummary, ...]
    levels: dict[str, int]
    """With one seat: matches by the level that their score reached, the best first; "" is none. Else empty."""


@command(app, "simulate", example=f"arena simulate {FIRST_GAME} --seats 4 --matches 1000 --jobs 2")
def simulate_matches(
    game: GameArgument,
    seats: Annotated[int | None, typer.Option(help="Number of seats. Default: the game's maximum.")] = None,
    matches: Annotated[int, typer.Option(min=1, help="Number of matches.")] = 100,
    option: OptionValues = None,
    policy: Annotated[Policy, typer.Option(help="How all seats play.")] = Policy.SENSIBLE,
    seed: Annotated[
        str | None, typer.Option(metavar="HEX", help="The same seed gives the same matches. Default: random.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Number of parallel processes.")] = 1,
    format: Annotated[Format, typer.Option(help="Output format.")] = Format.TABLE,
    trajectories: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write every action to a data set, a new folder of that name."),
    ] = None,
    data_format: Annotated[
        DataFormat, typer.Option(help="Format of the data set; parquet needs the extra \\[data].")
    ] = DataFormat.JSONL,
) -> None:
    """Simulate many matches in process, without an arena, and print statistics."""
    rules = game_named(game, "GAME")
    chosen = pairs(option or (), "--option")
    seat_count = rules.spec.max_seats if seats is None else seats
    rules.options(seat_count, chosen)
    secret = secrets.token_bytes(SEED_BYTES) if seed is None else seed_of(seed)
    plan = Plan(game, seat_count, tuple(chosen.items()), policy, secret)
    began = time.perf_counter()
    running = play_all(plan, matches, jobs, record=trajectories is not None)
    with progress_bar(unit="matches") as bar:
        task = bar.add_task(f"simulating {game}", total=matches)
        if trajectories is not None:
            with server_packages("data"):
                running = write_data_set(running, plan, trajectories, data_format)
        played: list[SimulatedMatch] = []
        for chunk in running:
            played += chunk.played
            bar.update(task, completed=len(played))
    summary = summarise(plan, played, time.perf_counter() - began)
    if format is Format.JSON:
        print_json(asdict(summary))
    else:
        show(_details(summary))


def summarise(plan: Plan, played: Sequence[SimulatedMatch], seconds: float) -> Summary:
    """Summarise at least one match."""
    game, plies = GAMES[plan.game], [one.plies for one in played]
    scores = sorted((one.scores[0] for one in played), reverse=True)
    return Summary(
        game=plan.game,
        rules_version=game.spec.rules_version,
        policy=plan.policy.value,
        seed=plan.seed.hex(),
        matches=len(played),
        seconds=round(seconds, 3),
        decisions_per_second=round(sum(plies) / seconds, 1),
        endings=dict(Counter(one.ending for one in played).most_common()),
        fewest_plies=min(plies),
        mean_plies=round(fmean(plies), 2),
        most_plies=max(plies),
        seats=tuple(_seat(seat, played) for seat in range(plan.seats)),
        levels=dict(Counter(map(game.level, scores))) if plan.seats == 1 else {},
    )


def _seat(seat: int, played: Sequence[SimulatedMatch]) -> SeatSummary:
    scores = [one.scores[seat] for one in played]
    placings = [one.placings[seat] for one in played]
    return SeatSummary(
        seat=seat,
        mean_score=round(fmean(scores), 3),
        deviation=round(pstdev(scores), 3),
        lowest_score=min(scores),
        highest_score=max(scores),
        first_places=placings.count(1),
        mean_placing=round(fmean(placings), 4),
    )


def _details(summary: Summary) -> RenderableType:
    seats, first = counted(len(summary.seats), "seat"), summary.seats[0]
    mean = f"mean {first.mean_score:.2f} +- {first.deviation:.2f}"
    scores = f"{first.lowest_score} to {first.highest_score}, {mean}"
    about = facts(
        ("game", f"{summary.game}, rules version {summary.rules_version}, {seats}"),
        ("policy", summary.policy),
        ("seed", summary.seed),
        ("matches", str(summary.matches)),
        ("plies", f"{summary.fewest_plies} to {summary.most_plies}, mean {summary.mean_plies:.1f}"),
        ("scores", scores if len(summary.seats) == 1 else ""),
        ("speed", f"{summary.decisions_per_second:,.0f} decisions/s, {summary.seconds:.1f} s in all"),
    )
    columns: Columns[SeatSummary] = {
        ">seat": lambda seat: seat.seat,
        ">mean score": lambda seat: f"{seat.mean_score:.2f}",
        ">+-": lambda seat: f"{seat.deviation:.2f}",
        ">lowest": lambda seat: seat.lowest_score,
        ">highest": lambda seat: seat.highest_score,
        ">first places": lambda seat: seat.first_places,
        ">share": lambda seat: f"{100 * seat.first_places / summary.matches:.1f} %",
        ">mean placing": lambda seat: f"{seat.mean_placing:.2f}",
    }
    endings = _frequencies("ending", summary.endings, summary.matches)
    if len(summary.seats) > 1:
        return Group(about, endings, table_of(columns, summary.seats))
    if set(summary.levels) == {""}:
        return Group(about, endings)
    return Group(about, endings, _frequencies("level", summary.levels, summary.matches))


def _frequencies(title: str, counts: dict[str, int], matches: int) -> RenderableType:
    rows = ((name or "none", count, f"{100 * count / matches:.1f} %") for name, count in counts.items())
    return table((title, ">matches", ">share"), rows)
