"""Programs that try to break out of the sandbox: none does, and each does where the one protection is taken away.

`attacks/attacks.toml` lists them; docs/attacks.md shows the list. Rows 36, 37, 38, 39 and 41 of docs/bad_inputs.md
are among them.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest

from arena.sandbox.ending import Verdict
from arena.sandbox.machine import Machine, find_machine
from tests.sandbox.attacking import (
    ATTACKS,
    FOLDER,
    LANGUAGES,
    Attack,
    Run,
    compile_c,
    offers,
    run_both,
    run_inside,
)
from tests.sandbox.world import World, listening, populated

T = TypeVar("T")

REQUIRE = "REQUIRE_SANDBOX"
"""Set in CI: what cannot be attacked here for want of a tool or a protection fails instead of being skipped."""

TOOLS = {"c": "cc", "node": "node"}


@dataclass(frozen=True)
class Ground:
    """Where the attacks take place."""

    runner: asyncio.Runner
    machine: Machine
    world: World

    def run(self, attacking: Coroutine[Any, Any, T]) -> T:
        async def go() -> T:
            async with listening(self.world):
                return await attacking

        return self.runner.run(go())


def unavailable(why: str) -> None:
    """The test is skipped for this reason, or fails for it where the sandbox is demanded."""
    if os.environ.get(REQUIRE):
        pytest.fail(f"{REQUIRE} is set, but {why}")
    pytest.skip(why)


def lay_out_programs(folder: Path) -> None:
    for language in LANGUAGES:
        if language != "c":
            shutil.copytree(
                FOLDER / language, folder / language, ignore=shutil.ignore_patterns("__pycache__")
            )
    if shutil.which("cc"):
        compile_c(folder)


@pytest.fixture(scope="module")
def ground() -> Iterator[Ground]:
    machine = find_machine()
    if not machine.can_run:
        unavailable(machine.why_not)
    with populated(lay_out_programs) as world, asyncio.Runner() as runner:
        yield Ground(runner, machine, world)


def need(attack: Attack, machine: Machine) -> None:
    """The attack and its control can be run here."""
    tool = TOOLS.get(attack.language)
    if tool and not shutil.which(tool):
        unavailable(f"attacks in {attack.language} need {tool}, which is not installed")
    if attack.program == "node/spawn_bomb.js" and not shutil.which("cc"):
        unavailable("it starts a program in C, and cc is not installed")
    weak = [
        standing
        for standing in machine.standings()
        if standing.protection is attack.about and not standing.live
    ]
    if weak:
        unavailable(f"{weak[0].protection.value} is not protected here ({weak[0].how}): {weak[0].advice}")


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.program)
def test_an_attack_is_held_and_succeeds_without_the_protection_that_it_is_about(
    attack: Attack, ground: Ground
) -> None:
    need(attack, ground.machine)
    if not offers(attack.needs):
        inside = ground.run(run_inside(attack, ground.machine, ground.world))
        assert "ESCAPED" not in inside.line, f"inside: {inside}"
        pytest.skip(
            f"it is held, but {attack.needs} is not offered here to any program: no control can show why"
        )
    inside, control = ground.run(run_both(attack, ground.machine, ground.world))
    assert is_held(attack, inside), f"inside: {inside}"
    assert control.line.startswith(f"ESCAPED {attack.control}"), f"control: {control}"
    assert not inside.left
    assert not control.left


def is_held(attack: Attack, run: Run) -> bool:
    """It ended as the table says, and got nothing."""
    if attack.inside.startswith("HELD "):
        reasons = attack.inside.removeprefix("HELD ").split(" or ")
        said = run.line.split()
        return run.ending.verdict is Verdict.EXITED and said[:1] == ["HELD"] and said[1] in reasons
    ending = run.ending
    named = ending.verdict is Verdict[attack.inside] and bool(ending.evidence) and bool(ending.sentence)
    return named and not run.line.startswith("ESCAPED")
