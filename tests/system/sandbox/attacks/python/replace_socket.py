"""Puts a socket of its own beside the arena's, where the next program would look for one."""

import socket

from attack import attempt


def bind() -> str:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("/run/arena/other.sock")
    return "bound"


attempt(bind)
