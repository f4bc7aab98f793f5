"""`arena pages`: web pages of an arena, served or written to a folder."""

import os
import socket
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli import sample_bots
from arena.cli.bot.run_token import bot_environment
from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.errors import CliError, server_packages
from arena.cli.framework.output import Format, err, print_json, print_line
from arena.cli.framework.signals import interruptible
from arena.cli.serve import LogFormat
from arena.drawings.wording import counted
from arena.pages.reads import Connection, PageError
from arena.sdk.settings import PLAINTEXT_VARIABLE

DEFAULT_PORT: Final = 8450

app = group("Show ladders, bots, tournaments and matches as web pages.")


@arena_command(app, "", example="arena pages --port 8450", formats=False)
def serve(
    context: CommandContext,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any free port.")] = DEFAULT_PORT,
    log_format: Annotated[LogFormat, typer.Option(help="Format of the service log.")] = "console",
    socket_fd: Annotated[int | None, typer.Option(hidden=True)] = None,
) -> None:
    """Serve the pages until Ctrl-C. They show what a spectator may see, and more to people who sign in."""
    with server_packages("pages"):
        from arena.pages.process import address_of, check_connection, end_with_parent, listen, serve_pages
        from arena.server.service_log import configure
    configure(json_logs=log_format == "json")
    connection = connection_of(context)
    plaintext = os.environ.get(PLAINTEXT_VARIABLE, "") == "1"
    if socket_fd is not None:  # `arena serve --pages` has opened the port
        with interruptible():
            end_with_parent()
            serve_pages(connection, socket.socket(fileno=socket_fd), plaintext=plaintext)
        return
    with interruptible(), listen(host, port) as listening:
        check_connection(connection)
        print_line(f"Pages: {address_of(listening)}. Press Ctrl-C to end them.")
        serve_pages(connection, listening, plaintext=plaintext)


@arena_command(app, "export", example="arena pages export public --matches 200")
def export(
    context: CommandContext,
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The folder; earlier pages in it are replaced.")
    ],
    matches: Annotated[
        int, typer.Option(min=0, help="The newest matches, which get a page with replay and log.")
    ] = 100,
) -> None:
    """Write the pages to a folder as files that need no server."""
    from arena.pages.export import export_pages

    with err().status("writing") as status:
        try:
            written = export_pages(
                connection_of(context),
                folder,
                matches=matches,
                progress=lambda what: status.update(f"writing {what}"),
            )
        except PageError as error:
            raise CliError(error.sentence) from error
        except FileExistsError as error:
            raise CliError(str(error)) from error
    if context.format is Format.JSON:
        print_json({"first": str(written.first), "pages": written.pages, "replays": written.replays})
    else:
        print_line(
            f"{counted(written.pages, 'page')} with {counted(written.replays, 'replay')} written. "
            f"Open {written.first} in a browser."
        )


def connection_of(context: CommandContext) -> Connection:
    """Return how the pages connect to the arena of a command. Raises CliError as `CommandContext.connect` does."""
    token, tls = context.target.secret(), context.target.tls()
    if token is None:
        raise CliError(
            f"The arena at {context.describe_address()} requires a token. Use --token or ARENA_TOKEN with one of a "
            "spectator: `arena token create --spectator NAME`."
        )
    context.target.check_secrecy()
    address = context.target.address()
    environment = bot_environment(context.target.tls_environment(os.environ), address, "")
    environment["PYTHONPATH"] = str(sample_bots.checkout())  # for hints
    return Connection(address, token, None if tls is None else tls.credentials(), environment)
