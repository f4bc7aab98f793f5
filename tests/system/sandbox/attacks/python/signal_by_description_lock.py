"""Sees by a lock of an open file that all bots are shown what another program tells it."""

import fcntl
import os
import struct

from attack import attempt

F_OFD_SETLK = 37


def listen() -> str:
    with open("/bot/locked", "rb") as shared:
        try:
            fcntl.fcntl(shared, F_OFD_SETLK, struct.pack("hh4xqqi4x", fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0))
        except BlockingIOError:
            return "lock seen"
        return "lock taken"


attempt(listen)
