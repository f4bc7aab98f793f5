"""The process of the pages: an HTTP server on one port."""

import asyncio
import gc
import os
import signal
import socket
import sys
import threading
import time

import uvicorn

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.pages.answers import Ending
from arena.pages.app import pages_app
from arena.pages.reads import ArenaReads, Connection

_CONNECTIONS = 2_000
_NICE = 10
"""Of the process of the pages: an arena on the same machine comes first."""
_END_WITHIN_S = 10
"""How long the process may take to end in good order after its parent."""
_STOP_GRACE_S = 1
"""Answers that are not complete after so long are broken off."""


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0: any free one. Raises FailedPreconditionError: the address cannot be used."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=256)
    except (OSError, OverflowError, UnicodeError) as error:
        raise FailedPreconditionError(
            ErrorReason.FIELD_INVALID,
            f"The pages cannot listen at {host}:{port}: the port is taken, or the address is not this machine's. "
            "Choose another port or host.",
            field="pages",
        ) from error


def address_of(listening: socket.socket) -> str:
    """Return the address of the first page."""
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def check_connection(connection: Connection) -> None:
    """Connect once. Raises grpc.aio.AioRpcError: there is no arena, or it does not accept the token."""

    async def connect() -> None:
        async with ArenaReads(connection):
            pass

    asyncio.run(connect())


class _Server(uvicorn.Server):
    """A server that ends its streams as soon as it is asked to stop."""

    def __init__(self, config: uvicorn.Config, ending: Ending) -> None:
        super().__init__(config)
        self._ending = ending

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._ending.begin()
        await super().shutdown(sockets)


def serve_pages(connection: Connection, listening: socket.socket, *, plaintext: bool = False) -> None:
    """Answer requests until SIGINT or SIGTERM, with a lower priority than other processes, where this is possible.

    `plaintext`: people may sign in without encryption from other machines, because the network is trusted.
    """
    if hasattr(os, "nice"):
        os.nice(_NICE)
    gc.collect()
    gc.freeze()  # what is loaded stays to the end: a full collection would walk it while a reader waits
    ending = Ending()
    config = uvicorn.Config(
        pages_app(connection, ending, plaintext=plaintext),
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=_STOP_GRACE_S,
    )
    _Server(config, ending).run(sockets=[listening])


def end_with_parent() -> None:
    """End this process when its parent closes the standard input, however the parent ends.

    It ends as by SIGTERM, so that `serve_pages` ends its own processes; if that takes too long, at once.
    """

    def wait() -> None:
        sys.stdin.buffer.read()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(_END_WITHIN_S)
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()
