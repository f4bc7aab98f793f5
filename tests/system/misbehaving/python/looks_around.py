"""Looks for its opponent and for what belongs to the arena: processes, sockets, environments, data; and plays on."""

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path

from arena.v1 import play_pb2
from tests.system.misbehaving.python.hosted import Seat, at_its_first_decision

LOOT = Path("/bot/loot.json")
"""Where on the machine things lie: much more than any bot could know."""


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    for what, path in json.loads(LOOT.read_text(encoding="utf-8")).items():
        seat.try_out(what, reading(Path(path)))
    seat.tell(f"sockets: {' '.join(sorted(each.name for each in Path('/run/arena').iterdir()))}")
    seat.tell(f"environment: {' '.join(sorted(name for name in os.environ if 'ARENA' in name))}")
    others = [each for each in Path("/proc").iterdir() if each.name.isdecimal() and mine(each) is False]
    seat.tell(f"{len(others)} processes of others")
    seat.tell(f"tokens seen: {sum('cvn_' in text(Path(f'/proc/{pid}/environ')) for pid in (1, os.getpid()))}")
    seat.try_out("abstract socket", lambda: socket.socket(socket.AF_UNIX).connect("\0arena"))


def reading(path: Path) -> Callable[[], object]:
    """Lists a folder, or reads a file."""
    return lambda: [*path.iterdir()] if path.is_dir() else path.read_bytes()


def mine(process: Path) -> bool | None:
    """Whether it belongs to this program, or is what has started it; None if it is gone."""
    words = text(process / "cmdline").split("\0")
    return None if words == [""] else any("looks_around" in word or "bwrap" in word for word in words)


def text(path: Path) -> str:
    """What can be read of a file; empty if nothing can."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


if __name__ == "__main__":
    at_its_first_decision(misbehave)
