"""Becomes root in a user namespace of its own, which opens most of the kernel to it."""

from attack import attempt, call

NEW_USER = 0x10000000


def become() -> str:
    call("unshare", NEW_USER)
    return "namespace made"


attempt(become)
