"""Sees by a lock on a part of a file that all bots are shown what another program tells it."""

import fcntl

from attack import attempt


def listen() -> str:
    with open("/bot/locked", "rb") as shared:
        try:
            fcntl.lockf(shared, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return "lock seen"
        return "lock taken"


attempt(listen)
