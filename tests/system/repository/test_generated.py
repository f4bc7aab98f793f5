"""The generated code that is checked in is what proto/ generates today."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.checkout import GENERATED, ROOT, files

GENERATE = ROOT / ".ci" / "generate.py"


def generate(into: Path) -> None:
    subprocess.run([sys.executable, GENERATE, into], check=True, capture_output=True, text=True)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("generated")
    generate(folder)
    return folder


def test_the_same_files_are_generated_as_are_checked_in(fresh: Path) -> None:
    made = {path.relative_to(fresh).as_posix() for path in fresh.rglob("*") if path.is_file()}
    checked_in = {path for path in files() if path.startswith(GENERATED)}
    assert made == checked_in, "run `make proto`"


def test_each_generated_file_is_what_proto_generates_today(fresh: Path) -> None:
    stale = [
        path.relative_to(fresh).as_posix()
        for path in fresh.rglob("*_pb2*")
        if path.read_bytes() != (ROOT / path.relative_to(fresh)).read_bytes()
    ]
    assert not stale, "run `make proto`"


def test_generating_again_removes_what_has_no_proto_file_any_more(fresh: Path) -> None:
    left_over = fresh / "arena" / "v1" / "gone_pb2.py"
    left_over.touch()
    generate(fresh)
    assert not left_over.exists()
