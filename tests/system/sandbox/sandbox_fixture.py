"""Where the tests that start programs can do so, and the programs' folders."""

import asyncio
import functools
import os
from collections.abc import Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest

from arena.sandbox.capabilities import Capabilities, find_capabilities
from arena.sandbox.exit_status import ExitStatus
from arena.sandbox.process import SandboxedProcess
from arena.sandbox.process_spec import ProcessLimits, ProcessSpec
from arena.sandbox.protections import ALL, Protection
from arena.sandbox.runtime_registry import RuntimeRegistry
from arena.sandbox.sandbox import Sandbox

REQUIRE: Final = "REQUIRE_SANDBOX"
"""Set in CI: a machine on which sandboxes cannot be made, or not with all protections, fails the tests."""

PATIENCE_S: Final = 60.0
"""A test that takes longer has hung."""

T = TypeVar("T")

machine = functools.cache(find_capabilities)


def need_sandbox(*protections: Protection) -> Capabilities:
    """Return this machine if it has these protections; otherwise skip the test, or fail it where demanded."""
    found = machine()
    missing = [each.protection.value for each in found.protection_states() if not each.live]
    why = found.why_not
    if not why and any(each.value in missing for each in protections):
        why = f"not live on this machine: {', '.join(missing)} (`arena doctor` says more)"
    if why and os.environ.get(REQUIRE):
        pytest.fail(why)
    if why:
        pytest.skip(why)
    return found


def run(work: Coroutine[Any, Any, T]) -> T:
    """Return the result of the coroutine, within the time limit of these tests."""

    async def bounded() -> T:
        limit = asyncio.timeout(PATIENCE_S)
        try:
            async with limit:
                return await work
        except TimeoutError as hung:
            if not limit.expired():
                raise
            message = f"It hung: nothing came of this within {PATIENCE_S:.0f} s. Above is what it waited for."
            raise AssertionError(message) from hung

    return asyncio.run(bounded())


@dataclass
class SandboxFixture:
    """A folder with programs, and a sandbox to run them in."""

    folder: Path
    protections: frozenset[Protection] = ALL
    runtimes: RuntimeRegistry = field(default_factory=RuntimeRegistry)
    limits: ProcessLimits = field(default_factory=lambda: ProcessLimits(wall_seconds=PATIENCE_S))

    @property
    def bot(self) -> Path:
        """What the program sees as /bot."""
        path = self.folder / "bot"
        path.mkdir(exist_ok=True)
        path.chmod(0o755)
        return path

    def sandbox(self) -> Sandbox:
        """Return a sandbox for the arena of this folder."""
        return Sandbox(machine(), protections=self.protections, folder=self.folder, runtimes=self.runtimes)

    def write(self, name: str, text: str) -> None:
        """Write a file that the program sees."""
        path = self.bot / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    async def start(self, *command: str, runtime: str = "cpp", **rest: Any) -> SandboxedProcess:
        """Start the command."""
        return await self.sandbox().start(ProcessSpec(command, runtime, self.bot, **rest), self.limits)

    def ending(self, *command: str, **rest: Any) -> ExitStatus:
        """How the command ends by itself."""

        async def to_the_end() -> ExitStatus:
            return await (await self.start(*command, **rest)).wait()

        return run(to_the_end())

    def shell(self, script: str, **rest: Any) -> ExitStatus:
        """How a shell script ends."""
        return self.ending("sh", "-c", script, **rest)

    def python(self, program: str, **rest: Any) -> ExitStatus:
        """How a Python program ends."""
        return self.ending("python", "-c", program, runtime="python", **rest)
