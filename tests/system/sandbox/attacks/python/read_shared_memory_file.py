"""Reads a file that another program has put into /dev/shm."""

from pathlib import Path

from attack import attempt, setting


def read() -> str:
    return Path("/dev/shm", setting("SHM_FILE")).read_text()


attempt(read)
