"""Builds a submitted bot: its build command runs in the sandbox, on a copy of what was submitted."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Final

from arena.core.errors import ErrorReason
from arena.sandbox.exit_status import ExitReason, ExitStatus
from arena.sandbox.process_spec import MIB, ProcessLimits, ProcessSpec, SandboxError
from arena.sandbox.sandbox import Sandbox
from arena.store.bots.submissions import Rejection
from arena.store.json_columns import VersionProgram

BUILD_MEMORY_MIB: Final = 1024
BUILD_PIDS: Final = 256
BUILD_CORES: Final = 1.0
BUILD_TMP_MIB: Final = 256
"""Of the memory: compilers keep there what they are working on."""

LARGEST_BUILT: Final = 1024 * MIB
"""What a build may have in its folder, in bytes: what was submitted, what it makes, and what it needs meanwhile."""


class BuildRunner:
    """Runs build commands."""

    def __init__(self, sandbox: Sandbox) -> None:
        """`sandbox`: where they run."""
        self._sandbox = sandbox

    async def build(self, folder: Path, program: VersionProgram) -> Rejection | None:
        """What the build command makes is in the folder, a copy that nobody else uses; or why it made nothing.

        Raises:
            SandboxError: it could not be started, or what it left cannot be looked at.
        """
        running = await self._sandbox.start(
            ProcessSpec(
                command=program.build,
                runtime=program.runtime,
                folder=folder,
                writable=True,
                tools=True,
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
        try:
            ending = await running.wait()
        finally:
            await running.stop(0)  # without effect unless this is called off
        if ending.reason is ExitReason.LOST:
            raise SandboxError(ending.sentence)  # no fault of what was submitted: it is built again
        return _rejection(program, ending)


def _rejection(program: VersionProgram, ending: ExitStatus) -> Rejection | None:
    if ending.reason is ExitReason.EXITED and ending.code == 0:
        return None
    if ending.reason is ExitReason.EXITED:
        why = f"ended with exit code {ending.code}"
    elif ending.reason is ExitReason.WALL:
        why = f"took longer than the {program.build_seconds} s of limits.build_seconds"
    else:
        why = ending.sentence.removeprefix("The bot's program ").removesuffix(".")
    return Rejection(
        ErrorReason.BUILD_FAILED,
        f"The build command `{shlex.join(program.build)}` {why}. It runs without network in a fresh folder: try it so.",
        ending.tail,
    )
