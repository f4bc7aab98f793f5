"""How an ending is told to a bot's author, and what it means for a seat."""

from __future__ import annotations

import pytest

from arena.core.endings.terminations import Fault, Termination
from arena.sandbox.exit_status import ExitReason, ExitStatus, ResourceUsage, evidence_of, sentence_of
from arena.sandbox.process_spec import MIB, ProcessLimits

LIMITS = ProcessLimits(memory_bytes=256 * MIB, pids=64, cpu_seconds=2.5, wall_seconds=30)
USAGE = ResourceUsage(cpu_s=2.51, memory_peak_bytes=256 * MIB, pids_peak=64, oom_kills=1, pids_refused=7)


def an_ending(verdict: ExitReason, code: int | None = None, signal: int | None = 9) -> ExitStatus:
    return ExitStatus(
        verdict,
        code,
        signal,
        evidence_of(verdict, LIMITS, USAGE, code, signal),
        sentence_of(verdict, LIMITS, code, signal),
        USAGE,
        "",
    )


@pytest.mark.parametrize(
    ("ending", "termination", "sentence"),
    [
        (
            an_ending(ExitReason.EXITED, 3, None),
            Termination.EXITED,
            "The bot's program exited with code 3, at decision 5.",
        ),
        (
            an_ending(ExitReason.SIGNALLED, None, 11),
            Termination.SIGNALLED,
            "The bot's program was ended by SIGSEGV, at decision 5.",
        ),
        (
            an_ending(ExitReason.MEMORY),
            Termination.MEMORY,
            "The bot's program used more than 256 MiB of memory, at decision 5.",
        ),
        (
            an_ending(ExitReason.PIDS, 1, None),
            Termination.PIDS,
            "The bot's program could not go on with 64 processes and threads, and needed more, at decision 5.",
        ),
        (
            an_ending(ExitReason.OUTPUT),
            Termination.OUTPUT,
            "The bot's program wrote 1024 KiB of output and went on, at decision 5.",
        ),
        (
            an_ending(ExitReason.FORBIDDEN_CALL, None, 31),
            Termination.FORBIDDEN_CALL,
            "The bot's program made a forbidden system call, at decision 5.",
        ),
        (
            an_ending(ExitReason.CPU),
            Termination.TIME_FORFEIT,
            "The bot's program used more than 2.5 s of processor time, at decision 5.",
        ),
        (
            an_ending(ExitReason.WALL),
            Termination.TIME_FORFEIT,
            "The bot's program ran for more than 30 s, at decision 5.",
        ),
    ],
    ids=lambda value: value.reason.value if isinstance(value, ExitStatus) else "",
)
def test_every_ending_of_its_own_is_a_forfeit_of_its_seat(ending, termination, sentence):
    seat = ending.seat_ending(5)
    assert (seat.termination, seat.fault, seat.sentence) == (termination, Fault.BOT, sentence)
    assert seat.evidence[0] == ("decision", "5")
    assert seat.evidence[1:] == ending.evidence


def test_what_the_arena_itself_stopped_is_no_seats_fault():
    with pytest.raises(KeyError):
        an_ending(ExitReason.STOPPED).seat_ending(1)


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
    assert sentence_of(ExitReason.SIGNALLED, LIMITS, None, 40) == "The bot's program was ended by signal 40."
