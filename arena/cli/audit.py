"""`arena audit`: the audit trail."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated, Final

import typer
from google.protobuf.timestamp_pb2 import Timestamp
from rich.console import Group, RenderableType

from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.names import resource
from arena.cli.framework.output import enum_value, enum_word, facts, format_time, plain, short, table
from arena.cli.framework.paging import fetch_all
from arena.v1 import audit_pb2

app = group("Show the audit trail: faults of the arena and decisions of people (organisers).")

_ENTRIES: Final = 50


class AuditKindName(StrEnum):
    """The kinds of audit entries on the command line."""

    MATCH_VOID = "match-void"
    LEFT_TO_ORGANISER = "left-to-organiser"
    RULING = "ruling"
    STALL = "stall"
    STORAGE = "storage"
    START = "start"
    MASS_LOSS = "mass-loss"
    REST = "rest"
    INTERNAL_ERROR = "internal-error"
    TOKEN = "token"
    USER = "user"
    BOT = "bot"
    EVENT = "event"
    VERSION = "version"
    BAN = "ban"


_AGO: Final = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}


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
    limit: Annotated[int, typer.Option(min=0, help="Maximum number of entries; 0: all.")] = _ENTRIES,
) -> None:
    """List audit entries, newest first."""
    request = audit_pb2.ListAuditEntriesRequest(
        kind=enum_value(audit_pb2.AuditKind, kind),
        about=about or "",
        user=resource("users", user) if user else "",
        since=None if since is None else _moment(since),
    )

    with context.connect() as arena:
        entries = fetch_all(arena.audit.ListAuditEntries, request, limit=limit)
    context.show(entries, lambda: _table(entries))


@arena_command(app, "show", example="arena audit show 17")
def show_entry(
    context: CommandContext,
    number: Annotated[
        str, typer.Argument(metavar="NUMBER", help="The entry, as `arena audit list` shows it.")
    ],
) -> None:
    """Show one entry with what it is about and its evidence."""
    with context.connect() as arena:
        request = audit_pb2.GetAuditEntryRequest(name=resource("auditEntries", number))
        entry = arena.audit.GetAuditEntry(request).entry
    context.show(entry, lambda: _details(entry))


@arena_command(app, "voids", example="arena audit voids")
def list_voids(context: CommandContext) -> None:
    """List the void matches per bot: a share far above the others' is suspicious."""
    with context.connect() as arena:
        counts = arena.audit.ListVoidCounts(audit_pb2.ListVoidCountsRequest())
    context.show(counts, lambda: _voids(counts))


def _moment(text: str) -> Timestamp:
    """Parse --since. Raises BadParameter."""
    if ago := re.fullmatch(r"([1-9][0-9]{0,5})([mhd])", text):
        moment = datetime.now(UTC) - int(ago[1]) * _AGO[ago[2]]
    else:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            raise typer.BadParameter(
                f"invalid time {text!r}: expected 30m, 12h, 7d, 2026-11-21 or 2026-11-21T22:00 (UTC).",
                param_hint="--since",
            ) from None
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    sent = Timestamp()
    sent.FromDatetime(moment.replace(tzinfo=None))
    return sent


def _table(entries: audit_pb2.ListAuditEntriesResponse) -> RenderableType:
    titles = (">entry", "when", "kind", "?who", "what")
    if not entries.entries:
        return plain("No entries.")
    return table(titles, map(_row, entries.entries))


def _row(entry: audit_pb2.AuditEntry) -> tuple[str, ...]:
    return (
        short(entry.name),
        format_time(entry.time),
        _kind(entry),
        short(entry.user) or "the arena",
        entry.sentence,
    )


def _kind(entry: audit_pb2.AuditEntry) -> str:
    return enum_word(audit_pb2.AuditKind, entry.kind).replace("_", "-")


def _details(entry: audit_pb2.AuditEntry) -> RenderableType:
    about = facts(
        (
            ("entry", short(entry.name)),
            ("when", format_time(entry.time)),
            ("kind", _kind(entry)),
            ("who", short(entry.user) or "the arena"),
            ("token", short(entry.token)),
            ("what", entry.sentence),
            ("about", ", ".join(entry.about)),
        )
    )
    if not entry.evidence:
        return about
    evidence = ((each.fact, each.value) for each in entry.evidence)
    return Group(about, table(("fact", "value"), evidence))


def _voids(counts: audit_pb2.ListVoidCountsResponse) -> RenderableType:
    if not counts.counts:
        return plain("No match was void.")
    titles = ("bot", ">void", ">matches", ">share", "note")
    return table(titles, map(_void_line, counts.counts))


def _void_line(count: audit_pb2.VoidCount) -> tuple[object, ...]:
    bot = short(count.bot)
    share = f"{count.void_matches / count.matches:.1%}" if count.matches else ""
    note = ""
    if count.conspicuous:
        note = f"ten times the share of others: arena audit list --kind match-void --about bots/{bot}"
    return bot, count.void_matches, count.matches, share, note
