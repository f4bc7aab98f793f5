"""How a program ended: the reason, its evidence, and the ending of its seat."""

import signal as signals
from dataclasses import dataclass
from enum import Enum

from arena.core.endings.arena_faults import Facts, facts_of
from arena.core.endings.terminations import Fault, SeatEnding, Termination
from arena.sandbox.process_spec import KIB, MIB, OUTPUT_FACTOR, ProcessLimits
from arena.sandbox.tree_depth import DEEPEST


class ExitReason(Enum):
    """Why a program ended."""

    EXITED = "exited"
    SIGNALLED = "signalled"
    MEMORY = "memory"
    PIDS = "pids"
    OUTPUT = "output"
    FORBIDDEN_CALL = "forbidden call"
    CPU = "cpu"
    """It used up its processor time."""
    WALL = "wall"
    """It used up its time."""
    STOPPED = "stopped"
    """The arena ended it."""
    LOST = "lost"
    """Its launcher, which it cannot reach, was ended from outside: no fault of the program."""


@dataclass(frozen=True, slots=True)
class ResourceUsage:
    """The resources that all processes of a program have used together. None: not measured on this machine."""

    cpu_s: float | None = None
    memory_peak_bytes: int | None = None
    pids_peak: int | None = None
    """The most processes and threads at once."""
    oom_kills: int = 0
    """Number of its processes that the kernel ended for lack of memory."""
    pids_refused: int = 0
    """How often the kernel refused another process."""


@dataclass(frozen=True, slots=True)
class ExitStatus:
    """How a program ended."""

    reason: ExitReason
    code: int | None
    """None if a signal or the arena ended it."""
    signal: int | None
    """None if it exited."""
    evidence: Facts
    """(fact, value) pairs in order, for example ("oom_kills", "1")."""
    sentence: str
    usage: ResourceUsage
    tail: str
    """The end of its output, at most 4 KiB."""

    def seat_ending(self, decision: int) -> SeatEnding:
        """Return the ending of the program's seat at the latest decision.

        Raises KeyError: the arena stopped or lost the program, which is not the seat's fault.
        """
        out_of_time = self.reason in {ExitReason.CPU, ExitReason.WALL}
        termination = Termination.TIME_FORFEIT if out_of_time else Termination[self.reason.name]
        sentence = f"{self.sentence.removesuffix('.')}, at decision {decision}."
        return SeatEnding(termination, Fault.BOT, (*facts_of(decision=decision), *self.evidence), sentence)


def signal_name(number: int) -> str:
    """Return "SIGSEGV" for 11, "signal 63" for a signal without a name."""
    try:
        return signals.Signals(number).name
    except ValueError:
        return f"signal {number}"


def sentence_of(reason: ExitReason, limits: ProcessLimits, code: int | None, signal: int | None) -> str:
    """Return the reason as a sentence for the bot's author."""
    predicates = {
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
    return f"The bot's program {predicates[reason]}."


def evidence_of(
    reason: ExitReason, limits: ProcessLimits, usage: ResourceUsage, code: int | None, signal: int | None
) -> Facts:
    """Return the measurements that bear on the reason."""
    facts: Facts = ()
    match reason:
        case ExitReason.MEMORY:
            most, peak = limits.memory_bytes // MIB, _mib(usage.memory_peak_bytes)
            facts = facts_of(memory_limit_mib=most, memory_peak_mib=peak, oom_kills=usage.oom_kills)
        case ExitReason.PIDS:
            facts = facts_of(pids_limit=limits.pids, pids_refused=usage.pids_refused)
        case ExitReason.OUTPUT:
            facts = facts_of(output_limit_kib=_most_output_kib(limits))
        case ExitReason.CPU:
            facts = facts_of(cpu_limit_s=f"{limits.cpu_seconds:g}", cpu_s=_seconds(usage.cpu_s))
        case ExitReason.WALL:
            facts = facts_of(wall_limit_s=f"{limits.wall_seconds:g}", cpu_s=_seconds(usage.cpu_s))
        case _:
            pass
    return *facts, *facts_of(code=code, signal=None if signal is None else signal_name(signal))


def too_much_in_folder(limits: ProcessLimits, disk_bytes: int) -> tuple[Facts, str]:
    """Return evidence and sentence for a build that wrote too much to the disk."""
    most = limits.folder_bytes // MIB
    facts = facts_of(folder_limit_mib=most, folder_mib=_mib(disk_bytes))
    return facts, f"The bot's program wrote more than {most} MiB into its folder."


def too_deep_in_folder() -> tuple[Facts, str]:
    """Return evidence and sentence for a build that nested folders too deep."""
    sentence = f"The bot's program made more than {DEEPEST} levels of folders in its folder."
    return facts_of(folder_levels=DEEPEST), sentence


def _most_output_kib(limits: ProcessLimits) -> int:
    """Return the limit that ends the program, not the part of the output that is kept."""
    return limits.output_bytes * OUTPUT_FACTOR // KIB


def _mib(count: int | None) -> str:
    return "unknown" if count is None else str(count // MIB)


def _seconds(count: float | None) -> str:
    return "unknown" if count is None else f"{count:.2f}"
