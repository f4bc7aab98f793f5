"""Opens a netlink socket, the door to the kernel's network code."""

import socket

from attack import attempt


def ask() -> str:
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW) as door:
        door.bind((0, 0))
        return "bound"


attempt(ask)
