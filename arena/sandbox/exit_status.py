"""How a program ended: the reason, its evidence, and what that means for a seat."""

from __future__ import annotations

import signal as signals
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from arena.core.endings.terminations import Fault, SeatEnding, Termination
from arena.sandbox.process_spec import KIB, MIB, OUTPUT_FACTOR, ProcessLimits
from arena.sandbox.tree_depth import DEEPEST


class ExitReason(Enum):
    """How a program ended."""

    EXITED = "exited"
    SIGNALLED = "signalled"
    MEMORY = "memory"
    PIDS = "pids"
    OUTPUT = "output"
    FORBIDDEN_CALL = "forbidden call"
    CPU = "cpu"
    """Its processor time was used up."""
    WALL = "wall"
    """Its time was up."""
    STOPPED = "stopped"
    """The arena ended it."""
    LOST = "lost"
    """Its launcher, which it cannot reach, was ended by somebody else: no fault of the program."""


_TERMINATIONS: Final[Mapping[ExitReason, Termination]] = {
    ExitReason.EXITED: Termination.EXITED,
    ExitReason.SIGNALLED: Termination.SIGNALLED,
    ExitReason.MEMORY: Termination.MEMORY,
    ExitReason.PIDS: Termination.PIDS,
    ExitReason.OUTPUT: Termination.OUTPUT,
    ExitReason.FORBIDDEN_CALL: Termination.FORBIDDEN_CALL,
    ExitReason.CPU: Termination.TIME_FORFEIT,
    ExitReason.WALL: Termination.TIME_FORFEIT,
}


@dataclass(frozen=True, slots=True)
class ResourceUsage:
    """What a program has had so far, all its processes together. None: this machine does not tell."""

    cpu_s: float | None = None
    memory_peak_bytes: int | None = None
    pids_peak: int | None = None
    """Processes and threads at once, at most."""
    oom_kills: int = 0
    """How many of its processes the kernel ended for want of memory."""
    pids_refused: int = 0
    """How often it was refused one more process."""


@dataclass(frozen=True, slots=True)
class ExitStatus:
    """How a program ended."""

    reason: ExitReason
    code: int | None
    """Its exit code; None if a signal or the arena ended it."""
    signal: int | None
    """What ended it; None if it exited."""
    evidence: tuple[tuple[str, str], ...]
    """(fact, value) pairs in order, for example ("oom_kills", "1")."""
    sentence: str
    usage: ResourceUsage
    tail: str
    """The last of its output, at most 4 KiB."""

    def seat_ending(self, decision: int) -> SeatEnding:
        """What it means for the seat that the program held, at the decision that was asked last.

        Raises:
            KeyError: the arena itself stopped it, or lost it, which is no seat's fault.
        """
        text = self.sentence.removesuffix(".")
        return SeatEnding(
            _TERMINATIONS[self.reason],
            Fault.BOT,
            (("decision", str(decision)), *self.evidence),
            f"{text}, at decision {decision}.",
        )


def signal_name(number: int) -> str:
    """SIGSEGV for 11; "signal 63" for one without a name."""
    try:
        return signals.Signals(number).name
    except ValueError:
        return f"signal {number}"


def sentence_of(reason: ExitReason, limits: ProcessLimits, code: int | None, signal: int | None) -> str:
    """The reason for the bot's author."""
    said = _said(reason, limits, code, signal)
    return f"The bot's program {said}."


def _said(reason: ExitReason, limits: ProcessLimits, code: int | None, signal: int | None) -> str:
    sentences = {
        ExitReason.EXITED: f"exited with code {code}",
        ExitReason.SIGNALLED: f"was ended by {signal_name(signal or 0)}",
        ExitReason.MEMORY: f"used more than {limits.memory_bytes // MIB} MiB of memory",
        ExitReason.PIDS: f"could not go on with {limits.pids} processes and threads, and needed more",
        ExitReason.OUTPUT: f"wrote {_most_output_kib(limits)} KiB of output and went on",
        ExitReason.FORBIDDEN_CALL: "made a forbidden system call",
        ExitReason.CPU: f"used more than {limits.cpu_seconds or 0:g} s of processor time",
        ExitReason.WALL: f"ran for more than {limits.wall_seconds or 0:g} s",
        ExitReason.STOPPED: "was stopped by the arena",
        ExitReason.LOST: f"was lost: its launcher was ended by {signal_name(signal or 0)}, which it cannot do itself",
    }
    return sentences[reason]


def evidence_of(
    reason: ExitReason, limits: ProcessLimits, usage: ResourceUsage, code: int | None, signal: int | None
) -> tuple[tuple[str, str], ...]:
    """What was measured that bears on the reason."""
    facts: list[tuple[str, str]] = []
    match reason:
        case ExitReason.MEMORY:
            facts = [
                ("memory_limit_mib", str(limits.memory_bytes // MIB)),
                ("memory_peak_mib", _mib(usage.memory_peak_bytes)),
                ("oom_kills", str(usage.oom_kills)),
            ]
        case ExitReason.PIDS:
            facts = [("pids_limit", str(limits.pids)), ("pids_refused", str(usage.pids_refused))]
        case ExitReason.OUTPUT:
            facts = [("output_limit_kib", str(_most_output_kib(limits)))]
        case ExitReason.CPU:
            facts = [("cpu_limit_s", f"{limits.cpu_seconds:g}"), ("cpu_s", _seconds(usage.cpu_s))]
        case ExitReason.WALL:
            facts = [("wall_limit_s", f"{limits.wall_seconds:g}"), ("cpu_s", _seconds(usage.cpu_s))]
        case _:
            pass
    if code is not None:
        facts.append(("code", str(code)))
    if signal is not None:
        facts.append(("signal", signal_name(signal)))
    return tuple(facts)


def too_much_in_folder(limits: ProcessLimits, disk_bytes: int) -> tuple[tuple[tuple[str, str], ...], str]:
    """Evidence and sentence for a build that wrote too much to the disk."""
    most = limits.folder_bytes // MIB
    return (
        (("folder_limit_mib", str(most)), ("folder_mib", _mib(disk_bytes))),
        f"The bot's program wrote more than {most} MiB into its folder.",
    )


def too_deep_in_folder() -> tuple[tuple[tuple[str, str], ...], str]:
    """Evidence and sentence for a build that made folders in folders without an end."""
    return (
        (("folder_levels", str(DEEPEST)),),
        f"The bot's program made more than {DEEPEST} levels of folders in its folder.",
    )


def _most_output_kib(limits: ProcessLimits) -> int:
    """What ends the program, not the part of it that is kept."""
    return limits.output_bytes * OUTPUT_FACTOR // KIB


def _mib(count: int | None) -> str:
    return "unknown" if count is None else str(count // MIB)


def _seconds(count: float | None) -> str:
    return "unknown" if count is None else f"{count:.2f}"
