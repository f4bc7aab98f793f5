"""Row 50 of docs/bad_inputs.md: the host's clock jumps, and nobody who plays notices."""

from pathlib import Path

from arena.v1 import ending_pb2, match_pb2
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.conftest import BotFactory
from tests.system.play.test_match import SHORT, answer_everything

JUMPING = """
import itertools, time
days = itertools.cycle([0, 30, -3, 400, -400, 1])
true_time_ns = time.time_ns
time.time_ns = lambda: true_time_ns() + next(days) * 86_400_000_000_000
time.time = lambda: time.time_ns() / 1_000_000_000
"""
"""Every look at the wall clock shows another day; `arena.scheduling.wall_clock` has no other source."""


def test_row_50_a_wall_clock_that_jumps_has_no_effect_on_play(tmp_path: Path) -> None:
    with ArenaProcess(tmp_path / "data", before=JUMPING) as arena:
        bot_factory = BotFactory(arena)
        for ended in answer_everything(bot_factory.table(2, options=SHORT)):
            assert ended.match.state == match_pb2.MATCH_STATE_FINISHED
            assert {seat.ending.termination for seat in ended.match.seats} == {ending_pb2.TERMINATION_NORMAL}
            assert all(seat.strikes == 0 and seat.used_ms < 60_000 for seat in ended.match.seats)
        bot_factory.close()
        assert not [line for line in arena.log if "error" in line or "Traceback" in line]
