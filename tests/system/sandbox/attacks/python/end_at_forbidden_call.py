"""Makes a forbidden call as a program that has asked to be ended for it."""

from attack import attempt, call


def forbidden() -> str:
    call("keyctl", 1, None)
    return "keyring joined"


attempt(forbidden)
