"""Connects by TCP to a server on the host."""

import socket

from attack import attempt, setting


def connect() -> str:
    with socket.create_connection(("127.0.0.1", int(setting("TCP_PORT"))), timeout=10) as client:
        return client.recv(100).decode()


attempt(connect)
