"""Connects by TCP over IPv6 to a server on the host."""

import socket

from attack import attempt, setting


def connect() -> str:
    with socket.socket(socket.AF_INET6) as client:
        client.settimeout(10)
        client.connect(("::1", int(setting("TCP6_PORT"))))
        return client.recv(100).decode()


attempt(connect)
