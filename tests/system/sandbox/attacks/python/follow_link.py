"""Lays a symbolic link in /tmp to a file of the host and reads through it."""

from pathlib import Path

from attack import attempt, setting


def follow() -> str:
    link = Path("/tmp/link")
    link.symlink_to(setting("HOST_FILE"))
    return link.read_text()


attempt(follow)
