"""Computes for longer than it may."""

import time

from attack import attempt


def burn() -> str:
    while time.process_time() < 1:
        pass
    return "1 s burnt"


attempt(burn)
