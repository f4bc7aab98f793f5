"""Writes into its own folder, into that of its socket and into the system, and plays on."""

from collections.abc import Callable
from pathlib import Path

from arena.v1 import play_pb2
from tests.system.misbehaving.python.hosted import Seat, at_its_first_decision


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    for path in ("/bot/bot.toml", "/run/arena/mine", "/usr/bin/mine", "/etc/passwd"):
        seat.try_out(f"writing {path}", writing(Path(path)))
    seat.try_out("removing its socket", Path("/run/arena/play.sock").unlink)


def writing(path: Path) -> Callable[[], object]:
    """Writes a file."""
    return lambda: path.write_bytes(b"mine")


if __name__ == "__main__":
    at_its_first_decision(misbehave)
