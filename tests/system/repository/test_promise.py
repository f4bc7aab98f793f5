"""The .proto files only grow: `make promise` and its check on a copy of them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def promise(*arguments: str | Path) -> tuple[int, str]:
    """Exit code of the script, and what it complains about."""
    command = [sys.executable, str(ROOT / ".ci" / "promise.py"), *map(str, arguments)]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stderr


@pytest.fixture
def proto(tmp_path: Path) -> Path:
    """Make a copy of proto/."""
    return Path(shutil.copytree(ROOT / "proto", tmp_path / "proto"))


def edit(proto: Path, old: str, new: str) -> None:
    """Change the copy's play.proto in one place."""
    play = proto / "arena" / "v1" / "play.proto"
    text = play.read_text()
    assert old in text
    play.write_text(text.replace(old, new, 1))


def test_the_files_keep_what_is_promised_and_everything_in_them_is() -> None:
    assert promise("--check") == (0, "")


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("uint32 late_ms = 5;", "uint32 late_by_ms = 5;", "changed name"),
        ("uint32 late_ms = 5;", "uint64 late_ms = 5;", "changed type"),
        ("uint32 late_ms = 5;", "uint32 late_ms = 15;", "was deleted"),
        ("CODE_DONE = 1;", "CODE_LEFT = 1;", "changed name"),
        ("rpc Play(", "rpc PlayOn(", "was deleted"),
        ('option go_package = "caravanarena', 'option go_package = "elsewhere', "go_package"),
    ],
)
def test_what_would_break_a_bot_is_refused(proto: Path, old: str, new: str, complaint: str) -> None:
    before = (proto / "promised.binpb").read_bytes()
    edit(proto, old, new)
    code, said = promise(proto)
    assert code == 1
    assert complaint in said
    assert (proto / "promised.binpb").read_bytes() == before


def test_what_is_added_has_to_be_promised(proto: Path) -> None:
    edit(proto, "message Pong {", "message Pong {\n  // How warm the bot is.\n  uint32 celsius = 7;")
    code, said = promise("--check", proto)
    assert code == 1
    assert "make promise" in said
    assert promise(proto) == (0, "")
    assert promise("--check", proto) == (0, "")
    edit(proto, "uint32 celsius", "uint32 fahrenheit")
    assert promise(proto)[0] == 1
