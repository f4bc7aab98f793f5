"""`arena announcement`: create, list and delete announcements."""

from typing import Annotated, Final

import typer

from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.connection import fetch_all
from arena.cli.framework.names import moment_ahead, resource
from arena.cli.framework.output import Columns, listing_table, plain
from arena.v1 import announcement_pb2 as pb
from arena.wire.wording import format_time, short

app = group("Announcements to everybody, which every page and command shows.")


@arena_command(
    app,
    "create",
    example='arena announcement create "The ladder closes at 18:00." --until 2026-12-01T18:00Z',
)
def create_announcement(
    context: CommandContext,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="At most 500 characters on one line.")],
    until: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="When it ends: 30m, 12h or 7d from now, 2026-12-01, or 2026-12-01T18:00 (UTC). Default: never.",
        ),
    ] = None,
) -> None:
    """Announce something on all pages, and once to each person who runs a command."""
    request = pb.CreateAnnouncementRequest(
        text=text, expire_time=None if until is None else moment_ahead(until, "--until")
    )
    with context.connect() as arena:
        made = arena.announcements.CreateAnnouncement(request).announcement
        context.announcements.leave_out([made])
    end = format_time(made.expire_time)
    context.show(
        made, lambda: f"Announcement {short(made.name)} is in force{f' until {end}' if end else ''}."
    )


@arena_command(app, "list", example="arena announcement list")
def list_announcements(context: CommandContext) -> None:
    """List the announcements in force, oldest first."""
    with context.connect() as arena:
        listing = fetch_all(arena.announcements.ListAnnouncements, pb.ListAnnouncementsRequest())
        context.announcements.leave_out(listing.announcements)
    context.show(
        listing, lambda: listing_table(_COLUMNS, listing.announcements, "No announcements are in force.")
    )


@arena_command(app, "delete", example="arena announcement delete 3")
def delete_announcement(
    context: CommandContext,
    number: Annotated[str, typer.Argument(metavar="NUMBER", help="Its number in `arena announcement list`.")],
) -> None:
    """Delete an announcement. Pages show it no longer, and commands not to others."""
    request = pb.DeleteAnnouncementRequest(name=resource("announcements", number))
    context.call(
        lambda arena: arena.announcements.DeleteAnnouncement(request).announcement,
        lambda deleted: f"Announcement {plain(short(deleted.name))} is deleted.",
    )


_COLUMNS: Final[Columns[pb.Announcement]] = {
    ">number": lambda each: short(each.name),
    "announced": lambda each: format_time(each.create_time),
    "until": lambda each: format_time(each.expire_time) or "never",
    "text": lambda each: each.text,
}
