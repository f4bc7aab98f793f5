"""What submitted bots are run on: the sandbox of this machine, and the folders of versions and sockets."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog

from arena.hosting.readiness import why_not_hosting
from arena.hosting.work_folder import WorkFolder
from arena.sandbox.capabilities import find_machine
from arena.sandbox.sandbox import Sandbox
from arena.submissions.version_folders import VersionFolders
from engine.registry import GAMES

_PROGRAMS_PER_CORE: Final = 2
"""Of the programs of a match only one thinks at a time."""

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
    why_not: str
    """Why none is run, and what to do about it; empty if they are."""
    missing: tuple[str, ...]
    """The protections that are not live here."""
    weak: tuple[str, ...]
    """Those of them without which strangers' programs are not to be run."""
    cleared: int
    """Programs that a killed arena had left."""

    def tell(self) -> None:
        """The service log says what is run here."""
        if self.cleared:
            _log.warning("programs that a killed arena had left were ended", programs=self.cleared)
        if self.why_not:
            _log.info("hosted bots are not run here", why=self.why_not)
            return
        if self.weak:
            _log.warning(
                "the sandbox is weak: let nobody submit whom you do not trust", protections_missing=self.weak
            )
        _log.info("hosted bots are run here", programs=self.slots, protections_missing=list(self.missing))


def open_environment(data: Path, *, slots: int | None, allow_weak: bool) -> HostingEnvironment:
    """The ground of an arena on this data folder; what a crash has left there is gone. Blocks for a moment.

    `slots`: programs at once, None: as many as this machine bears; `allow_weak`: the bots are one's own.

    Raises:
        OSError: the folders cannot be made.
    """
    machine = find_machine()
    sandbox = Sandbox(machine, folder=data / "sandbox")
    versions = VersionFolders(data / "versions")
    work = WorkFolder(data / "hosted")
    slots = default_slots() if slots is None else slots
    why_not = why_not_hosting(machine, allow_weak=allow_weak)
    if not slots:
        why_not = "This arena runs no submitted bots: it was started with --hosted-programs 0."
    missing = tuple(each.protection.value for each in machine.standings() if not each.live)
    weak = tuple(each.value for each in machine.weak_in_public())
    return HostingEnvironment(versions, sandbox, work, slots, why_not, missing, weak, cleared=sandbox.sweep())


def least_slots() -> int:
    """So many programs one match may need."""
    return max(game.spec.max_seats for game in GAMES.values())


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def default_slots() -> int:
    """As many programs at once as cores and memory bear, and at least those of the largest match."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return max(least_slots(), min(_PROGRAMS_PER_CORE * processors(), memory // 2 // _BYTES_PER_PROGRAM))
