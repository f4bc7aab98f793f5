"""The limits that the sandbox gets for the program of a version."""

from dataclasses import replace
from pathlib import Path

from arena.hosting.process_specs import MATCHES_CPU_S, match_run, trial_run
from arena.sandbox.process_spec import MIB
from tests.unit.store.store_fixture import a_program

PROGRAM = replace(a_program(), cores=3, memory_mib=2048, pids=100)
FOLDER, SOCKET = Path("/versions/1"), Path("/sockets/1")


def test_a_program_has_in_a_match_what_its_manifest_asks_for() -> None:
    _, limits = match_run(PROGRAM, FOLDER, SOCKET)
    assert (limits.cpu_cores, limits.memory_bytes, limits.pids) == (3.0, 2048 * MIB, 100)
    assert limits.cpu_seconds == 3 * MATCHES_CPU_S, "that of each core"


def test_a_program_has_the_same_in_a_trial() -> None:
    _, limits = trial_run(PROGRAM, FOLDER, SOCKET, {})
    assert (limits.cpu_cores, limits.memory_bytes, limits.pids) == (3.0, 2048 * MIB, 100)
