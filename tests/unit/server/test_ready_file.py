"""The file by which a script knows that an arena takes calls."""

import json
import os
from pathlib import Path

import pytest

from arena.core.errors import FailedPreconditionError
from arena.server.ready_file import present, remove_old


def test_the_file_is_there_while_the_arena_takes_calls(tmp_path: Path) -> None:
    path = tmp_path / "ready"
    with present(path, "127.0.0.1:7450", None):
        assert json.loads(path.read_text()) == {"tcp": "127.0.0.1:7450", "unix": None, "pid": os.getpid()}
    assert not list(tmp_path.iterdir())


def test_the_file_of_a_killed_arena_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "ready"
    path.write_text('{"tcp": "127.0.0.1:7450", "unix": null, "pid": 1}\n')
    remove_old(path)
    assert not path.exists()
    remove_old(path)


@pytest.mark.parametrize("content", ["my diary", "[1]", '{"tcp": ""}', b"\xff\xfe"])
def test_a_file_that_no_arena_wrote_is_kept_and_refused(tmp_path: Path, content: str | bytes) -> None:
    path = tmp_path / "diary"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(FailedPreconditionError):
        remove_old(path)
    assert path.exists()


@pytest.mark.parametrize("name", ["missing/ready", ".", "file/ready"])
def test_a_place_where_no_file_can_be_written_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FailedPreconditionError):
        remove_old(tmp_path / name)
