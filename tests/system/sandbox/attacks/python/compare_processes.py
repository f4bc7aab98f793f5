"""Learns from the kernel how its objects lie in memory, by comparing those of two processes."""

import os

from attack import attempt, call


def compare() -> str:
    order = call("kcmp", os.getpid(), os.getpid(), 1, 0, 0)
    return f"compared {order >= 0}"


attempt(compare)
