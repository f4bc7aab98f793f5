"""Connects to the socket on which the arena speaks with another bot."""

import socket

from attack import attempt, setting


def connect() -> str:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(setting("OTHER_SOCKET"))
        return client.recv(100).decode()


attempt(connect)
