"""What an organiser sets on a ladder that exists: anchors, its title, and whether listings show it."""

import time
from collections.abc import Sequence
from typing import Annotated, TypeVar

import typer
from rich.console import RenderableType

from arena.cli.framework.commands import CommandContext
from arena.cli.framework.names import BotArgument, moment_or_removal, resource
from arena.cli.framework.output import Columns, listing_table, plain
from arena.v1 import ladder_pb2, tournament_pb2
from arena.wire.wording import format_time, short

LadderArgument = Annotated[str, typer.Argument(metavar="LADDER", help="The ladder, for example main.")]
TitleArgument = Annotated[
    str, typer.Argument(metavar="[TITLE]", help="At most 80 characters. Default: none, only the id.")
]
HiddenOption = Annotated[bool, typer.Option("--hidden", help="Include hidden ones (organisers).")]
ArchivedOption = Annotated[bool, typer.Option("--archived", help="Include archived ones.")]
UndoOption = Annotated[bool, typer.Option("--undo", help="Show it again.")]


def set_anchor(
    context: CommandContext,
    name: LadderArgument,
    bot: BotArgument,
    rating: Annotated[
        float | None,
        typer.Option(metavar="POINTS", min=0, max=4000, help="The fixed rating, for example 1500."),
    ] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Rate the bot again, from there and as uncertain as a new one.")
    ] = False,
) -> None:
    """Fix the rating of a bot on a ladder: matches do not move it, and it has no rank."""
    if remove == (rating is not None):
        raise typer.BadParameter("give either a rating or --remove.", param_hint="--rating")
    milli = None if rating is None else round(rating * 1000)
    request = ladder_pb2.SetLadderAnchorRequest(
        name=resource("ladders", name), bot=resource("bots", bot), rating_milli=milli
    )
    ladder, anchor = short(request.name), short(request.bot)
    fixed = f"{anchor} is an anchor of {ladder}, fixed at {rating or 0:g} points."
    released = f"{anchor} is rated again on {ladder}."
    context.call(
        lambda arena: arena.ladders.SetLadderAnchor(request).ladder,
        lambda _: plain(released if milli is None else fixed),
    )


def rename_ladder(context: CommandContext, name: LadderArgument, title: TitleArgument = "") -> None:
    """Set the title of a ladder, which is shown beside its id. The id stays."""
    request = ladder_pb2.RenameLadderRequest(name=resource("ladders", name), title=title)
    context.call(
        lambda arena: arena.ladders.RenameLadder(request).ladder,
        lambda ladder: plain(titled("ladder", ladder.name, ladder.title)),
    )


def hide_ladder(context: CommandContext, name: LadderArgument, undo: UndoOption = False) -> None:
    """Hide a ladder from listings. Its name still finds it, and its matches stay."""
    request = ladder_pb2.SetLadderHiddenRequest(name=resource("ladders", name), hidden=not undo)
    context.call(
        lambda arena: arena.ladders.SetLadderHidden(request).ladder,
        lambda ladder: plain(f"{short(ladder.name)} is {'hidden' if ladder.hidden else 'visible'}."),
    )


def has_passed(ladder: ladder_pb2.Ladder) -> bool:
    """Return whether the ladder has a deadline, and that has passed."""
    return ladder.HasField("deadline") and ladder.deadline.ToMicroseconds() <= time.time() * 1_000_000


def deadline_text(ladder: ladder_pb2.Ladder) -> str:
    """Return the deadline, and whether it has passed; empty if there is none."""
    return format_time(ladder.deadline) + (", which has passed" if has_passed(ladder) else "")


def set_deadline(
    context: CommandContext,
    name: LadderArgument,
    when: Annotated[
        str | None,
        typer.Argument(metavar="TIME", help="now, 2h, 7d or 2026-12-01T18:00 (UTC)."),
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the deadline.")] = False,
) -> None:
    """Set the deadline of a ladder: from then on its bots and their versions stay as they are, and play on."""
    deadline = moment_or_removal(when, remove=remove)
    request = ladder_pb2.SetLadderDeadlineRequest(name=resource("ladders", name), deadline=deadline)

    def done(ladder: ladder_pb2.Ladder) -> str:
        own = plain(short(ladder.name))
        if not ladder.HasField("deadline"):
            return f"{own} has no deadline."
        since = " Owners change nothing from now on." if has_passed(ladder) else ""
        return f"The deadline of {own} is {deadline_text(ladder)}.{since}"

    context.call(lambda arena: arena.ladders.SetLadderDeadline(request).ladder, done)


UndoArchivingOption = Annotated[bool, typer.Option("--undo", help="Take it out of the archive.")]


def archive_ladder(context: CommandContext, name: LadderArgument, undo: UndoArchivingOption = False) -> None:
    """Archive a ladder: no match begins, and listings leave it out. Its results stay, and its name finds it."""
    request = ladder_pb2.SetLadderArchivedRequest(name=resource("ladders", name), archived=not undo)
    context.call(
        lambda arena: arena.ladders.SetLadderArchived(request).ladder,
        lambda ladder: plain(archiving("ladder", ladder.name, archived=ladder.archived)),
    )


def delete_ladder(context: CommandContext, name: LadderArgument) -> None:
    """Delete a ladder of which no match was ever made. Others can be archived."""
    request = ladder_pb2.DeleteLadderRequest(name=resource("ladders", name))
    context.call(
        lambda arena: arena.ladders.DeleteLadder(request).ladder,
        lambda ladder: plain(f"The ladder {short(ladder.name)} is deleted."),
    )


T = TypeVar("T", ladder_pb2.Ladder, tournament_pb2.Tournament)


def table_with_titles(columns: Columns[T], items: Sequence[T], none: str) -> RenderableType:
    """Return a table of ladders or tournaments; their titles are the last column, if there are any.

    `none`: what is shown without items; see listing_table.
    """
    if any(item.title for item in items):
        columns = {**columns, "?~title": lambda item: item.title}
    return listing_table(columns, items, none)


def titled(kind: str, name: str, title: str) -> str:
    """Return which title a ladder or tournament has, as a sentence."""
    return f"The {kind} {short(name)} has {f'the title {title}' if title else 'no title'}."


def archiving(kind: str, name: str, *, archived: bool) -> str:
    """Return whether a ladder or tournament is archived, as a sentence."""
    return f"The {kind} {short(name)} is {'archived' if archived else 'not archived, and does not run'}."


def event_name(event: ladder_pb2.Ladder | tournament_pb2.Tournament) -> str:
    """Return the id of a ladder or tournament with what sets it apart in a listing."""
    marks = [word for word, is_so in (("hidden", event.hidden), ("archived", event.archived)) if is_so]
    return short(event.name) + (f" ({', '.join(marks)})" if marks else "")
