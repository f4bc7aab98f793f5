"""`arena team`: create, join, show and leave teams."""

from collections.abc import Iterable
from typing import Annotated, Final

import typer
from rich.console import RenderableType

from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.connection import fetch_all
from arena.cli.framework.names import ID_HELP, resource
from arena.cli.framework.output import Columns, facts, listing_table, plain, print_note
from arena.v1 import team_pb2
from arena.wire.wording import format_time, short

app = group("Teams: several people own bots together.")

TeamOption = Annotated[
    str | None, typer.Argument(metavar="TEAM", help="The team, for organisers. Default: yours.")
]
TeamArgument = Annotated[str, typer.Argument(metavar="TEAM", help="The team, for example lions.")]
UserArgument = Annotated[str, typer.Argument(metavar="USER", help="The user, for example alice.")]


@arena_command(app, "create", example="arena team create lions")
def create_team(
    context: CommandContext, name: Annotated[str, typer.Argument(metavar="TEAM", help=ID_HELP)]
) -> None:
    """Create a team with you as its first member; your bots become the team's. Its code is printed only once.

    A team that an organiser creates has no members yet.
    """
    request = team_pb2.CreateTeamRequest(team_id=short(resource("teams", name)))
    made = context.call(lambda arena: arena.teams.CreateTeam(request), lambda made: plain(made.code))
    print_note(f"Created team {short(made.team.name)}. {_how_to_join(made.code)}")


@arena_command(app, "join", example="arena team join TEAM-7K3M9-QXW2B-TDH8N-P4C6R")
def join_team(
    context: CommandContext,
    code: Annotated[str, typer.Argument(metavar="CODE", help="The code of the team; a member has it.")],
) -> None:
    """Become a member of a team. Your bots become the team's, and stay with it if you leave."""
    request = team_pb2.JoinTeamRequest(code=code)
    context.call(lambda arena: arena.teams.JoinTeam(request).team, _details)
    print_note(
        "What you register belongs to the team from now on, and so do the bots that you had: they stay if you leave."
    )


@arena_command(app, "show", example="arena team show")
def show_team(context: CommandContext, name: TeamOption = None) -> None:
    """Show a team: members, bots and quotas."""
    request = team_pb2.GetTeamRequest(name=_given(name))
    context.call(lambda arena: arena.teams.GetTeam(request).team, _details)


@arena_command(app, "list", example="arena team list --format json")
def list_teams(context: CommandContext) -> None:
    """List teams by name, for organisers."""
    context.call(
        lambda arena: fetch_all(arena.teams.ListTeams, team_pb2.ListTeamsRequest()),
        lambda listing: listing_table(
            _COLUMNS, listing.teams, "No teams yet: `arena team create` makes one."
        ),
    )


@arena_command(app, "code", example="arena team code")
def renew_code(context: CommandContext, name: TeamOption = None) -> None:
    """Replace the code of a team and print the new one. The old code is rejected from then on."""
    request = team_pb2.RenewTeamCodeRequest(name=_given(name))
    made = context.call(lambda arena: arena.teams.RenewTeamCode(request), lambda made: plain(made.code))
    print_note(_how_to_join(made.code))


@arena_command(app, "leave", example="arena team leave")
def leave_team(context: CommandContext) -> None:
    """Leave your team. All its bots stay with it."""
    context.call(
        lambda arena: arena.teams.LeaveTeam(team_pb2.LeaveTeamRequest()).team,
        lambda team: f"You left {plain(short(team.name))}. {_what_stays(team)}",
    )


@arena_command(app, "add", example="arena team add lions alice")
def add_member(context: CommandContext, team: TeamArgument, user: UserArgument) -> None:
    """Make a user a member of a team, for organisers. They leave another one; bots of their own come along."""
    _set_team(context, user, resource("teams", team))


@arena_command(app, "remove", example="arena team remove alice")
def remove_member(context: CommandContext, user: UserArgument) -> None:
    """Make a user a member of no team, for organisers. The bots stay with the team."""
    _set_team(context, user, "")


def _set_team(context: CommandContext, user: str, team: str) -> None:
    request = team_pb2.SetUserTeamRequest(user=resource("users", user), team=team)
    context.call(
        lambda arena: arena.teams.SetUserTeam(request).user,
        lambda user: (
            f"{plain(short(user.name))} is in {plain(short(user.team)) if user.team else 'no team'}."
        ),
    )


def _what_stays(team: team_pb2.Team) -> str:
    """Return what becomes of a team that somebody has left."""
    if team.bots:
        return f"It keeps its bots: {_short(team.bots)}."
    return "It has no bots." if team.members else "It had no other member and no bots, and is removed."


def _given(name: str | None) -> str:
    return resource("teams", name) if name else ""


def _how_to_join(code: str) -> str:
    return f"Keep the code: it is shown only once. To join, with a token of one's own: arena team join {code}"


def _short(names: Iterable[str]) -> str:
    return ", ".join(map(short, names))


_COLUMNS: Final[Columns[team_pb2.Team]] = {
    "team": lambda team: short(team.name),
    "~members": lambda team: _short(team.members),
    "~bots": lambda team: _short(team.bots),
    "disabled": lambda team: "yes" if team.disabled else "",
    "?created": lambda team: format_time(team.create_time),
}


def _details(team: team_pb2.Team) -> RenderableType:
    quotas = (f"{field.name} {value}" for field, value in team.quotas_in_force.ListFields())
    return facts(
        ("team", short(team.name)),
        ("members", _short(team.members) or "none yet"),
        ("bots", _short(team.bots) or "none yet: `arena bot create NAME`"),
        ("disabled", "yes" if team.disabled else ""),
        ("created", format_time(team.create_time)),
        ("quotas", ", ".join(quotas)),
    )
