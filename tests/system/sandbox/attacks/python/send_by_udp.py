"""Sends a datagram to a server on the host and waits for the answer."""

import socket

from attack import attempt, setting


def send() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.settimeout(10)
        client.connect(("127.0.0.1", int(setting("UDP_PORT"))))
        client.send(b"hello")
        return client.recv(100).decode()


attempt(send)
