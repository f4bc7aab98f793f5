"""Attaches shared memory of the host and reads it."""

import ctypes

from attack import attempt, checked, libc, setting

libc.shmat.restype = ctypes.c_void_p


def attach() -> str:
    shared = checked(libc.shmget(int(setting("IPC_KEY")), 0, 0))
    address = libc.shmat(shared, None, 0o10000)
    return ctypes.string_at(address).decode()


attempt(attach)
