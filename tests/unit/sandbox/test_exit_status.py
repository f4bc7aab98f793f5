"""How a program ended, as its author and its seat learn it."""

import pytest

from arena.core.endings.terminations import Fault, Termination
from arena.sandbox.exit_status import ExitReason, ExitStatus, ResourceUsage, evidence_of, sentence_of
from arena.sandbox.process_spec import MIB, ProcessLimits

LIMITS = ProcessLimits(memory_bytes=256 * MIB, pids=64, cpu_seconds=2.5, wall_seconds=30)
USAGE = ResourceUsage(cpu_s=2.51, memory_peak_bytes=256 * MIB, pids_peak=64, oom_kills=1, pids_refused=7)


def an_ending(reason: ExitReason, code: int | None = None, signal: int | None = 9) -> ExitStatus:
    evidence = evidence_of(reason, LIMITS, USAGE, code, signal)
    sentence = sentence_of(reason, LIMITS, code, signal)
    return ExitStatus(reason, code, signal, evidence, sentence, USAGE, "")


@pytest.mark.parametrize(
    ("reason", "termination", "words"),
    [
        (ExitReason.EXITED, Termination.EXITED, "code 3"),
        (ExitReason.SIGNALLED, Termination.SIGNALLED, "SIGSEGV"),
        (ExitReason.MEMORY, Termination.MEMORY, "256 MiB"),
        (ExitReason.PIDS, Termination.PIDS, "64 processes and threads"),
        (ExitReason.OUTPUT, Termination.OUTPUT, "1024 KiB"),
        (ExitReason.FORBIDDEN_CALL, Termination.FORBIDDEN_CALL, "system call"),
        (ExitReason.CPU, Termination.TIME_FORFEIT, "2.5 s of processor time"),
        (ExitReason.WALL, Termination.TIME_FORFEIT, "30 s"),
    ],
)
def test_every_ending_of_its_own_is_a_forfeit_of_its_seat(reason, termination, words):
    ending = an_ending(reason, 3, 11)
    seat = ending.seat_ending(5)
    assert (seat.termination, seat.fault) == (termination, Fault.BOT)
    assert words in seat.sentence
    assert seat.sentence == f"{ending.sentence[:-1]}, at decision 5."
    assert seat.evidence == (("decision", "5"), *ending.evidence)


@pytest.mark.parametrize("reason", [ExitReason.STOPPED, ExitReason.LOST])
def test_what_the_arena_stopped_or_lost_is_no_seats_fault(reason):
    with pytest.raises(KeyError):
        an_ending(reason).seat_ending(1)


def test_the_evidence_is_what_was_measured():
    assert an_ending(ExitReason.MEMORY).evidence == (
        ("memory_limit_mib", "256"),
        ("memory_peak_mib", "256"),
        ("oom_kills", "1"),
        ("signal", "SIGKILL"),
    )
    assert an_ending(ExitReason.PIDS, 1, None).evidence == (
        ("pids_limit", "64"),
        ("pids_refused", "7"),
        ("code", "1"),
    )
    assert an_ending(ExitReason.CPU).evidence[:2] == (("cpu_limit_s", "2.5"), ("cpu_s", "2.51"))


def test_a_signal_without_a_name_is_named_by_its_number():
    assert "signal 40" in sentence_of(ExitReason.SIGNALLED, LIMITS, None, 40)
