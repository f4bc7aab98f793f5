"""A hosted program that is lost by no fault of its own: its match is void, and neither bot nor version pays for it."""

import os
import signal
from pathlib import Path

from arena.sandbox.proc_fs import descendants
from arena.v1 import audit_pb2, ending_pb2, match_pb2
from tests.system.crash.faulty_arena import entries, facts
from tests.system.hosting.leftovers import parent_of
from tests.system.hosting.needs import needs_sandbox
from tests.system.play.arena_process import SLOW, ArenaProcess
from tests.system.play.raw_bot import RawBot
from tests.system.play.test_match import SHORT
from tests.unit.hosting.sample_submissions import RANDOM_BOT, plant

pytestmark = needs_sandbox


def test_a_launcher_that_is_killed_from_outside_makes_the_match_void_and_it_is_played_again(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    plant(data, "house", RANDOM_BOT)
    with ArenaProcess(data) as arena:
        guest = RawBot(arena.unix, arena.bot("guest"))
        guest.hello()
        arena.ladder("main", "guest", "house", options=SHORT, time_control=SLOW, matches=1)
        guest.take_seat()
        decision = guest.hear("decision")
        launchers = [pid for pid in descendants(arena.process.pid) if parent_of(pid) == arena.process.pid]
        assert len(launchers) == 1
        os.kill(launchers[0], signal.SIGKILL)
        ended = guest.hear("match_ended").match
        assert ended.state == match_pb2.MATCH_STATE_ABORTED
        assert {seat.ending.fault for seat in ended.seats} == {ending_pb2.FAULT_ARENA}
        evidence = facts(ended.seats[0].ending.evidence)
        assert (evidence["fault"], evidence["bot"]) == ("program", "house")
        guest.answer(decision)
        guest.play_matches(2)
        matches = [arena.match(f"matches/{number}") for number in (1, 2, 3)]
        finished = [match for match in matches if match.state == match_pb2.MATCH_STATE_FINISHED]
        assert len(finished) == 2
        [void] = entries(arena, kind=audit_pb2.AUDIT_KIND_MATCH_VOID)
        assert void.about[:2] == [ended.name, matches[2].name]
        assert entries(arena, kind=audit_pb2.AUDIT_KIND_VERSION) == []
        assert not [line for line in arena.log if "hosted program failed" in line]
