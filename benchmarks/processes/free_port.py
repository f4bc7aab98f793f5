"""Ports of this machine for servers that cannot choose one themselves."""

import socket
import time
from typing import Final

_LISTENS_WITHIN_S: Final = 60.0


def free_port() -> int:
    """Return a TCP port of the loopback address that is free at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until_listening(port: int) -> None:
    """Wait until a program listens there. Raises OSError: none does within a minute."""
    give_up = time.monotonic() + _LISTENS_WITHIN_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            if time.monotonic() > give_up:
                raise OSError(f"nobody listens at port {port} after {_LISTENS_WITHIN_S:g} s") from None
            time.sleep(0.1)
        else:
            return
