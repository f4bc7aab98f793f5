"""`arena invite`: create, list and revoke invites."""

import time
from typing import Annotated, Final

import typer

from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.connection import fetch_all
from arena.cli.framework.names import resource
from arena.cli.framework.output import Columns, enum_value, listing_table, plain, print_note
from arena.cli.user import QUOTA_OPTIONS, UserRole
from arena.drawings.wording import counted
from arena.v1 import invite_pb2, token_pb2, user_pb2
from arena.wire.owner_wording import format_role
from arena.wire.wording import format_time, short

app = group("Create, list and revoke invites, with which people join by themselves.")

InviteExpiryOption = Annotated[
    int, typer.Option("--expire-days", min=0, max=3650, help="Days until the code expires; 0: never.")
]
TokenExpiryOption = Annotated[
    int,
    typer.Option("--token-expire-days", min=0, max=3650, help="Days until the tokens expire; 0: never."),
]


@arena_command(
    app, "create", example="arena invite create --uses 30 --expire-days 7 --bots 3", more=QUOTA_OPTIONS
)
def create_invite(
    context: CommandContext,
    /,
    uses: Annotated[int | None, typer.Option(min=1, max=100_000, help="How many people may join.")] = None,
    user: Annotated[
        str | None, typer.Option(metavar="USER", help="Invite this user, who exists, instead of new ones.")
    ] = None,
    role: Annotated[UserRole, typer.Option(help="The role of those who join.")] = "owner",
    expire_days: InviteExpiryOption = 30,
    token_expire_days: TokenExpiryOption = 0,
    team: Annotated[
        str | None, typer.Option(metavar="TEAM", help="Make the new users members of this team.")
    ] = None,
    renewable: Annotated[
        bool,
        typer.Option(
            "--renewable",
            help="With --user: they may join again with the code, which replaces a lost token.",
        ),
    ] = False,
    note: Annotated[str, typer.Option(help="A note, for example spring term.")] = "",
    **quotas: int | None,
) -> None:
    """Create an invite. Its code is printed only once; `arena join CODE` exchanges it for a token."""
    if (uses is None) == (user is None):
        raise typer.BadParameter("use either --uses, for new users, or --user.")
    request = invite_pb2.CreateInviteRequest(
        role=enum_value(token_pb2.Role, role),
        user=resource("users", user) if user else "",
        uses=uses or 0,
        quotas=user_pb2.UserQuotas(**quotas),
        expire_days=expire_days,
        token_expire_days=token_expire_days,
        renewable=renewable,
        note=note,
        team=resource("teams", team) if team else "",
    )
    made = context.call(lambda arena: arena.invites.CreateInvite(request), lambda made: plain(made.code))
    whom = (
        f"for {short(made.invite.user)}"
        if made.invite.user
        else f"for {counted(made.invite.uses, 'new user')}"
    )
    until = format_time(made.invite.expire_time)
    print_note(
        f"Created invite {short(made.invite.name)} {whom}{f', until {until}' if until else ''}. Keep the code: it is "
        "shown only once. To join: arena join CODE --server ADDRESS, or /join on the web pages."
    )


@arena_command(app, "list", example="arena invite list --format json")
def list_invites(
    context: CommandContext,
    open_only: Annotated[bool, typer.Option("--open", help="Only invites that can be accepted.")] = False,
) -> None:
    """List invites, oldest first, never their codes."""
    with context.connect() as arena:
        invites = fetch_all(arena.invites.ListInvites, invite_pb2.ListInvitesRequest())
    chosen = invite_pb2.ListInvitesResponse(
        invites=(each for each in invites.invites if not (open_only and _ended(each)))
    )
    none = "No invites of this kind: `arena invite create` makes one."
    context.show(chosen, lambda: listing_table(_COLUMNS, chosen.invites, none))


@arena_command(app, "revoke", example="arena invite revoke 7f3a90c1e2d4")
def revoke_invite(
    context: CommandContext,
    name: Annotated[
        str, typer.Argument(metavar="INVITE", help="Its name in `arena invite list`, not its code.")
    ],
) -> None:
    """Revoke an invite. Tokens that it gave stay valid."""
    request = invite_pb2.RevokeInviteRequest(name=resource("invites", name))
    context.call(
        lambda arena: arena.invites.RevokeInvite(request).invite,
        lambda invite: f"Invite {plain(short(invite.name))} is revoked.",
    )


def _ended(invite: invite_pb2.Invite) -> str:
    """Return "revoked", "expired", "used", or nothing for an invite that can be accepted."""
    if invite.revoked:
        return "revoked"
    if invite.HasField("expire_time") and invite.expire_time.ToMicroseconds() <= time.time() * 1_000_000:
        return "expired"
    return "used" if not invite.renewable and invite.used >= invite.uses else ""


_COLUMNS: Final[Columns[invite_pb2.Invite]] = {
    "invite": lambda invite: short(invite.name),
    "role": lambda invite: format_role(invite.role),
    "for": lambda invite: (
        short(invite.user)
        if invite.user
        else f"new members of {short(invite.team)}"
        if invite.team
        else "new users"
    ),
    ">used": lambda invite: f"{invite.used} of {'any' if invite.renewable else invite.uses}",
    "~note": lambda invite: invite.note,
    "?created": lambda invite: format_time(invite.create_time),
    "expires": lambda invite: format_time(invite.expire_time) or "never",
    "ended": _ended,
}
