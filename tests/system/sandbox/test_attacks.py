"""Programs that try to break out of the sandbox: none does, and each does where the one protection is taken away.

`attacks/attacks.toml` lists them; docs/attacks.md shows the list. Rows 36, 37, 38, 39 and 41 of docs/bad_inputs.md
are among them.
"""

import asyncio
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.sandbox.capabilities import Capabilities
from arena.sandbox.exit_status import ExitReason
from arena.sandbox.protections import ALL, Protection
from tests.system.sandbox.attack_targets import AttackTargets, listening, populated
from tests.system.sandbox.attacking import (
    ATTACKS,
    FOLDER,
    LANGUAGES,
    Attack,
    Run,
    compile_c,
    offers,
    run,
)
from tests.system.sandbox.sandbox_fixture import REQUIRE, need_sandbox

TOOLS = {"python": (), "c": ("cc",), "node": ("node", "cc"), "ruby": ("ruby",)}
"""By language; one of the attacks in JavaScript starts a program in C."""


@dataclass(frozen=True)
class AttackFixture:
    """Where the attacks take place."""

    runner: asyncio.Runner
    machine: Capabilities
    targets: AttackTargets

    def run(self, attack: Attack, *protections: frozenset[Protection]) -> list[Run]:
        """Run the attack under each of these sets of protections, at once."""

        async def go() -> list[Run]:
            async with listening(self.targets):
                runs = (run(attack, self.machine, self.targets, each) for each in protections)
                return await asyncio.gather(*runs)

        return self.runner.run(go())


def lay_out_programs(folder: Path) -> None:
    for language in LANGUAGES:
        if language != "c":
            shutil.copytree(
                FOLDER / language, folder / language, ignore=shutil.ignore_patterns("__pycache__")
            )
    if shutil.which("cc"):
        compile_c(folder)


@pytest.fixture(scope="module")
def attacks() -> Iterator[AttackFixture]:
    machine = need_sandbox()
    with populated(lay_out_programs) as targets, asyncio.Runner() as runner:
        yield AttackFixture(runner, machine, targets)


def need(attack: Attack) -> None:
    """Skip the test where the attack or its control cannot be run, or fail it where the sandbox is demanded."""
    missing = [tool for tool in TOOLS[attack.language] if not shutil.which(tool)]
    if missing:
        why = f"{attack.program} needs {' and '.join(missing)}, which is not installed"
        if os.environ.get(REQUIRE):
            pytest.fail(why)
        pytest.skip(why)
    need_sandbox(attack.about)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.program)
def test_an_attack_is_held_and_succeeds_without_the_protection_that_it_is_about(
    attack: Attack, attacks: AttackFixture
) -> None:
    need(attack)
    if not offers(attack.needs):
        [inside] = attacks.run(attack, ALL)
        # The filter refuses before the kernel looks, unless the very instruction is unknown.
        assert is_held(attack, inside) or inside.ending.reason is ExitReason.SIGNALLED, f"inside: {inside}"
        pytest.skip(
            f"it is held, but {attack.needs} is not offered here to any program: no control can show why"
        )
    inside, control = attacks.run(attack, ALL, ALL - {attack.about} - attack.also)
    assert is_held(attack, inside), f"inside: {inside}"
    assert control.line.startswith(f"ESCAPED {attack.control}"), f"control: {control}"
    assert is_within_limit(attack, inside) in {True, None}
    assert is_within_limit(attack, control) in {False, None}
    assert not inside.left
    assert not control.left


def is_held(attack: Attack, ran: Run) -> bool:
    """Return whether it ended as the table says, and got nothing."""
    if attack.inside.startswith("HELD "):
        reasons = attack.inside.removeprefix("HELD ").split(" or ")
        said = ran.line.split()
        return ran.ending.reason is ExitReason.EXITED and said[:1] == ["HELD"] and said[1] in reasons
    ending = ran.ending
    named = ending.reason is ExitReason[attack.inside] and bool(ending.evidence) and bool(ending.sentence)
    return named and not ran.line.startswith("ESCAPED")


def is_within_limit(attack: Attack, ran: Run) -> bool | None:
    """Whether the kernel, asked from outside, counted no more than the limit; None if the attack is not about that."""
    usage, bounds = ran.ending.usage, attack.bounds
    match attack.about:
        case Protection.MEMORY if usage.memory_peak_bytes is not None:
            return usage.memory_peak_bytes <= bounds.memory_bytes
        case Protection.PIDS if usage.pids_peak is not None:
            return usage.pids_peak <= bounds.pids
        case _:
            return None
