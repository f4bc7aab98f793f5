"""`arena serve`: runs an arena."""

from __future__ import annotations

import socket
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.errors import CliError, server_packages
from arena.cli.where import DEFAULT_DATA


class LogFormat(StrEnum):
    """How the arena writes its service log."""

    CONSOLE = "console"
    JSON = "json"


def serve_arena(
    data: Annotated[
        Path,
        typer.Option(
            metavar="DIR", envvar="ARENA_DATA", help="Where everything is kept; made if it is not there."
        ),
    ] = DEFAULT_DATA,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any that is free.")] = 7450,
    log_format: Annotated[
        LogFormat, typer.Option(help="The service log: for people or for programs.")
    ] = LogFormat.CONSOLE,
) -> None:
    """Runs an arena until it is asked to stop (Ctrl-C or SIGTERM)."""
    with server_packages():
        from arena.server.serve import run
        from arena.server.settings import Settings
    check_free(host, port)
    run(Settings(data=data, host=host, port=port, json_logs=log_format is LogFormat.JSON))


def check_free(host: str, port: int) -> None:
    """The arena may listen there. gRPC itself would share a taken port without a word.

    Raises:
        CliError: the port is taken, or the address is not this machine's.
    """
    try:
        [(family, kind, protocol, _, address), *_] = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise CliError(
            f"The arena cannot listen at {host}:{port} ({error.strerror}): stop what runs there, "
            "or choose another port with --port."
        ) from error
