"""`arena account`: the arenas that a person has joined on this machine."""

from typing import Annotated, Final

import typer

from arena.cli.framework.commands import command, group
from arena.cli.framework.joined_arenas import (
    JoinedArena,
    JoinedArenas,
    accounts_file,
    read_accounts,
    write_accounts,
)
from arena.cli.framework.output import Columns, Format, listing_table, plain, print_json, print_line, show

app = group("The arenas that you have joined on this machine.")

AddressArgument = Annotated[
    str, typer.Argument(metavar="ADDRESS", help="The arena, as `arena account list` shows it.")
]


@command(app, "list", example="arena account list")
def list_accounts(
    format: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.TABLE,
) -> None:
    """List the arenas that you have joined, never the tokens. Commands that name no arena call the current one."""
    joined = read_accounts()
    if format is Format.JSON:
        print_json(
            {
                "file": str(accounts_file()),
                "accounts": [
                    {"address": each.address, "user": each.user, "current": each.address == joined.current}
                    for each in joined.arenas.values()
                ],
            }
        )
        return
    show(
        listing_table(_columns(joined), list(joined.arenas.values()), "No accounts: `arena join` makes one.")
    )


@command(app, "use", example="arena account use arena.example.org:7450")
def use_account(address: AddressArgument) -> None:
    """Make commands that name no arena call this one."""
    joined = read_accounts().with_current(address)
    write_accounts(joined)
    print_line(f"The current arena is {plain(address)}, where you are {plain(joined.arenas[address].user)}.")


@command(app, "forget", example="arena account forget arena.example.org:7450")
def forget_account(address: AddressArgument) -> None:
    """Remove an account from this machine. Its token stays valid: `arena token revoke` ends it."""
    write_accounts(read_accounts().without(address))
    print_line(f"The account at {plain(address)} is forgotten.")


_SHOWN: Final = 16
"""Characters of a token that are shown: its name."""


def _columns(joined: JoinedArenas) -> Columns[JoinedArena]:
    return {
        "arena": lambda each: each.address,
        "user": lambda each: each.user,
        "token": lambda each: each.token[:_SHOWN].removeprefix("arn_"),
        "encrypted": lambda each: "yes" if each.encrypted else "",
        "current": lambda each: "yes" if each.address == joined.current else "",
    }
