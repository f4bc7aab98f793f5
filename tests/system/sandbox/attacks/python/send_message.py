"""Sends a message to a queue of the host."""

import ctypes

from attack import attempt, checked, libc, setting


def send() -> str:
    queue = checked(libc.msgget(int(setting("IPC_KEY")), 0))
    message = ctypes.create_string_buffer(ctypes.sizeof(ctypes.c_long) + 5)
    message.raw = (1).to_bytes(ctypes.sizeof(ctypes.c_long), "little") + b"hello"
    checked(libc.msgsnd(queue, message, 5, 0o4000))
    return "sent"


attempt(send)
