"""How a program ended: the reason, its evidence, and the ending of its seat."""

import signal as signals
from dataclasses import dataclass
from enum import Enum

from arena.core.endings.arena_faults import Facts, facts_of
from arena.core.endings.terminations import Fault, SeatEnding, Termination
from arena.sandbox.build_folder import DEEPEST
from arena.sandbox.process_spec import KIB, MIB, OUTPUT_FACTOR, ProcessLimits


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
    folder_bytes: int = 0
    """What a build has in its folder."""
    folder_too_deep: bool = False
    """Whether a build has nested folders in its folder too deep."""


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


def describe(
    reason: ExitReason, limits: ProcessLimits, usage: ResourceUsage, code: int | None, signal: int | None
) -> tuple[Facts, str]:
    """Return the measurements that bear on the reason, and the reason as a sentence for the bot's author."""
    memory, folder = limits.memory_bytes // MIB, limits.folder_bytes // MIB
    output = limits.output_bytes * OUTPUT_FACTOR // KIB  # what ends the program, not the part that is kept
    cpu, wall = f"{limits.cpu_seconds or 0:g}", f"{limits.wall_seconds or 0:g}"
    cpu_s = "unknown" if usage.cpu_s is None else f"{usage.cpu_s:.2f}"
    peak = "unknown" if usage.memory_peak_bytes is None else usage.memory_peak_bytes // MIB
    name = None if signal is None else signal_name(signal)
    reasons: dict[ExitReason, tuple[str, Facts]] = {
        ExitReason.EXITED: (f"exited with code {code}", ()),
        ExitReason.SIGNALLED: (f"was ended by {name}", ()),
        ExitReason.MEMORY: (
            f"used more than {memory} MiB of memory",
            facts_of(memory_limit_mib=memory, memory_peak_mib=peak, oom_kills=usage.oom_kills),
        ),
        ExitReason.PIDS: (
            f"could not go on with {limits.pids} processes and threads, and needed more",
            facts_of(pids_limit=limits.pids, pids_refused=usage.pids_refused),
        ),
        ExitReason.OUTPUT: (f"wrote {output} KiB of output and went on", facts_of(output_limit_kib=output)),
        ExitReason.FORBIDDEN_CALL: ("made a forbidden system call", ()),
        ExitReason.CPU: (
            f"used more than {cpu} s of processor time",
            facts_of(cpu_limit_s=cpu, cpu_s=cpu_s),
        ),
        ExitReason.WALL: (f"ran for more than {wall} s", facts_of(wall_limit_s=wall, cpu_s=cpu_s)),
        ExitReason.STOPPED: ("was stopped by the arena", ()),
        ExitReason.LOST: (f"was lost: its launcher was ended by {name}, which it cannot do itself", ()),
    }
    predicate, facts = reasons[reason]
    ended = facts_of(code=code, signal=name)
    if reason is ExitReason.OUTPUT and usage.folder_too_deep:
        predicate = f"made more than {DEEPEST} levels of folders in its folder"
        facts, ended = facts_of(folder_levels=DEEPEST), ()
    elif reason is ExitReason.OUTPUT and usage.folder_bytes > limits.folder_bytes:
        predicate = f"wrote more than {folder} MiB into its folder"
        facts, ended = facts_of(folder_limit_mib=folder, folder_mib=usage.folder_bytes // MIB), ()
    return (*facts, *ended), f"The bot's program {predicate}."
