"""Writes the logs in tests/data/logs that are not there yet: python -m tests.unit.match_log.make_golden

A golden log is never written again: it shows that what was signed once verifies for ever.
"""

from pathlib import Path

from arena.codecs.codec import codec_for
from arena.match_log.writer import FinishedLog
from tests.unit.match_log.matches import KEY, SECRET, a_match, a_match_cut_off, caravan_setup

FOLDER = Path(__file__).parents[2] / "data" / "logs"


def caravan(seats: int, *, trouble: float, source: int) -> FinishedLog:
    """Play a whole match."""
    return a_match(source, setup=caravan_setup(seats), codec=codec_for("caravan"), trouble=trouble).log


def main() -> None:
    """Write the logs that are missing."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    logs = {
        "worked-example": a_match_cut_off(3),  # short enough to be printed whole
        "caravan-2-seats": caravan(2, trouble=0.0, source=1),
        "caravan-4-seats-with-forfeits": caravan(4, trouble=0.015, source=2),
    }
    contents = {f"{name}.arenalog": log.data for name, log in logs.items()}
    contents |= {"arena.pub": KEY.public.pem(), "secret.hex": SECRET.hex().encode() + b"\n"}
    for name, content in contents.items():
        if not (FOLDER / name).exists():
            (FOLDER / name).write_bytes(content)


if __name__ == "__main__":
    main()
