"""How the rows of `arena conformance` are printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.padding import Padding
from rich.table import Table

from arena.cli.output import Column, counted, facts, out, plain, say, show, table
from arena.conformance.scenario import Scenario
from arena.conformance.verdict import Demand, Row, Verdict

PAGE = "docs/protocol.md"


def listing(scenarios: Sequence[Scenario]) -> Table:
    """The scenarios with their ideas."""
    columns = (Column("scenario"), Column("what is tried"))
    return table(columns, ((each.name, each.idea) for each in scenarios))


def report(rows: Sequence[Row]) -> None:
    """Prints a table of all rows, then what is to be said about those that did not pass, then the sum."""
    columns = (Column("scenario"), Column("verdict"), Column("why"))
    show(table(columns, ((row.scenario, row.verdict.value, row.why) for row in rows)))
    for row in rows:
        if row.demand is not None:
            _explain(row, row.demand)
    say(_sum(rows))


def as_document(rows: Sequence[Row]) -> dict[str, object]:
    """The same for programs."""
    count = Counter(row.verdict for row in rows)
    return {
        **{verdict.name.lower(): count[verdict] for verdict in Verdict},
        "scenarios": [_as_entry(row) for row in rows],
    }


def _as_entry(row: Row) -> dict[str, object]:
    entry: dict[str, object] = {
        "scenario": row.scenario,
        "verdict": row.verdict.name.lower(),
        "why": row.why,
    }
    if row.demand is not None:
        entry["page"] = PAGE
        entry["section"] = row.demand.section
        entry["sentence"] = row.demand.sentence
        entry["to_do"] = row.demand.to_do
        entry["messages"] = list(row.messages)
        entry["output"] = list(row.output)
    return entry


def _explain(row: Row, demand: Demand) -> None:
    out().print(f"[bold]{plain(row.scenario)}[/bold]: {row.verdict.value}", highlight=False)
    words = (
        ("what it did", row.why),
        ("the page", f"{demand.sentence}\n({PAGE}, {demand.section})"),
        ("what to do", demand.to_do),
        ("last messages", "\n".join(row.messages)),
        ("it wrote", "\n".join(row.output)),
    )
    show(Padding(facts(words), (0, 0, 1, 2)))


def _sum(rows: Sequence[Row]) -> str:
    count = Counter(row.verdict for row in rows)
    if not count[Verdict.FAILED]:
        left_out = f", {count[Verdict.NOT_TRIED]} not tried" if count[Verdict.NOT_TRIED] else ""
        return f"{counted(count[Verdict.PASSED], 'scenario', 'scenarios')} passed{left_out}."
    return (
        f"{count[Verdict.FAILED]} of {counted(len(rows), 'scenario', 'scenarios')} failed; try one alone with "
        "--only SCENARIO."
    )
