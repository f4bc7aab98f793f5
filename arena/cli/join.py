"""`arena join`: exchange the code of an invite for a token of one's own."""

from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.framework.commands import CommandContext, arena_command, only_command
from arena.cli.framework.errors import CliError
from arena.cli.framework.joined_arenas import (
    JoinedArena,
    accounts_file,
    read_accounts,
    write_accounts,
)
from arena.cli.framework.output import plain, print_note
from arena.cli.framework.target import DEFAULT_DATA
from arena.v1 import invite_pb2
from arena.wire.owner_wording import format_role
from arena.wire.wording import format_time, short

app = only_command()

_LINK: Final = "/join/"


@arena_command(
    app,
    "join",
    example="arena join JOIN-7K3M9-QXW2B-TDH8N-P4C6R --user alice --server arena.example.org:7450",
)
def join(
    context: CommandContext,
    code: Annotated[
        str, typer.Argument(metavar="CODE", help="The code of the invite, or a link that ends with it.")
    ],
    user: Annotated[
        str, typer.Option(metavar="NAME", help="The name that you choose, unless the invite names you.")
    ] = "",
    note: Annotated[str, typer.Option(help="A note on the token, for example laptop.")] = "",
) -> None:
    """Join an arena with the code of an invite. The token is kept for later commands."""
    context.target.check_secrecy()
    joined = read_accounts()
    typed = code.rpartition(_LINK)[2]
    known = joined.arenas.get(_address(context))
    with context.connect() as arena:
        invite = arena.invites.LookUpInvite(invite_pb2.LookUpInviteRequest(code=typed))
        if known is not None and short(invite.user) != known.user:
            raise CliError(
                f"You have joined {known.address} as {known.user} already. To join as somebody else on this machine, "
                f"name another folder in ARENA_CONFIG, or remove that account with its token: `arena account forget "
                f"{known.address}`."
            )
        if not invite.user and not user:
            raise CliError(
                "Choose a name: add --user NAME, 1 to 32 of a-z, 0-9 and -, beginning with a letter."
            )
        request = invite_pb2.AcceptInviteRequest(code=typed, user_id=user.removeprefix("users/"), note=note)
        accepted = arena.invites.AcceptInvite(request)
    account = _account(context, accepted)
    try:
        write_accounts(joined.with_arena(account))
    except CliError as error:
        print_note(f"{error.sentence} This is your token. Keep it: it is shown only once.")
        print(accepted.secret)
        raise typer.Exit(1) from error
    shown = invite_pb2.AcceptInviteResponse()
    shown.CopyFrom(accepted)
    shown.secret = ""
    until = format_time(accepted.token.expire_time)
    context.show(
        shown,
        lambda: (
            f"You joined {plain(account.address)} as {plain(account.user)}, {format_role(accepted.user.role)}"
            f"{f', until {until}' if until else ''}.\nYour token is kept in {plain(str(accounts_file()))}. "
            "Next: arena bot create NAME"
        ),
    )
    if context.target.data == DEFAULT_DATA and context.target.has_local_arena():
        print_note(
            f"In this folder commands call the arena of the data folder {DEFAULT_DATA}: work in another folder, or add "
            f"--server {account.address}."
        )


def _address(context: CommandContext) -> str:
    """Return the address of the arena. Raises CliError: it is not named, and no arena runs here."""
    try:
        return context.target.address()
    except CliError as error:
        if context.target.server is not None:
            raise
        raise CliError(
            "Which arena? Add --server HOST:PORT, the address that you got with the code.", error.code
        ) from error


def _account(context: CommandContext, accepted: invite_pb2.AcceptInviteResponse) -> JoinedArena:
    """Return what later commands need to call this arena."""
    target = context.target
    authorities = target.tls_environment({}).get("ARENA_TLS_CA") or None
    return JoinedArena(
        address=target.address(),
        user=short(accepted.user.name),
        token=accepted.secret,
        tls_ca=None if authorities is None else str(Path(authorities).absolute()),
        encrypted=target.tls() is not None,
    )
