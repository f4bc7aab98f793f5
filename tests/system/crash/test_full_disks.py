"""Disks that are really full, while matches are played (row 48): small ones of this test's own, in memory.

Mounting them takes root. tests/system/crash/test_storage_faults.py shows the same without it, by a limit on files.
"""

import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from arena.v1 import audit_pb2, match_pb2
from tests.system.crash.faulty_arena import wait_for_entry
from tests.system.crash.test_storage_faults import YET, hear_the_end, play_to_the_last_answer
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.raw_bot import RawBot
from tests.system.play.test_lifecycle import Ladder
from tests.system.play.test_match import SHORT

DISK_KIB = 4_096


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """Inside, the folder is a disk of its own, in memory."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    options = f"size={DISK_KIB}k,mode=0700"
    command = ["mount", "-t", "tmpfs", "-o", options, "none", str(folder)]
    mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    if mounted.returncode:
        pytest.skip(f"no disk can be mounted here: {mounted.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(disk: Path) -> Path:
    """Not a byte more goes on the disk; the file that takes all room."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4_096))
        except OSError:
            return ballast


class DiskLadder(Ladder):
    """A ladder of two that keeps no room free, so that it runs into the wall."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.arena = ArenaProcess(data, "--keep-free", "0").wait_open()
        self.tokens = [self.arena.bot(bot) for bot in ("left", "right")]
        self.bots: list[RawBot] = []


@pytest.mark.parametrize("disk", ["logs", "."])
def test_row_48_on_a_full_disk_results_wait_and_the_audit_trail_says_so(tmp_path: Path, disk: str) -> None:
    """The disk of the logs alone, and one that database and logs are on."""
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    with small_disk(data / disk), closing(DiskLadder(data)) as ladder:
        ladder.dial()
        ladder.arena.ladder("main", "left", "right", options=SHORT)
        bots = ladder.begin()
        ballast = fill(data / disk)
        play_to_the_last_answer(bots)
        ladder.arena.wait_for(YET)
        assert not any(bot.waits("match_ended") for bot in bots)
        assert ladder.arena.match("matches/1").state == match_pb2.MATCH_STATE_RUNNING
        ballast.unlink()
        told = hear_the_end(bots)
        assert told[0] == told[1] == ladder.arena.match("matches/1")
        assert told[0].state == match_pb2.MATCH_STATE_FINISHED
        refused = "he storage refused what 1 matches had to store"
        assert "matches/1" in wait_for_entry(ladder.arena, audit_pb2.AUDIT_KIND_STORAGE, refused).about
