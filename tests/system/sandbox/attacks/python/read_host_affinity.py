"""Asks the kernel about the scheduling of a process of the host."""

import os

from attack import attempt, setting


def ask() -> str:
    return f"process runs on {len(os.sched_getaffinity(int(setting('HOST_PID'))))} cores"


attempt(ask)
