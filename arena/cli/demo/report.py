"""The report at the end of the demo: standings, thinking times and verified logs."""

import sys
from pathlib import Path

from arena.cli.demo.bots import LADDER
from arena.cli.demo.processes import PROCESS_LOGS
from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import CommandExit
from arena.cli.framework.output import out, print_line, progress_bar, short, show
from arena.cli.ladder.commands import standings_of
from arena.cli.ladder.standings import standings_table, thinking_table
from arena.cli.log.commands import with_logs
from arena.cli.log.verification import Verifier, verdicts_table, worst
from arena.cli.match_data import MatchFilter, log_of_match


def report(arena: ArenaClient, data: Path) -> CommandExit:
    """Print everything; return whether every log verifies as an exit code."""
    standings = standings_of(arena, LADDER)
    _heading("Standings")
    show(standings_table(standings))
    _heading("Thinking times")
    show(thinking_table(standings))
    verifier = Verifier.of_arena(arena)
    with progress_bar(unit="logs") as bar:
        matches = bar.track(with_logs(arena, MatchFilter(ladder=LADDER)), description="verifying")
        verdicts = [verifier.verify(log_of_match(arena, match)) for match in matches]
    _heading("Logs")
    print_line(f"Match logs: {data / 'logs'}. Output of arena and bots: {data / PROCESS_LOGS}.")
    bad = [verdict for verdict in verdicts if verdict.code is not CommandExit.OK]
    if bad:
        print_line(f"Verdict: {len(verdicts) - len(bad)} of {len(verdicts)} logs verified. The others:")
        show(verdicts_table(bad))
    else:
        print_line(
            f"Verdict: all {len(verdicts)} logs verified - hash chain, signature, seed commitment, clocks, "
            "placings, and every match replayed by the rules."
        )
    if verdicts:
        example = short(verdicts[0].title)
        print_line(
            f"To see more: `arena serve --data {data}`, then `arena log show {example} --data {data}`. "
            f"The command is in {Path(sys.executable).parent}."
        )
    return worst(verdicts)


def _heading(text: str) -> None:
    out().print(f"\n[bold]{text}[/bold]")
