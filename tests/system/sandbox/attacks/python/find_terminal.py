"""Looks in /dev/pts for the terminals that people are logged in at."""

import errno
import os

from attack import attempt, refused, setting


def look() -> str:
    if setting("TERMINAL") not in os.listdir("/dev/pts"):
        raise refused(errno.ENOENT)
    return "terminal seen"


attempt(look)
