"""Reads with which arguments a process of the host was started."""

from pathlib import Path

from attack import attempt, setting


def read() -> str:
    return Path(f"/proc/{setting('HOST_PID')}/cmdline").read_text().split("\0")[-2]


attempt(read)
