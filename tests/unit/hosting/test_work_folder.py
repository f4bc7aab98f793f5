"""Where the sockets of programs lie, and that nobody else has made that place."""

import os
import stat
import tempfile
from pathlib import Path

import pytest

from arena.core.units import SOCKET_PATH_BYTES
from arena.hosting.environment import SOCKET_NAME, WorkFolder


def test_only_the_folder_of_a_process_may_be_entered_by_all(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        work = WorkFolder(tmp_path / "hosted")
        folder = work.add(7)
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    assert stat.S_IMODE(work.path.stat().st_mode) == 0o700
    work.remove(7)
    assert list(work.path.iterdir()) == []
    work.close()
    assert not work.path.exists()


def test_what_a_killed_arena_has_left_is_gone(tmp_path: Path) -> None:
    (WorkFolder(tmp_path / "hosted").add(1) / "left").write_text("")
    assert list(WorkFolder(tmp_path / "hosted").path.iterdir()) == []


@pytest.mark.parametrize("temporary", ["/tmp", "/tmp/" + "long" * 25])
def test_a_path_too_long_for_sockets_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, temporary: str
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", temporary)
    deep = tmp_path / ("long" * 25) / "hosted"
    work = WorkFolder(deep)
    socket = work.add(999_999_999) / SOCKET_NAME
    assert work.path.parent == Path("/tmp")
    assert len(os.fsencode(socket)) <= SOCKET_PATH_BYTES
    assert WorkFolder(deep).path == work.path
    assert list(work.path.iterdir()) == []
    work.close()


def test_a_folder_of_another_user_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    deep = tmp_path / ("long" * 25) / "hosted"
    work = WorkFolder(deep)
    work.close()
    trap = tmp_path / "trap"
    trap.mkdir()
    (trap / "kept").write_text("")
    work.path.symlink_to(trap)
    with pytest.raises(OSError, match="somebody else"):
        WorkFolder(deep)
    assert (trap / "kept").exists()
