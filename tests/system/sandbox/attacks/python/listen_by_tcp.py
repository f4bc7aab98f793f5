"""Opens a port on which it could be reached."""

import socket

from attack import attempt


def listen() -> str:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"listens {bool(server.getsockname()[1])}"


attempt(listen)
