"""How the process of a bot version is run in the sandbox: for matches, in a trial, or to build it."""

from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Final

from arena.sandbox.process_spec import MIB, SOCKETS_FOLDER, ProcessLimits, ProcessSpec
from arena.store.json_columns import VersionProgram

MATCHES_CPU_S: Final = 86_400.0
MATCHES_WALL_S: Final = 7 * 86_400.0
"""Limits of a process that is never idle. The clocks of its matches limit how long it thinks, and it has one core at
most; these only bound the cost of the longest of all matches, and no other comes near them."""

SCENARIO_S: Final = 120.0
"""No process runs longer for one scenario."""

BUILD_MEMORY_MIB: Final = 1024
BUILD_PIDS: Final = 256
BUILD_CORES: Final = 1.0
BUILD_TMP_MIB: Final = 256
"""Of the memory: compilers keep there what they are working on."""

LARGEST_BUILT: Final = 1024 * MIB
"""What a build may have in its folder, in bytes: what was submitted, what it makes, and what it needs meanwhile."""


class Purpose(Enum):
    """What a process is run for."""

    MATCHES = "matches"
    TRIAL = "trial"
    BUILD = "build"


def process_spec_for(
    program: VersionProgram,
    folder: Path,
    purpose: Purpose,
    *,
    socket: Path | None = None,
    settings: Mapping[str, str] | None = None,
) -> tuple[ProcessSpec, ProcessLimits]:
    """Return how to run the program of a version, and its limits.

    `folder`: the files of the version; `socket`: where it finds the arena, as the arena sees it; None for a
    build. `settings`: its environment beside the address of that.
    """
    if purpose is Purpose.BUILD:
        return (
            ProcessSpec(
                command=program.build, runtime=program.runtime, folder=folder, writable=True, tools=True
            ),
            ProcessLimits(
                memory_bytes=BUILD_MEMORY_MIB * MIB,
                pids=BUILD_PIDS,
                cpu_cores=BUILD_CORES,
                wall_seconds=program.build_seconds,
                tmp_bytes=BUILD_TMP_MIB * MIB,
                folder_bytes=LARGEST_BUILT,
            ),
        )
    assert socket is not None
    spec = ProcessSpec(
        command=program.command,
        runtime=program.runtime,
        folder=folder,
        settings={**(settings or {}), "ARENA_ADDRESS": f"unix://{SOCKETS_FOLDER}/{socket.name}"},
        sockets=socket.parent,
        strict=program.strict,
    )
    memory_bytes = program.memory_mib * MIB
    if purpose is Purpose.TRIAL:
        return spec, ProcessLimits(memory_bytes, program.pids, wall_seconds=SCENARIO_S)
    return spec, ProcessLimits(
        memory_bytes, program.pids, cpu_seconds=MATCHES_CPU_S, wall_seconds=MATCHES_WALL_S
    )
