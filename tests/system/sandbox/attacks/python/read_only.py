"""Attacks on what a program may only read."""

import os
import socket
from pathlib import Path

from attack import attack


@attack
def write_own_folder() -> str:
    """Write a file into its own folder, for the next match to find."""
    Path("/bot/diary").write_text("what I learnt")
    return "wrote " + Path("/bot/diary").read_text()


@attack
def replace_program() -> str:
    """Put another program in the place of its own."""
    Path("/tmp/better").write_text("another program")
    program = Path("/bot/replaceable")
    program.unlink()
    program.write_bytes(Path("/tmp/better").read_bytes())
    return f"replaced, {os.stat(program).st_size} bytes"


@attack
def empty_program() -> str:
    """Empty its own program."""
    with open("/bot/replaceable", "r+b") as program:
        program.truncate(0)
    return "emptied"


@attack
def unlink_socket() -> str:
    """Unlink the arena's socket."""
    os.unlink("/run/arena/play.sock")
    return "unlinked"


@attack
def replace_socket() -> str:
    """Put a socket of its own beside the arena's, where the next program would look for one."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("/run/arena/other.sock")
    return "bound"


@attack
def rename_socket() -> str:
    """Move the arena's socket out of the way."""
    os.rename("/run/arena/movable", "/run/arena/moved")
    return "moved"


@attack
def write_root_folder() -> str:
    """Write a file into the root folder."""
    Path("/note").write_text("what I learnt")
    return "wrote " + Path("/note").read_text()
