"""Connects to a Unix socket of the host that has a name and no file."""

import socket

from attack import attempt, setting


def connect() -> str:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect("\0" + setting("ABSTRACT_NAME"))
        return client.recv(100).decode()


attempt(connect)
