"""The wheel has the compiled engine where it can be compiled, and a plain one otherwise."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from engine.registry import GAMES
from tests.checkout import ROOT
from tests.system.compiled.conftest import build_wheel

SHARED = tuple(f"engine/{name}.py" for name in ("__init__", "compiling", "game", "randomness", "state"))
ASK = "import setup; print(setup.get_requires_for_build_{kind}())"


def machine_code(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as content:
        return [name for name in content.namelist() if name.endswith((".so", ".pyd"))]


def required(kind: str, **environment: str) -> str:
    """Return what has to be installed before a wheel or an editable install is built."""
    finished = subprocess.run(
        [sys.executable, "-c", ASK.format(kind=kind)],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return finished.stdout


def test_the_compiled_environment_runs_compiled_and_finds_its_boards(compiled_python: Path) -> None:
    code = "from engine.registry import GAMES; from engine.state import COMPILED; print(COMPILED, *GAMES)"
    ran = subprocess.run([compiled_python, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["True", *GAMES]


def test_a_state_in_plain_python_can_be_played_with_a_compiled_contract(compiled_python: Path) -> None:
    code = (
        "from engine.randomness import Stream; from toy_game import ToyState; "
        "state = ToyState(seats=3, rounds=4); "
        "print(state.playout(Stream(bytes(32)), 99), state.outcome().ending)"
    )
    toys = {"PYTHONPATH": str(ROOT / "tests" / "unit" / "core")}
    ran = subprocess.run(
        [compiled_python, "-P", "-c", code], env=toys, capture_output=True, text=True, check=True
    )
    assert ran.stdout.split() == ["12", "COUNTED_OUT"]


def test_this_checkout_runs_plain() -> None:
    code = "from engine.state import COMPILED; print(COMPILED)"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False"]


@pytest.mark.parametrize("environment", [{"CC": "/bin/false"}, {"ARENA_PLAIN_ENGINE": "1"}], ids=str)
def test_without_a_compiler_or_on_demand_the_wheel_is_plain(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    """What all games share will do: no module is treated unlike the others."""
    wheel, said = build_wheel(tmp_path, os.environ | environment, code=SHARED)
    assert wheel.name.endswith("-py3-none-any.whl")
    assert not machine_code(wheel)
    assert ("plain Python: CompileError" in said) == ("CC" in environment)


def test_only_a_wheel_with_a_compiled_engine_needs_the_compiler_of_python() -> None:
    assert "mypy" in required("wheel", ARENA_PLAIN_ENGINE="")
    assert "mypy" not in required("wheel", ARENA_PLAIN_ENGINE="1")
    assert "mypy" not in required("editable", ARENA_PLAIN_ENGINE="")
