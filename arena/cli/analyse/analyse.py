"""`arena match analyse` and `arena log analyse`: judge the decisions of a seat, and name the costliest ones."""

import os
import re
from pathlib import Path
from typing import Final

import typer

from arena.analysis.analysis import Analysis, Budget
from arena.analysis.decisions import UnfitLogError, seat_decisions
from arena.analysis.findings import Finding, document, findings, unit_of
from arena.cli.analyse.judge_processes import JudgeProcesses
from arena.cli.analyse.options import AnalysisRequest
from arena.cli.framework.errors import CliError, CommandExit
from arena.cli.framework.output import (
    Columns,
    Format,
    err,
    plain,
    print_json,
    print_line,
    print_note,
    progress_bar,
    show,
    table_of,
)
from arena.cli.framework.signals import Interrupted, interruptible
from arena.cli.log.reading import chosen_seat, read_match
from arena.cli.match_data import LogSource
from arena.codecs.codec import Codec
from arena.drawings.wording import counted
from arena.match_log.reader import MatchLog
from arena.viewer.replay import CostlyDecision

DEFAULT_SECONDS: Final = 30.0
_MOST_SECONDS: Final = 24 * 3600
_UNITS: Final = {"s": 1, "m": 60, "h": 3600}


def analyse(source: LogSource, target: str, wanted: AnalysisRequest) -> None:
    """Analyse a seat and print what was found. `target`: the match or file, as commands name it.

    Raises:
        CliError: the log cannot be analysed, or has no such decisions.
        BadParameter: the match has no such seat, or options that exclude each other.
        Interrupted: a signal asked to stop; what was found so far has been printed.
    """
    if wanted.budget is not None and wanted.playouts is not None:
        raise typer.BadParameter("use only one of --budget or --playouts.", param_hint="--budget")
    budget = _budget(wanted)
    if wanted.render is not None and wanted.render.exists() and not wanted.force:
        raise CliError(f"{wanted.render} exists. Name another file with --render, or use --force.")
    log, codec = read_match(source)
    chosen = chosen_seat(log, wanted.seat, wanted.bot)
    seat = _last_placed(log) if chosen is None else chosen
    try:
        decisions = seat_decisions(log, codec, seat)
    except UnfitLogError as error:
        raise CliError(f"{source.title} cannot be analysed: {error}", CommandExit.NOT_REPLAYED) from None
    if not any(each.has_choice for each in decisions):
        raise CliError(f"Seat {seat} never had a choice in this match, so there is nothing to analyse.")
    jobs = wanted.jobs or len(os.sched_getaffinity(0))
    with interruptible() as interruption, JudgeProcesses(jobs) as judges:
        analysis = Analysis(log.setup.game, decisions, wanted.seed, wanted.top, judges, budget)
        interrupted = _run(analysis)
        interruption.ignore()
    found = findings(log, codec, seat, analysis)
    if wanted.format is Format.JSON:
        print_json(document(log, seat, analysis, found))
    else:
        _print(log, seat, analysis, found, target)
    if wanted.render is not None:
        _render(wanted.render, log, codec, found)
    if interrupted is not None:
        print_note("Stopped. These are the results so far; no process is left running.")
        raise interrupted


def _seconds(text: str) -> float:
    """Return a time such as "30s" or "2m" in seconds. Raises BadParameter."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text)
    seconds = float(found[1]) * _UNITS[found[2] or "s"] if found else 0.0
    if not 0 < seconds <= _MOST_SECONDS:
        raise typer.BadParameter(f"{text} is no time from above 0 to 24 hours: write 30s, 2m or 1h.")
    return seconds


def _budget(wanted: AnalysisRequest) -> Budget:
    if wanted.playouts is not None:
        return Budget(playouts=wanted.playouts)
    try:
        return Budget(seconds=DEFAULT_SECONDS if wanted.budget is None else _seconds(wanted.budget))
    except typer.BadParameter as error:
        error.param_hint = "--budget"
        raise


def _run(analysis: Analysis) -> Interrupted | None:
    """Run it with a progress bar; return the signal that interrupted it, if one did."""
    with progress_bar(unit="%") as progress:
        task = progress.add_task("analysing", total=100)
        analysis.on_progress = lambda share: progress.update(task, completed=round(100 * share))
        try:
            analysis.run()
        except Interrupted as interrupted:
            return interrupted
    return None


def _last_placed(log: MatchLog) -> int:
    """Return the first seat with the last place, and say how to choose another one."""
    placings = [each.placing or 0 for each in log.result.seats]
    seat = placings.index(max(placings))
    if len(placings) > 1:
        name = plain(log.setup.seats[seat].bot)
        err().print(
            f"Analysing seat {seat}, {name}. To analyse another, use --seat or --as.", highlight=False
        )
    return seat


def _print(log: MatchLog, seat: int, analysis: Analysis, found: list[Finding], target: str) -> None:
    unit = unit_of(log)
    judged = sum(each.loss().deals > 0 for each in analysis.trials)
    measure = (
        "points of the score"
        if unit.factor == 1
        else "‰ of the expected score (1000: winning instead of losing)"
    )
    print_line(
        f"Seat {seat}, {log.setup.seats[seat].bot}: {counted(len(analysis.decisions), 'decision')}, "
        f"{judged} compared with others, {counted(analysis.budget.done, 'playout')}. Losses are in {measure}, "
        "with 95 % intervals."
    )
    if not found:
        print_line("No decision was found that cost anything.")
        return
    show(table_of(_COLUMNS, found))
    for each in found:
        print_line(f"{each.rank}. {each.sentence}")
    first = found[0]
    print_line(
        f"To see them in the replay: `arena log analyse {target} --seat {seat} --render match.html`; "
        f"match.html{first.address} then shows the costliest."
    )


def _render(path: Path, log: MatchLog, codec: Codec, found: list[Finding]) -> None:
    from arena.viewer.page import replay_page

    page = replay_page(log, codec, [CostlyDecision(each.ply, each.rank, each.sentence) for each in found])
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise CliError(f"{path} cannot be written: {error.strerror}.") from error
    print_note(f"{path}: {counted(len(found), 'decision')} marked.")


def _moves(notations: tuple[str, ...]) -> str:
    return " ".join(notations)


_COLUMNS: Final[Columns[Finding]] = {
    ">#": lambda found: found.rank,
    ">turn": lambda found: found.turn,
    ">ply": lambda found: found.ply,
    "?>decision": lambda found: found.decision,
    "~played": lambda found: _moves(found.played) + (" (default)" if found.default else ""),
    "~better": lambda found: _moves(found.better),
    ">lost": lambda found: found.unit.format(found.loss.mean),
    ">95 %": lambda found: f"{found.unit.number(found.loss.low):g} to {found.unit.number(found.loss.high):g}",
}
