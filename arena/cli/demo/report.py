"""The report at the end of the demo: standings, thinking times and verified logs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from arena.cli.demo.bots import LADDER
from arena.cli.demo.processes import PROCESS_LOGS
from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import CommandExit
from arena.cli.framework.output import out, print_line, progress_bar, short, show
from arena.cli.ladder.commands import standings_of
from arena.cli.ladder.standings import standings_table, thinking_table
from arena.cli.log.commands import verify_all, with_logs
from arena.cli.log.verification import LogVerdict, Verifier, verdicts_table, worst
from arena.cli.match_data import log_of_match
from arena.cli.match_selection import MatchFilter


def report(arena: ArenaClient, data: Path) -> CommandExit:
    """Print everything; return whether every log verifies as an exit code."""
    standings = standings_of(arena, LADDER)
    _heading("Standings")
    show(standings_table(standings))
    _heading("Thinking times")
    show(thinking_table(standings))
    verdicts = _verdicts(arena)
    _heading("Logs")
    print_line(f"Match logs: {data / 'logs'}. Output of arena and bots: {data / PROCESS_LOGS}.")
    _say_verdict(verdicts)
    example = next((verdict.title for verdict in verdicts), None)
    if example is not None:
        print_line(
            f"To see more: `arena serve --data {data}`, then `arena log show {short(example)} --data {data}`. "
            f"The command is in {Path(sys.executable).parent}."
        )
    return worst(verdicts)


def _verdicts(arena: ArenaClient) -> list[LogVerdict]:
    verifier = Verifier.of_arena(arena)
    matches = with_logs(arena, MatchFilter(ladder=LADDER))
    with progress_bar(unit="logs") as bar:
        return verify_all(
            verifier, (log_of_match(arena, match) for match in bar.track(matches, description="verifying"))
        )


def _say_verdict(verdicts: Sequence[LogVerdict]) -> None:
    good = sum(verdict.code is CommandExit.OK for verdict in verdicts)
    if good == len(verdicts):
        print_line(
            f"Verdict: all {good} logs verified - hash chain, signature, seed commitment, clocks, placings, "
            "and every match replayed by the rules."
        )
        return
    print_line(f"Verdict: {good} of {len(verdicts)} logs verified. The others:")
    show(verdicts_table(verdict for verdict in verdicts if verdict.code is not CommandExit.OK))


def _heading(text: str) -> None:
    out().print(f"\n[bold]{text}[/bold]")
