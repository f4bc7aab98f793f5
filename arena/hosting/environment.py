"""The environment of submitted bots: the sandbox of this machine, and the folders of versions and sockets."""

import os
import platform
import shutil
import stat
import tempfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

import structlog

from arena.core.units import SOCKET_PATH_BYTES
from arena.sandbox.capabilities import Capabilities, find_capabilities
from arena.sandbox.process_spec import MIB
from arena.sandbox.runtime_registry import RuntimeRegistry
from arena.sandbox.sandbox import Sandbox
from arena.submissions.manifest import STANDARD, Grant
from arena.submissions.version_folders import VersionFolders
from engine.registry import GAMES

SOCKET_NAME: Final = "play.sock"
_LONGEST_NUMBER: Final = "9" * 9


class WorkFolder:
    """The folder of sockets. Emptied when the arena starts, since a killed one leaves its own."""

    def __init__(self, wanted: Path) -> None:
        """Make an empty folder that only the arena's user may enter.

        It is `wanted`, or one in the system's temporary folder if sockets in that would have too long a path. Blocks.
        Raises OSError: there cannot be one.
        """
        self.path = socket_folder(wanted)
        _check_own(self.path)
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir(parents=True, mode=0o700)

    def add(self, number: int) -> Path:
        """Make the folder of a process, for its own user to enter. Raises OSError."""
        folder = self.path / str(number)
        folder.mkdir()
        folder.chmod(0o755)
        return folder

    def remove(self, number: int) -> None:
        """Remove the folder of a process."""
        shutil.rmtree(self.path / str(number), ignore_errors=True)

    def close(self) -> None:
        """Remove all of it."""
        shutil.rmtree(self.path, ignore_errors=True)


def socket_folder(wanted: Path) -> Path:
    """Return `wanted`, or a folder of the same user elsewhere if sockets in it would have too long a path."""
    wanted = wanted.resolve()
    if _is_short(wanted):
        return wanted
    # The same one after a crash, so that what is left there is found.
    name = f"arena-{os.getuid()}-{sha256(os.fsencode(wanted)).hexdigest()[:16]}"
    elsewhere = Path(tempfile.gettempdir()) / name
    return elsewhere if _is_short(elsewhere) else Path("/tmp") / name


def _is_short(folder: Path) -> bool:
    """Return whether the path of a socket of a process in it is short enough for an address."""
    return len(os.fsencode(folder / _LONGEST_NUMBER / SOCKET_NAME)) <= SOCKET_PATH_BYTES


def _check_own(path: Path) -> None:
    """Raise OSError if another user has made it, which is possible where everybody may write."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise OSError(f"{path} belongs to somebody else: remove it, or set TMPDIR to a folder of your own")


def _why_not_hosting(machine: Capabilities, *, allow_weak: bool) -> str:
    """Return why submitted bots are not run here and what to do about it; empty if they are."""
    weak = machine.missing_in_public()
    if not machine.can_run or not weak or allow_weak:
        return machine.why_not
    named = ", ".join(each.value for each in weak)
    return (
        f"This arena runs no submitted bots: what would keep them from doing harm is not whole here ({named} "
        "missing). `arena doctor` on its machine says what to do; `arena serve --allow-weak-sandbox` is for one's own "
        "bots. Bots that dial in play as always."
    )


_PROGRAMS_PER_CORE: Final = 2
"""Of the programs of a match only one thinks at a time."""

_PROGRAMS_PER_WORKER: Final = 4
"""It plays one match at a time, of two to four seats as a rule."""

_FEW_PROCESSORS: Final = 2

_CPU_INFO: Final = Path("/proc/cpuinfo")

MOST_WORKERS: Final = 64
"""Each has uids of its own for its programs."""

_BYTES_PER_PROGRAM: Final = 256 << 20
"""What most of them may have; hardly one takes it."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class HostingEnvironment:
    """What an arena runs submitted bots on."""

    versions: VersionFolders
    sandbox: Sandbox
    work: WorkFolder
    slots: int
    """Programs at once."""
    workers: int
    """Processes that play matches of hosted bots."""
    why_not: str
    """Why none is run, and what to do about it; empty if they are."""
    missing: tuple[str, ...]
    """The protections that are not live here."""
    weak: tuple[str, ...]
    """Those of them without which strangers' programs are not to be run."""
    cleared: int
    """Programs that a killed arena had left."""
    granted: Grant = STANDARD
    """The most that a program may ask for."""

    def log(self) -> None:
        """Log what is run here."""
        if self.cleared:
            _log.warning("programs that a killed arena had left were ended", programs=self.cleared)
        if self.why_not:
            _log.info("hosted bots are not run here", why=self.why_not)
            return
        if self.weak:
            _log.warning(
                "the sandbox is weak: let nobody submit whom you do not trust", protections_missing=self.weak
            )
        missing = list(self.missing)
        _log.info(
            "hosted bots are run here",
            programs=self.slots,
            match_workers=self.workers,
            protections_missing=missing,
        )
        runtimes = self.sandbox.runtimes
        if runtimes.added:
            _log.info("runtimes were added", runtimes=sorted(runtimes.added))
        for name in runtimes.added:
            if why := runtimes.why_unavailable(name):
                _log.warning("a runtime does not work: its bots do not play", runtime=name, why=why)


def open_environment(
    data: Path,
    *,
    slots: int | None,
    workers: int | None = 0,
    allow_weak: bool,
    runtimes: RuntimeRegistry | None = None,
    granted: Grant = STANDARD,
) -> HostingEnvironment:
    """Open the environment of an arena on this data folder; remove what a crash has left. Blocks for a moment.

    `slots`: processes at once, `workers`: processes that play matches, None: as many as this machine bears;
    `allow_weak`: the bots are the operator's own; `granted`: the most that a program may ask for.
    Raises OSError: the folders cannot be made.
    """
    machine = find_capabilities()
    sandbox = Sandbox(machine, folder=data / "sandbox", runtimes=runtimes)
    versions = VersionFolders(data / "versions")
    work = WorkFolder(data / "hosted")
    workers = default_workers(slots) if workers is None else workers
    slots = default_slots(workers) if slots is None else slots
    why_not = _why_not_hosting(machine, allow_weak=allow_weak)
    if not slots:
        why_not = "This arena runs no submitted bots: it was started with --hosted-programs 0."
    missing = tuple(each.protection.value for each in machine.protection_states() if not each.live)
    weak = tuple(each.value for each in machine.missing_in_public())
    workers = 0 if why_not else workers
    cleared = sandbox.sweep()
    return HostingEnvironment(
        versions, sandbox, work, slots, workers, why_not, missing, weak, cleared, granted
    )


def least_slots() -> int:
    """Return how many processes one match may need."""
    return max(game.spec.max_seats for game in GAMES.values())


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def installed_memory_mib() -> int:
    """Return the memory of this machine."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // MIB


def processor_model() -> str:
    """Return the model of this machine's processor, as the kernel names it."""
    try:
        lines = _CPU_INFO.read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    for line in lines:
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.processor() or platform.machine()


def default_workers(slots: int | None = None) -> int:
    """Return one fewer than there are processors, which is for the arena itself; none on one or two.

    `slots`: processes at once, if that is set: too few for a match of each kind leave no place for workers.
    """
    if processors() <= _FEW_PROCESSORS or (slots is not None and slots < 2 * least_slots()):
        return 0
    return min(MOST_WORKERS, processors() - 1)


def default_slots(workers: int = 0) -> int:
    """Return as many as cores and memory bear, and at least those of the largest match.

    With workers those of two matches at least, so that one of them may be the arena's own.
    """
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    wanted = max(_PROGRAMS_PER_CORE * processors(), least_slots() + _PROGRAMS_PER_WORKER * workers)
    least = least_slots() * (2 if workers else 1)
    return max(least, min(wanted, memory // 2 // _BYTES_PER_PROGRAM))
