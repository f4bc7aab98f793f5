"""Leaves a key with the kernel, where the next program of the same user finds it."""

import ctypes

from attack import attempt, call

USER_KEYRING = -4


def keep() -> str:
    call("add_key", b"user", b"note", b"secret", 6, USER_KEYRING)
    key = call("keyctl", 10, USER_KEYRING, b"user", b"note", 0)
    found = ctypes.create_string_buffer(16)
    length = call("keyctl", 11, key, found, len(found))
    call("keyctl", 7, USER_KEYRING)
    return "key " + found.raw[:length].decode()


attempt(keep)
