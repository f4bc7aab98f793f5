"""Hosted bots in match after match, and what is left of them: nothing, and no more memory than in the beginning.

`make soak-hosted` plays ten thousand matches; here HOSTED_MATCHES says how many.
"""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cli.framework.connection import fetch_all
from arena.sandbox.proc_fs import descendants
from arena.v1 import ending_pb2, match_pb2
from tests.system.hosting.leftovers import folders_in, holdings
from tests.system.hosting.needs import needs_sandbox
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.cgroups import cgroups_of
from tests.unit.hosting.sample_submissions import plant

MATCHES = int(os.environ.get("HOSTED_MATCHES", "60"))
WARM = MATCHES // 10
"""After so many matches memory is looked at for the first time."""

BOTS = tuple(f"bot{number}" for number in range(6))
GUESTS = ("guest0", "guest1")
"""They play a tenth of the matches among themselves, and there are places for six: so programs come and go."""

MOST_GROWTH = 1.1
NORMAL = ending_pb2.TERMINATION_NORMAL

LONG = 1_000
"""From so many matches on the first tenth has warmed everything up, and memory may not grow any more."""


pytestmark = needs_sandbox


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[ArenaProcess]:
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    for bot in (*BOTS, *GUESTS):
        plant(data, bot)
    with ArenaProcess(data, "--hosted-programs", "6") as process:
        yield process


def wait_for_matches(arena: ArenaProcess, matches: int) -> None:
    """So many are over; a long wait, with no end as long as they go on."""
    seen, deadline = -1, 0.0
    while True:
        now = sum("match over" in line for line in list(arena.log))
        if now >= matches:
            return
        if now > seen:
            seen, deadline = now, time.monotonic() + 60
        assert time.monotonic() < deadline, arena.log[-30:]
        time.sleep(0.05)  # the log is read by another thread; nothing is judged by this


def test_many_matches_of_hosted_bots_leave_nothing_behind(
    arena: ArenaProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    pid, data = arena.process.pid, arena.data
    at_start = holdings(pid, data)
    began = time.monotonic()
    arena.ladder("guests", *GUESTS, options={"turn_limit": "1"}, matches=MATCHES // 10)
    arena.ladder("soak", *BOTS, seat_counts=[2], options={"turn_limit": "1"}, matches=MATCHES - MATCHES // 10)
    wait_for_matches(arena, WARM)
    warm = holdings(pid, data)
    wait_for_matches(arena, MATCHES)
    took = time.monotonic() - began
    at_end = holdings(pid, data)
    with capsys.disabled():
        sys.stdout.write(told(took, at_start, warm, at_end))
    check_results(arena)
    most_files = max(warm["open files"], at_start["open files"]) + 40  # those of the programs that run
    assert at_end["open files"] <= most_files
    if MATCHES >= LONG:
        assert at_end["KiB"] <= MOST_GROWTH * warm["KiB"]
    below = descendants(pid)
    assert arena.terminate() == 0
    assert not [each for each in below if Path(f"/proc/{each}").exists()]
    assert cgroups_of(data) == []
    assert folders_in(data) == 0


def told(took: float, at_start: dict[str, int], warm: dict[str, int], at_end: dict[str, int]) -> str:
    return (
        f"\n{MATCHES} matches of hosted bots in {took:.1f} s\n"
        f"  at the start: {at_start}\n  after {WARM}: {warm}\n  at the end: {at_end}\n"
        f"  memory at the end: {at_end['KiB'] / warm['KiB']:.3f} of that after {WARM}\n"
    )


def check_results(arena: ArenaProcess) -> None:
    """All were played by the rules to their end."""
    listing = fetch_all(arena.matches.ListMatches, match_pb2.ListMatchesRequest(), metadata=arena.organiser)
    ended = [match for match in listing.matches if match.state == match_pb2.MATCH_STATE_FINISHED]
    assert {seat.ending.termination for match in ended for seat in match.seats} == {NORMAL}
    assert len(ended) >= MATCHES
