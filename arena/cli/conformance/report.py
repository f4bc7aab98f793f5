"""Runs of `arena conformance`, and their results as text and JSON."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

from rich.padding import Padding
from rich.table import Table

from arena.cli.framework.output import (
    Format,
    facts,
    out,
    plain,
    print_json,
    print_line,
    progress_bar,
    show,
    table,
)
from arena.cli.framework.processes import Child
from arena.cli.framework.signals import Interrupted, run_interruptible
from arena.conformance.bot_process import Launch, LocalBotProcess
from arena.conformance.run import try_bot
from arena.conformance.scenario import Scenario
from arena.conformance.scripted_server import BotUnderTest
from arena.conformance.verdict import AFTER_AN_END, Requirement, Row, ScenarioVerdict, verdict_of
from arena.drawings.wording import counted

PAGE: Final = "docs/protocol.md"

_MOST_ALIKE: Final = 3
"""More rows that were not tried for the same reason become one line."""


def scenarios_table(scenarios: Sequence[Scenario]) -> Table:
    """Return a table of the scenarios."""
    return table(("scenario", "what is tested"), ((each.name, each.idea) for each in scenarios))


def ideas_as_document(scenarios: Sequence[Scenario]) -> list[dict[str, object]]:
    """Return the scenarios for JSON."""
    return [{"scenario": each.name, "idea": each.idea, "advice": bool(each.advice)} for each in scenarios]


def report(rows: Sequence[Row]) -> None:
    """Print a table of all rows, details of those that did not pass, and a summary."""
    show(table(("scenario", "verdict", "why"), _lines(rows)))
    alike: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        if row.requirement is not None:
            # Rows with the same explanation are explained once.
            after = row.to_do == AFTER_AN_END
            what = row.why.partition(" where ")[0] if after else row.why
            alike.setdefault((row.verdict, what, None if after else row.requirement), []).append(row)
    for found in alike.values():
        _explain(*found)
    print_line(_summary(rows))


def as_document(rows: Sequence[Row]) -> dict[str, object]:
    """Return the rows for JSON."""
    count = Counter(row.verdict for row in rows)
    return {
        "verdict": _word(verdict_of(rows)),
        **{_word(verdict): count[verdict] for verdict in ScenarioVerdict},
        "scenarios": [_as_entry(row) for row in rows],
    }


def _as_entry(row: Row) -> dict[str, object]:
    entry: dict[str, object] = {"scenario": row.scenario, "verdict": _word(row.verdict), "why": row.why}
    if row.requirement is None:
        return entry
    return entry | {
        "page": PAGE,
        "section": row.requirement.section,
        "sentence": row.requirement.sentence,
        "to_do": row.to_do,
        "messages": list(row.messages),
        "output": list(row.output),
    }


def _word(verdict: ScenarioVerdict) -> str:
    return verdict.value.replace(" ", "_")


def _lines(rows: Sequence[Row]) -> Iterator[tuple[str, ...]]:
    for (verdict, why), alike in groupby(rows, lambda row: (row.verdict, row.why)):
        names = [row.scenario for row in alike]
        if verdict is ScenarioVerdict.NOT_TRIED and len(names) > _MOST_ALIKE:
            yield f"{len(names)} more", verdict.value, why
        else:
            yield from ((name, verdict.value, why) for name in names)


def _explain(row: Row, *others: Row) -> None:
    """Print what was wrong in these rows."""
    assert row.requirement is not None
    out().print(f"[bold]{plain(row.scenario)}[/bold]: {row.verdict.value}", highlight=False)
    words = (
        ("what happened", row.why),
        ("also in", ", ".join(other.scenario for other in others)),
        ("rule", format_rule(row.requirement)),
        ("what to do", row.to_do),
        ("last messages", "\n".join(row.messages)),
        ("output", "\n".join(row.output)),
    )
    show(Padding(facts(*words), (0, 0, 1, 2), expand=False))


def format_rule(rule: Requirement) -> str:
    """Return a sentence of the protocol and where it is."""
    return f'"{rule.sentence}" ({PAGE}, {rule.section})'


def _summary(rows: Sequence[Row]) -> str:
    count = Counter(row.verdict for row in rows)
    words = {ScenarioVerdict.ADVICE: "with advice", ScenarioVerdict.NOT_TRIED: "not tried"}
    others = [f"{count[verdict]} {word}" for verdict, word in words.items() if count[verdict]]
    if count[ScenarioVerdict.FAILED]:
        failed = f"{count[ScenarioVerdict.FAILED]} of {counted(len(rows), 'scenario')} failed"
        return f"{', '.join([failed, *others])}. To run one alone: --only SCENARIO."
    passed = f"{counted(count[ScenarioVerdict.PASSED], 'scenario')} passed"
    advised = " Advice fails no run." if count[ScenarioVerdict.ADVICE] else ""
    return f"{', '.join([passed, *others])}.{advised}"


def launcher(start: Callable[[Mapping[str, str], Path], Child]) -> Launch:
    """Return what launches a bot. `start` gets its environment variables and the file for its output."""

    async def launch(settings: Mapping[str, str], folder: Path) -> LocalBotProcess:
        log = folder / "program.log"
        return LocalBotProcess(start(settings, log), log)

    return launch


def try_all(
    bot: BotUnderTest, scenarios: Sequence[Scenario], format: Format, *, is_quiet: bool = False
) -> bool:
    """Run and report all scenarios; after a signal, those that ran. Return whether none failed.

    `is_quiet`: whether there is no progress bar, because the bot has the terminal.
    """

    def print_rows(rows: Sequence[Row]) -> None:
        print_json(as_document(rows)) if format is Format.JSON else report(rows)

    rows: list[Row] = []
    try:
        run_interruptible(lambda: _gather(bot, scenarios, rows, is_quiet=is_quiet))
    except Interrupted:
        if rows:
            print_rows(rows)
        print_line("Stopped. No process is left running.")
        raise
    print_rows(rows)
    return verdict_of(rows) is not ScenarioVerdict.FAILED


async def _gather(
    bot: BotUnderTest, scenarios: Sequence[Scenario], rows: list[Row], *, is_quiet: bool
) -> None:
    """Add a row for each scenario and show a progress bar."""
    with progress_bar(unit="scenarios", is_hidden=is_quiet) as progress:
        task = progress.add_task(scenarios[0].name, total=len(scenarios))
        async for row in try_bot(bot, scenarios):
            rows.append(row)
            coming = scenarios[len(rows)].name if len(rows) < len(scenarios) else ""
            progress.update(task, advance=1, description=coming)
