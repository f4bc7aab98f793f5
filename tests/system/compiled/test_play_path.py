"""The compiled play path passes the tests of the plain one: the same events give the same bytes and records."""

import ast
import subprocess
from pathlib import Path

import pytest

from tests.checkout import ROOT, tree
from tests.system.compiled.conftest import SETUP

TESTS = (
    "tests/unit/codecs",
    "tests/unit/core/test_clock.py",
    "tests/unit/core/test_referee.py",
    "tests/unit/core/test_referee_machine.py",
    "tests/unit/core/test_round_trip.py",
    "tests/unit/core/test_stalls.py",
    "tests/unit/match_log/test_golden.py",
    "tests/unit/match_log/test_writer.py",
    "tests/unit/sessions",
    "tests/unit/runner",
    "tests/system/play/test_comeback.py",
    "tests/unit/wire/play/test_frames.py",
    "tests/system/play/test_fuzz_frames.py",
    "tests/system/play/test_match.py",
    "tests/system/play/test_plans.py",
)
"""What drives the modules that are compiled, in one process, and compares with files that plain Python has written."""

UNBREAKABLE = "what is compiled cannot be broken from outside"
"""Why a test is skipped there that puts a fault into a method from outside; no other is."""

COMPILED: tuple[str, ...] = tuple(SETUP.compiled_modules())

LOOK = """
import importlib, sys
print(*(name for name in sys.argv[1:] if importlib.import_module(name).__file__.endswith(".py")))
"""


def inside(python: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the compiled arena's Python. `folder`: the checkout's own arena is not in it."""
    return subprocess.run(
        [python, "-P", *words], cwd=folder, capture_output=True, text=True, check=False, timeout=900
    )


@pytest.mark.parametrize("path", COMPILED)
def test_data_classes_that_are_compiled_have_no_slots_and_no_field_of_any_object(path: str) -> None:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ClassDef) and "dataclass" in " ".join(map(ast.unparse, node.decorator_list)):
            assert "slots=True" not in " ".join(map(ast.unparse, node.decorator_list)), node.name
            fields = [field for field in node.body if isinstance(field, ast.AnnAssign)]
            assert "object" not in {ast.unparse(field.annotation) for field in fields}, node.name


def test_every_module_of_the_play_path_and_the_engine_runs_compiled(
    compiled_python: Path, tmp_path: Path
) -> None:
    names = [path.removesuffix(".py").replace("/", ".") for path in COMPILED]
    assert {"arena.core.referee.referee", "arena.server.play.connection", "engine.state"} <= set(names)
    looked = inside(compiled_python, tmp_path, "-c", LOOK, *names)
    assert (looked.returncode, looked.stdout.split()) == (0, []), looked.stderr


def test_the_compiled_play_path_passes_the_tests_of_the_plain_one(
    compiled_python: Path, tmp_path: Path
) -> None:
    for name in ("tests", "pyproject.toml"):
        (tmp_path / name).symlink_to(ROOT / name)
    tested = inside(compiled_python, tmp_path, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", *TESTS)
    assert tested.returncode == 0, tested.stdout[-8000:] + tested.stderr[-2000:]
    assert " passed" in tested.stdout
    skipped = [line for line in tested.stdout.splitlines() if line.startswith("SKIPPED")]
    assert [line for line in skipped if UNBREAKABLE not in line] == []
