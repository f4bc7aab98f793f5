"""How the process of a bot version is run in the sandbox: for matches, in a trial, or to build it."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from arena.sandbox.process_spec import MIB, SOCKETS_FOLDER, ProcessLimits, ProcessSpec
from arena.store.json_columns import VersionProgram

MATCHES_CPU_S: Final = 86_400.0
MATCHES_WALL_S: Final = 7 * 86_400.0
"""Limits of a process that is never idle, the first for each core. The clocks of its matches limit how long it thinks;
these only bound the cost of the longest of all matches, and no other comes near them."""

SCENARIO_S: Final = 120.0
"""No process runs longer for one scenario."""

BUILD_MEMORY_MIB: Final = 1024
BUILD_PIDS: Final = 256
BUILD_CORES: Final = 1.0
BUILD_TMP_MIB: Final = 256
"""Of the memory: compilers keep there what they are working on."""

LARGEST_BUILT: Final = 1024 * MIB
"""What a build may have in its folder, in bytes: what was submitted, what it makes, and what it needs meanwhile."""


Run = tuple[ProcessSpec, ProcessLimits]
"""What `Sandbox.start` takes."""


def build_run(program: VersionProgram, folder: Path) -> Run:
    """Return how to build a version. `folder`: its files, a copy for the build."""
    spec = ProcessSpec(program.build, program.runtime, folder, writable=True, tools=True)
    return spec, ProcessLimits(
        BUILD_MEMORY_MIB * MIB,
        BUILD_PIDS,
        BUILD_CORES,
        wall_seconds=program.build_seconds,
        tmp_bytes=BUILD_TMP_MIB * MIB,
        folder_bytes=LARGEST_BUILT,
    )


def match_run(program: VersionProgram, folder: Path, socket: Path) -> Run:
    """Return how to run the program of a version for matches. `socket`: where it finds the arena, seen from here."""
    limits = ProcessLimits(cpu_seconds=MATCHES_CPU_S * program.cores, wall_seconds=MATCHES_WALL_S)
    return _run(program, folder, socket, {}, limits)


def trial_run(program: VersionProgram, folder: Path, socket: Path, settings: Mapping[str, str]) -> Run:
    """Return how to run it in a trial. `settings`: its environment beside the address of the socket."""
    return _run(program, folder, socket, settings, ProcessLimits(wall_seconds=SCENARIO_S))


def _run(
    program: VersionProgram, folder: Path, socket: Path, settings: Mapping[str, str], limits: ProcessLimits
) -> Run:
    spec = ProcessSpec(
        program.command,
        program.runtime,
        folder,
        settings={**settings, "ARENA_ADDRESS": f"unix://{SOCKETS_FOLDER}/{socket.name}"},
        sockets=socket.parent,
        strict=program.strict,
    )
    return spec, replace(
        limits, memory_bytes=program.memory_mib * MIB, pids=program.pids, cpu_cores=float(program.cores)
    )
