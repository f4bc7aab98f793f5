"""What an organiser sets on a tournament that exists: its title, and whether listings show it."""

from typing import Annotated

import typer

from arena.cli.framework.commands import CommandContext
from arena.cli.framework.names import resource
from arena.cli.framework.output import plain
from arena.cli.ladder.settings import TitleArgument, UndoArchivingOption, UndoOption, archiving, titled
from arena.v1 import tournament_pb2
from arena.wire.wording import short

NameArgument = Annotated[
    str, typer.Argument(metavar="TOURNAMENT", help="The tournament, for example spring.")
]


def rename_tournament(context: CommandContext, name: NameArgument, title: TitleArgument = "") -> None:
    """Set the title of a tournament, which is shown beside its id. The id stays."""
    request = tournament_pb2.RenameTournamentRequest(name=resource("tournaments", name), title=title)
    context.call(
        lambda arena: arena.tournaments.RenameTournament(request).tournament,
        lambda tournament: plain(titled("tournament", tournament.name, tournament.title)),
    )


def hide_tournament(context: CommandContext, name: NameArgument, undo: UndoOption = False) -> None:
    """Hide a tournament from listings. Its name still finds it, and its matches stay."""
    request = tournament_pb2.SetTournamentHiddenRequest(name=resource("tournaments", name), hidden=not undo)
    context.call(
        lambda arena: arena.tournaments.SetTournamentHidden(request).tournament,
        lambda tournament: plain(
            f"{short(tournament.name)} is {'hidden' if tournament.hidden else 'visible'}."
        ),
    )


def archive_tournament(
    context: CommandContext, name: NameArgument, undo: UndoArchivingOption = False
) -> None:
    """Archive a tournament that does not run: no match begins, listings leave it out. Its results stay."""
    request = tournament_pb2.SetTournamentArchivedRequest(
        name=resource("tournaments", name), archived=not undo
    )
    context.call(
        lambda arena: arena.tournaments.SetTournamentArchived(request).tournament,
        lambda tournament: plain(archiving("tournament", tournament.name, archived=tournament.archived)),
    )


def delete_tournament(context: CommandContext, name: NameArgument) -> None:
    """Delete a tournament of which no match was ever made. Others can be archived."""
    request = tournament_pb2.DeleteTournamentRequest(name=resource("tournaments", name))
    context.call(
        lambda arena: arena.tournaments.DeleteTournament(request).tournament,
        lambda tournament: plain(f"The tournament {short(tournament.name)} is deleted."),
    )
