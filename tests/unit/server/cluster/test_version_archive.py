"""Versions on their way to a node."""

import io
import tarfile
from pathlib import Path

import pytest

from arena.server.cluster.version_archive import VersionDamagedError, install_version, pack_version
from arena.submissions.content import content_of
from arena.submissions.version_folders import VersionFolders

MANIFEST = 'command = ["./bot"]\nruntime = "binary"\nlanguage = "c"\ngames = ["caravan"]\n'


def a_version(folder: Path, *, built: bool) -> tuple[VersionFolders, str]:
    """Return the folders of an arena with one version."""
    folders = VersionFolders(folder / "versions")
    source = folder / "source"
    (source / "data").mkdir(parents=True)
    (source / "bot.toml").write_text(MANIFEST)
    (source / "bot").write_text("#!/bin/sh\n")
    (source / "bot").chmod(0o755)
    (source / "data" / "book").write_bytes(bytes(1000))
    content = content_of(source)
    folders.add(source, content)
    if built:
        output = folder / "built"
        output.mkdir()
        (output / "bot").write_text("built\n")
        (output / "link").symlink_to("bot")
        folders.add_built(content.hash, output)
    return folders, content.hash


@pytest.mark.parametrize("built", [False, True])
def test_a_version_arrives_whole(tmp_path: Path, built: bool) -> None:
    folders, version = a_version(tmp_path, built=built)
    node = VersionFolders(tmp_path / "node")
    for _ in range(2):
        install_version(node, version, pack_version(folders, version))
    assert node.is_whole(version)
    ours, theirs = folders.folder(version), node.folder(version)
    assert sorted(path.name for path in theirs.iterdir()) == sorted(path.name for path in ours.iterdir())
    assert (theirs / "bot").read_text() == (ours / "bot").read_text()
    assert (theirs / "bot").stat().st_mode & 0o777 == (ours / "bot").stat().st_mode & 0o777
    assert not list((tmp_path / "node" / ".work").iterdir())


def test_a_version_that_was_changed_on_the_way_is_not_installed(tmp_path: Path) -> None:
    folders, version = a_version(tmp_path, built=False)
    (folders.source(version) / "data" / "book").write_bytes(bytes(999) + b"x")
    node = VersionFolders(tmp_path / "node")
    for packed in (pack_version(folders, version), b"garbage", b"", leading_out()):
        with pytest.raises(VersionDamagedError):
            install_version(node, version, packed)
    assert node.hashes() == []
    assert not (tmp_path / "out").exists()


def leading_out() -> bytes:
    """Return an archive with a file beside its folder."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("../../../out"))
    return packed.getvalue()
