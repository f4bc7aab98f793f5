"""Joins a keyring of the kernel's."""

from attack import attempt, call


def join() -> str:
    call("keyctl", 1, None)
    return "keyring joined"


attempt(join)
