"""Attacks on files of the host."""

import os
import subprocess
from pathlib import Path

from attack import attack, read_from, setting


@attack
def read_host_file() -> str:
    """Read a file of the host that everybody may read."""
    return Path(setting("HOST_FILE")).read_text()


@attack
def read_database() -> str:
    """Read the arena's database."""
    return (Path(setting("DATA_FOLDER")) / "arena.db").read_text()


@attack
def read_organiser_token() -> str:
    """Read the token that the arena keeps for its organiser."""
    return (Path(setting("DATA_FOLDER")) / "organiser.token").read_text()


@attack
def list_data_folder() -> str:
    """List the arena's data folder."""
    return " ".join(sorted(os.listdir(setting("DATA_FOLDER"))))


@attack
def read_other_version() -> str:
    """Read the program of another bot."""
    return Path(setting("OTHER_VERSION"), "bot.py").read_text()


@attack
def climb_out() -> str:
    """Climb from its own folder to the host's root by `..`, and down to a file of the host."""
    return Path("../" * 12 + setting("HOST_FILE")).read_text()


@attack
def follow_link() -> str:
    """Lay a symbolic link in /tmp to a file of the host and read through it."""
    link = Path("/tmp/link")
    link.symlink_to(setting("HOST_FILE"))
    return link.read_text()


@attack
def read_through_proc_root() -> str:
    """Read a file of the host by way of /proc/1/root and, if that is closed, of /proc/self/root."""
    try:
        return Path("/proc/1/root" + setting("HOST_FILE")).read_text()
    except OSError:
        return Path("/proc/self/root" + setting("HOST_FILE")).read_text()


@attack
def run_host_program() -> str:
    """Run a program of the host's that is none of its runtime."""
    return subprocess.run([setting("HOST_PROGRAM")], capture_output=True, text=True, check=True).stdout


@attack
def connect_to_other_bot() -> str:
    """Connect to the socket on which the arena speaks with another bot."""
    return str(read_from(setting("OTHER_SOCKET")))


@attack
def read_hardware() -> str:
    """Read from /sys what the machine is made of."""
    return "devices " + " ".join(os.listdir("/sys/class/net"))
