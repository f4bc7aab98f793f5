"""Builds a submitted bot: its build command runs in the sandbox, on a copy of what was submitted."""

from __future__ import annotations

import shlex
from pathlib import Path

from arena.core.errors import ErrorReason
from arena.hosting.process_specs import Purpose, process_spec_for
from arena.sandbox.exit_status import ExitReason, ExitStatus
from arena.sandbox.process_spec import SandboxError
from arena.sandbox.sandbox import Sandbox
from arena.store.bots.submissions import Rejection
from arena.store.json_columns import VersionProgram


class BuildRunner:
    """Runs build commands."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    async def build(self, folder: Path, program: VersionProgram) -> Rejection | None:
        """Run the build command in the folder, a copy for it alone. Return why it failed, if it did.

        Raises SandboxError: it could not be started, or what it left cannot be looked at.
        """
        running = await self._sandbox.start(*process_spec_for(program, folder, Purpose.BUILD))
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
