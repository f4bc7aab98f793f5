"""Has another address family than that of Unix sockets asked for a pair of sockets, which loads its module."""

import errno
import socket

from attack import attempt


def ask() -> str:
    try:
        for end in socket.socketpair(socket.AF_INET, socket.SOCK_STREAM):
            end.close()
    except OSError as error:
        if error.errno != errno.EOPNOTSUPP:
            raise
    return "asked the family itself"


attempt(ask)
