import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.core.errors import DataLossError, ErrorReason, UnavailableError
from arena.match_log.files import LogFiles


def test_a_log_lies_in_the_subfolder_of_its_thousand(tmp_path: Path) -> None:
    files = LogFiles(tmp_path / "logs")
    files.write(17, b"seventeen")
    files.write(1_234_567, b"many")
    assert (tmp_path / "logs/000/000017.arenalog").read_bytes() == b"seventeen"
    assert (tmp_path / "logs/1234/1234567.arenalog").read_bytes() == b"many"
    assert files.read(17) == b"seventeen"


def test_a_log_file_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    files = LogFiles(tmp_path)
    files.write(1, b"hidden hands")
    assert stat.S_IMODE(files.path(1).stat().st_mode) == 0o600


def test_the_matches_with_a_log_are_listed_by_id(tmp_path: Path) -> None:
    files = LogFiles(tmp_path)
    assert list(files.matches()) == []
    for match in (1_000, 2, 10, 999_999, 1_000_000):
        files.write(match, b"x")
    strays = ("000/readme.txt", "000/1.arenalog", "000/000003.arenalog.unfinished", "007/000004.arenalog")
    for stray in strays:
        path = tmp_path / stray
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"")
    assert list(files.matches()) == [2, 10, 1_000, 999_999, 1_000_000]
    assert files.has(2)
    assert not files.has(3)


def test_a_log_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataLossError, match=r"match 5, 000/000005\.arenalog") as caught:
        LogFiles(tmp_path).read(5)
    assert str(tmp_path) not in caught.value.sentence
    assert caught.value.reason is ErrorReason.LOG_MISSING


def test_a_log_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    files = LogFiles(tmp_path)
    files.path(5).mkdir(parents=True)
    with pytest.raises(UnavailableError, match=r"match 5, 000/000005\.arenalog.*: Is a dir"):
        files.read(5)


def test_the_same_log_may_be_written_again_but_no_other_in_its_place(tmp_path: Path) -> None:
    files = LogFiles(tmp_path)
    files.write(1, b"one")
    files.write(1, b"one")
    with pytest.raises(DataLossError, match="Another log of match 1"):
        files.write(1, b"two")
    assert files.read(1) == b"one"


def test_a_full_disk_leaves_nothing_behind_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    (tmp_path / "000").mkdir()
    files = LogFiles(tmp_path)
    with pytest.raises(UnavailableError, match="No space left") as caught:
        files.write(1, b"one")
    assert caught.value.reason is ErrorReason.STORAGE
    assert list((tmp_path / "000").iterdir()) == []


def test_a_file_is_synced_before_it_gets_its_name_and_the_folder_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def noting_fsync(handle: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        steps.append("sync folder" if is_folder else f"sync {os.fstat(handle).st_size} bytes")
        fsync(handle)

    def noting_replace(path: Path, target: Path) -> Path:
        steps.append(f"rename to {target.name}")
        return replace(path, target)

    monkeypatch.setattr(os, "fsync", noting_fsync)
    monkeypatch.setattr(Path, "replace", noting_replace)
    LogFiles(tmp_path).write(1, b"12345")
    assert steps == ["sync folder", "sync 5 bytes", "rename to 000001.arenalog", "sync folder"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_crash_while_writing_leaves_no_log_and_the_next_write_removes_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    (tmp_path / "000").mkdir()
    files = LogFiles(tmp_path)
    target: object = os if step == "fsync" else Path
    with monkeypatch.context() as context:
        context.setattr(target, step, killed)
        call: Callable[[int, bytes], None] = files.write
        with pytest.raises(Killed):
            call(1, b"one")
    assert list(files.matches()) == []
    files.write(1, b"one")
    assert [path.name for path in (tmp_path / "000").iterdir()] == ["000001.arenalog"]
    assert files.read(1) == b"one"


def test_writing_an_existing_log_again_syncs_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever wrote it may have died between the rename and the sync of the folder."""
    files = LogFiles(tmp_path)
    files.write(1, b"one")
    synced: list[Path] = []
    monkeypatch.setattr("arena.match_log.files.sync_folder", synced.append)
    files.write(1, b"one")
    assert synced == [tmp_path / "000"]
