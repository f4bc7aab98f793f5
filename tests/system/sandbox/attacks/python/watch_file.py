"""Watches who opens a file that all bots are shown, through which one bot can tell another something."""

import os
import select

from attack import attempt, call, checked, libc

OPENED = 0x20


def watch() -> str:
    events = checked(libc.inotify_init())
    call("inotify_add_watch", events, b"/bot/watched", OPENED)
    ready, _, _ = select.select([events], [], [], 10)
    return f"{len(os.read(events, 16)) // 16 if ready else 'no'} opening seen"


attempt(watch)
