"""How a program ended, as its author and its seat learn it."""

from dataclasses import replace

import pytest

from arena.core.endings.terminations import Fault, Termination
from arena.sandbox.exit_status import ExitReason, ExitStatus, ResourceUsage, describe
from arena.sandbox.process_spec import MIB, ProcessLimits

LIMITS = ProcessLimits(memory_bytes=256 * MIB, pids=64, cpu_seconds=2.5, wall_seconds=30, folder_bytes=MIB)
USAGE = ResourceUsage(cpu_s=2.51, memory_peak_bytes=256 * MIB, pids_peak=64, oom_kills=1, pids_refused=7)


@pytest.mark.parametrize(
    ("reason", "termination", "words", "evidence"),
    [
        (ExitReason.EXITED, Termination.EXITED, "code 3", {}),
        (ExitReason.SIGNALLED, Termination.SIGNALLED, "SIGSEGV", {}),
        (ExitReason.MEMORY, Termination.MEMORY, "256 MiB",
         {"memory_limit_mib": "256", "memory_peak_mib": "256", "oom_kills": "1"}),
        (ExitReason.PIDS, Termination.PIDS, "64 processes and threads", {"pids_limit": "64", "pids_refused": "7"}),
        (ExitReason.OUTPUT, Termination.OUTPUT, "1024 KiB", {"output_limit_kib": "1024"}),
        (ExitReason.FORBIDDEN_CALL, Termination.FORBIDDEN_CALL, "system call", {}),
        (ExitReason.CPU, Termination.TIME_FORFEIT, "2.5 s of processor time", {"cpu_limit_s": "2.5", "cpu_s": "2.51"}),
        (ExitReason.WALL, Termination.TIME_FORFEIT, "30 s", {"wall_limit_s": "30", "cpu_s": "2.51"}),
    ],
)  # fmt: skip
def test_an_ending_by_itself_is_a_forfeit_with_evidence(reason, termination, words, evidence):
    facts, sentence = describe(reason, LIMITS, USAGE, 3, 11)
    assert facts == (*evidence.items(), ("code", "3"), ("signal", "SIGSEGV"))
    seat = ExitStatus(reason, 3, 11, facts, sentence, USAGE, "").seat_ending(5)
    assert (seat.termination, seat.fault) == (termination, Fault.BOT)
    assert words in seat.sentence
    assert seat.sentence == f"{sentence[:-1]}, at decision 5."
    assert seat.evidence == (("decision", "5"), *facts)


@pytest.mark.parametrize("reason", [ExitReason.STOPPED, ExitReason.LOST])
def test_what_the_arena_stopped_or_lost_is_no_seats_fault(reason):
    with pytest.raises(KeyError):
        ExitStatus(reason, None, 9, *describe(reason, LIMITS, USAGE, None, 9), USAGE, "").seat_ending(1)


@pytest.mark.parametrize(
    ("usage", "evidence", "words"),
    [
        (
            {"folder_bytes": 3 * MIB},
            (("folder_limit_mib", "1"), ("folder_mib", "3")),
            "1 MiB into its folder",
        ),
        (
            {"folder_bytes": 3 * MIB, "folder_too_deep": True},
            (("folder_levels", "100"),),
            "100 levels of folders",
        ),
    ],
)
def test_a_build_that_writes_too_much_says_so(usage, evidence, words):
    facts, sentence = describe(ExitReason.OUTPUT, LIMITS, replace(USAGE, **usage), 3, None)
    assert facts == evidence
    assert words in sentence


def test_what_was_not_measured_or_has_no_name_is_said():
    assert "signal 40" in describe(ExitReason.SIGNALLED, LIMITS, USAGE, None, 40)[1]
    assert ("memory_peak_mib", "unknown") in describe(ExitReason.MEMORY, LIMITS, ResourceUsage(), 1, None)[0]
