"""What strangers have filled can be removed, whatever they have thought of."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.submissions.version_folders import VersionFolders, remove_tree

DEPTH = 6000
"""Deeper than Python recurses, and a longer path than the system takes."""


@pytest.fixture
def back() -> Iterator[None]:
    """Restore the working directory afterwards."""
    before = Path.cwd()
    yield
    os.chdir(before)


def nest(folder: Path, depth: int = DEPTH) -> None:
    """Folders in each other, a file in each."""
    os.chdir(folder)
    for _ in range(depth):
        Path("file").touch()
        Path("0").mkdir()
        os.chdir("0")


def test_folders_however_deep_are_removed(tmp_path: Path, back: None) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    nest(folder)
    os.chdir("/")
    remove_tree(folder)
    assert not folder.exists()


def test_what_links_lead_to_stays_and_modes_keep_nothing(tmp_path: Path) -> None:
    """The modes hold only a user who is not root; links hold for both."""
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").touch()
    folder = tmp_path / "all"
    (folder / "1" / "inner").mkdir(parents=True)
    (folder / "1" / "inner" / "link").symlink_to(kept)
    (folder / "0").symlink_to(kept)
    os.mkfifo(folder / "1" / "pipe")
    (folder / "1" / "inner").chmod(0)
    (folder / "1").chmod(0)
    remove_tree(folder)
    assert (folder.exists(), [path.name for path in kept.iterdir()], kept.stat().st_mode & 0o777) == (
        False,
        ["file"],
        0o755,
    )


def test_a_nested_build_is_gone_with_its_workspace_and_after_a_crash(tmp_path: Path, back: None) -> None:
    folders = VersionFolders(tmp_path / "versions")
    with folders.workspace() as workspace:
        nest(workspace)
        os.chdir("/")
    assert not workspace.exists()
    workspace.mkdir()
    nest(workspace)
    os.chdir("/")
    assert folders.sweep() == 1
    assert not workspace.exists()
