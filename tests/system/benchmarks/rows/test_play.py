"""A real arena and bots that play on it as fast as they can, as `make bench` has it."""

from contextlib import ExitStack
from pathlib import Path

from arena.match_log.reader import read_log
from benchmarks.crowded import late_and_all
from benchmarks.floors.script import SEATS
from benchmarks.processes.arena import arena_on
from benchmarks.rows.samples import Sample
from benchmarks.rows.table_of_play import Shape, Side, floor, playing, record

GRPC = "benchmarks.floors.grpc_echo"
ENOUGH = 20


def _measured(side: Side) -> Sample:
    """Enough decisions of a side. How many come in a stretch is a question of speed, which is none of a test's."""
    sample = side.measure(0.5)
    while sample.decisions <= ENOUGH:
        sample = side.measure(5)
    return sample


def logs_in(folder: Path) -> list[Path]:
    """Return the logs of the matches that the arena has stored."""
    return list((folder / "arena" / "logs").rglob("*.arenalog"))


def test_an_arena_and_its_floor_are_measured_with_the_same_bots_on_the_same_frames(tmp_path: Path) -> None:
    with ExitStack() as stack:
        arena = stack.enter_context(arena_on(tmp_path / "arena"))
        script = record(arena)
        ours = stack.enter_context(playing(arena, Shape("pair", bots=2, matches_each=2)))
        theirs = stack.enter_context(floor(GRPC, "unix", script, tmp_path, SEATS))
        arenas, floors = _measured(ours), _measured(theirs)
        while not logs_in(tmp_path):  # bots hold their answers between two turns, in the middle of matches
            ours.measure(5)
        assert arena.metrics()["arena_connections"] == 2
    for seen in (arenas, floors):
        assert seen.decisions > ENOUGH
        assert seen.cpu_us > 0
        assert 0 < seen.p50_us <= seen.p99_us
        assert seen.legal_actions > 50
    assert arenas.per_frame > floors.per_frame == 1
    assert {seat for seat, _ in script.frames} == {0, 1}

    logs = [read_log(file.read_bytes()) for file in logs_in(tmp_path)]
    assert late_and_all(tmp_path / "arena" / "logs") == (0, sum(len(log.plies) for log in logs))
