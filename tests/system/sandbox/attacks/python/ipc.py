"""Attacks by System V and POSIX objects."""

import ctypes
import errno
import os
from pathlib import Path

from attack import attack, checked, libc, refused, setting

libc.shmat.restype = ctypes.c_void_p


@attack
def attach_shared_memory() -> str:
    """Attach shared memory of the host and read it."""
    shared = checked(libc.shmget(int(setting("IPC_KEY")), 0, 0))
    address = libc.shmat(shared, None, 0o10000)
    return ctypes.string_at(address).decode()


@attack
def read_semaphore() -> str:
    """Read a semaphore of the host."""
    semaphores = checked(libc.semget(int(setting("IPC_KEY")), 1, 0))
    return f"semaphore is {checked(libc.semctl(semaphores, 0, 12))}"


@attack
def send_message() -> str:
    """Send a message to a queue of the host."""
    queue = checked(libc.msgget(int(setting("IPC_KEY")), 0))
    message = ctypes.create_string_buffer(ctypes.sizeof(ctypes.c_long) + 5)
    message.raw = (1).to_bytes(ctypes.sizeof(ctypes.c_long), "little") + b"hello"
    checked(libc.msgsnd(queue, message, 5, 0o4000))
    return "sent"


@attack
def open_message_queue() -> str:
    """Open a POSIX message queue of the host."""
    checked(libc.mq_open(setting("QUEUE_NAME").encode(), os.O_RDONLY | os.O_NONBLOCK))
    return "queue opened"


@attack
def list_shared_memory() -> str:
    """List the shared memory of the host."""
    if setting("IPC_KEY") not in Path("/proc/sysvipc/shm").read_text().split():
        raise refused(errno.ENOENT)
    return "memory seen"
