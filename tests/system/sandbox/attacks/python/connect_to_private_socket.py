"""Connects to a socket that is for the arena's own user alone."""

import socket

from attack import attempt


def connect() -> str:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect("/run/arena/private.sock")
        return client.recv(100).decode()


attempt(connect)
