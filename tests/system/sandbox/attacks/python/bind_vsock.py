"""Takes a port in the address family between virtual machines, which no namespace separates."""

import socket

from attack import attempt


def bind() -> str:
    with socket.socket(socket.AF_VSOCK) as server:
        server.bind((socket.VMADDR_CID_ANY, socket.VMADDR_PORT_ANY))
        return "bound"


attempt(bind)
