"""The machine stops the arena at random moments, for longer than a decision may take: that costs no bot anything.

CRASH_SEED and CRASH_STOPS repeat a campaign or make it longer; `make soak` does the latter.
"""

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest

from arena.v1 import audit_pb2, ending_pb2, match_pb2, time_control_pb2
from tests.system.crash.faulty_arena import facts, playing
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.test_match import SHORT

SEED: Final = int(os.environ.get("CRASH_SEED", "1"))
STOPS: Final = int(os.environ.get("CRASH_STOPS", "5"))

BOTS: Final = ("ant", "bee", "cat", "dog")
"""Of one owner, to whom the time of all their messages is booked."""

STRICT: Final = time_control_pb2.TimeControl(
    per_decision_ms=2_000, bank_ms=0, strikes=0, absence_ms=30_000, hold_ms=5_000, seat_limit_ms=86_400_000
)
"""Long enough for a test on a busy machine to answer, and no strike is survived."""

STOPPED_S: Final = (2.5, 3.5)
"""The shortest and the longest stop: longer than `STRICT` allows."""

BETWEEN_S: Final = 0.3


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[ArenaProcess]:
    running = ArenaProcess(tmp_path / "data")
    running.wait_open()
    yield running
    running.close()


def test_no_bot_is_charged_for_stops_of_the_arena_whenever_they_come(arena: ArenaProcess) -> None:
    random = Random(SEED)
    tokens = [arena.bot(bot) for bot in BOTS]
    arena.ladder("main", *BOTS, seat_counts=[2], options=SHORT, time_control=STRICT, matches=100_000)
    with playing(arena, tokens) as bots:
        for bot in bots:
            bot.finished(1)
        for _ in range(STOPS):
            threading.Event().wait(random.uniform(0, BETWEEN_S))
            arena.process.send_signal(signal.SIGSTOP)
            threading.Event().wait(random.uniform(*STOPPED_S))
            arena.process.send_signal(signal.SIGCONT)
        for bot in bots:
            bot.finished(1)
        arena.ladders.PauseLadder(name="ladders/main")
        heard = [message for bot in bots for message in bot.bot.heard]

    assert [each for each in heard if each.HasField("decision_closed") or each.HasField("warning")] == []
    ended = [each.match_ended.match for each in heard if each.HasField("match_ended")]
    assert {match.state for match in ended} == {match_pb2.MATCH_STATE_FINISHED}
    seats = [seat for match in ended for seat in match.seats]
    assert {seat.ending.termination for seat in seats} == {ending_pb2.TERMINATION_NORMAL}
    stalls = arena.audit.ListAuditEntries(kind=audit_pb2.AUDIT_KIND_STALL).entries
    assert max(int(facts(entry.evidence)["longest_ms"]) for entry in stalls) >= STOPPED_S[0] * 1000
