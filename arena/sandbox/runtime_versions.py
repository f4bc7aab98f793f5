"""Tries the runtimes of an arena: each prints its version in the sandbox in which bots run."""

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.sandbox.exit_status import ExitReason, ExitStatus
from arena.sandbox.process_spec import MIB, ProcessLimits, ProcessSpec, SandboxError
from arena.sandbox.runtimes import Runtime
from arena.sandbox.sandbox import Sandbox

_LIMITS: Final = ProcessLimits(memory_bytes=512 * MIB, wall_seconds=30.0)
_LONGEST: Final = 120
"""Characters of a version."""
_NOTE: Final = "NOTE: "
"""Begins what Java prints about the options that it is given."""


@dataclass(frozen=True, slots=True)
class RuntimeVersion:
    """What was found out about one runtime."""

    runtime: Runtime
    version: str = ""
    """The first line that it prints; empty if it prints none, or does not work."""
    why_not: str = ""
    """Why programs of it cannot run here: a sentence part; empty if they can."""
    why_no_builds: str = ""
    """Why its compiler, which only builds need, does not work: likewise."""


@contextmanager
def _empty_folder() -> Iterator[Path]:
    """Make a folder that the users of the sandbox may enter."""
    with tempfile.TemporaryDirectory(prefix="arena-runtime-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


async def find_versions(sandbox: Sandbox) -> list[RuntimeVersion]:
    """Try all runtimes of the sandbox, one after the other, in the order of their names."""
    return [await _find(sandbox, runtime) for _, runtime in sorted(sandbox.runtimes.all.items())]


async def _find(sandbox: Sandbox, runtime: Runtime) -> RuntimeVersion:
    if why := runtime.why_not():
        return RuntimeVersion(runtime, why_not=why)
    if not runtime.version:
        return RuntimeVersion(runtime)
    with _empty_folder() as folder:
        spec = ProcessSpec(runtime.version, runtime.name, folder, tools=bool(runtime.compiler))
        try:
            ending = await _ending(sandbox, spec)
        except SandboxError as error:
            return RuntimeVersion(runtime, why_not=error.sentence.removesuffix("."))
    lines = [line for line in ending.tail.splitlines() if line.strip() and not line.startswith(_NOTE)]
    printed = " ".join(lines[0].split())[:_LONGEST] if lines else ""
    if ending.reason is ExitReason.EXITED and ending.code == 0:
        return RuntimeVersion(runtime, printed)
    if runtime.compiler:
        return RuntimeVersion(runtime, why_no_builds=f"{runtime.compiler} is not installed, or does not work")
    command = " ".join(runtime.version)
    return RuntimeVersion(runtime, why_not=f"`{command}` failed in the sandbox: {printed or ending.sentence}")


async def _ending(sandbox: Sandbox, spec: ProcessSpec) -> ExitStatus:
    """Run a program to its end. Raises SandboxError."""
    running = await sandbox.start(spec, _LIMITS)
    try:
        return await running.wait()
    finally:
        await running.stop(0)  # without effect unless this is called off


def versions_of(sandbox: Sandbox) -> list[RuntimeVersion]:
    """Return `find_versions`, outside of an event loop. Blocks for some seconds."""
    return asyncio.run(find_versions(sandbox))
