"""Sees by a lock on a file that all bots are shown what another program tells it."""

import fcntl

from attack import attempt


def listen() -> str:
    with open("/bot/locked", "rb") as shared:
        try:
            fcntl.flock(shared, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return "lock seen"
        return "lock taken"


attempt(listen)
