"""`arena audit`: the audit trail."""

from typing import Annotated, Final, Literal

import typer
from rich.console import Group, RenderableType

from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.connection import fetch_all
from arena.cli.framework.names import moment, resource
from arena.cli.framework.output import Columns, enum_value, facts, listing_table, table
from arena.v1 import audit_pb2
from arena.wire.wording import enum_word, format_time, short

app = group("Show the audit trail: faults of the arena and decisions of people (organisers).")


AuditKindName = Literal[
    "match-void",
    "left-to-organiser",
    "ruling",
    "stall",
    "storage",
    "start",
    "mass-loss",
    "rest",
    "internal-error",
    "token",
    "user",
    "bot",
    "event",
    "version",
    "ban",
    "node",
    "webhook",
]
"""The kinds of audit entries on the command line."""


@arena_command(app, "list", example="arena audit list --kind match-void --since 12h")
def list_entries(
    context: CommandContext,
    kind: Annotated[AuditKindName | None, typer.Option(help="Only entries of this kind.")] = None,
    about: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only entries about this, for example bots/greedy.")
    ] = None,
    user: Annotated[str | None, typer.Option(help="Only actions of this user.")] = None,
    since: Annotated[
        str | None,
        typer.Option(
            help="Only entries since: 30m, 12h, 7d, or a date or time such as 2026-11-21T22:00 (UTC)."
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="Maximum number of entries; 0: all.")] = 50,
) -> None:
    """List audit entries, newest first."""
    request = audit_pb2.ListAuditEntriesRequest(
        kind=enum_value(audit_pb2.AuditKind, kind),
        about=about or "",
        user=resource("users", user) if user else "",
        since=None if since is None else moment(since),
    )
    context.call(
        lambda arena: fetch_all(arena.audit.ListAuditEntries, request, limit=limit),
        lambda listing: listing_table(_COLUMNS, listing.entries, _NONE),
    )


@arena_command(app, "show", example="arena audit show 17")
def show_entry(
    context: CommandContext,
    number: Annotated[
        str, typer.Argument(metavar="NUMBER", help="The entry, as `arena audit list` shows it.")
    ],
) -> None:
    """Show one entry with what it is about and its evidence."""
    request = audit_pb2.GetAuditEntryRequest(name=resource("auditEntries", number))
    context.call(lambda arena: arena.audit.GetAuditEntry(request).entry, _details)


@arena_command(app, "voids", example="arena audit voids")
def list_voids(context: CommandContext) -> None:
    """List the void matches per bot: a share far above the others' is suspicious."""
    context.call(
        lambda arena: arena.audit.ListVoidCounts(audit_pb2.ListVoidCountsRequest()),
        lambda listing: listing_table(_VOIDS, listing.counts, "No match was void."),
    )


def _kind(entry: audit_pb2.AuditEntry) -> str:
    return enum_word(audit_pb2.AuditKind, entry.kind).replace("_", "-")


_NONE: Final = "No entries: decisions of users and faults make them."

_COLUMNS: Final[Columns[audit_pb2.AuditEntry]] = {
    ">entry": lambda entry: short(entry.name),
    "when": lambda entry: format_time(entry.time),
    "kind": _kind,
    "?who": lambda entry: short(entry.user) or "the arena",
    "what": lambda entry: entry.sentence,
}


def _details(entry: audit_pb2.AuditEntry) -> RenderableType:
    about = facts(
        ("entry", short(entry.name)),
        ("when", format_time(entry.time)),
        ("kind", _kind(entry)),
        ("who", short(entry.user) or "the arena"),
        ("token", short(entry.token)),
        ("what", entry.sentence),
        ("about", ", ".join(entry.about)),
    )
    evidence = ((each.fact, each.value) for each in entry.evidence)
    return Group(about, table(("fact", "value"), evidence)) if entry.evidence else about


def _remark(count: audit_pb2.VoidCount) -> str:
    about = f"arena audit list --kind match-void --about bots/{short(count.bot)}"
    return f"ten times the share of others: {about}" if count.conspicuous else ""


_VOIDS: Final[Columns[audit_pb2.VoidCount]] = {
    "bot": lambda count: short(count.bot),
    ">void": lambda count: count.void_matches,
    ">matches": lambda count: count.matches,
    ">share": lambda count: f"{count.void_matches / count.matches:.1%}" if count.matches else "",
    "note": _remark,
}
