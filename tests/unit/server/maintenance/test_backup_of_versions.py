"""Submitted versions in backups, and what the doctor says of them (docs/storage.md)."""

import shutil
import tarfile
from pathlib import Path

import pytest

from arena.core.errors import DataLossError
from arena.server.data_folder import DataFolder
from arena.server.maintenance.backup import back_up
from arena.server.maintenance.checks import Level
from arena.server.maintenance.doctor import check_versions
from arena.server.maintenance.restore import _unpack_version, restore
from arena.store.bots.bots import BotRow
from arena.store.store import Store
from arena.submissions.content import content_of
from arena.submissions.version_folders import VersionFolders
from tests.unit.hosting.admissions import MANIFEST
from tests.unit.server.maintenance.old_folder import no_progress
from tests.unit.store.store_fixture import StoreFixture


@pytest.fixture
def version(folder: DataFolder, store: Store) -> str:
    """Return a version that was built, with a script, a folder and a link in what the build has made."""
    store.write(lambda tx: tx.users.ensure("ada"))
    store.write(lambda tx: tx.bots.add(BotRow("ant-9", "ada", "", False, 1)))
    kept = VersionFolders(folder.versions)
    with kept.workspace() as workspace:
        source, built = workspace / "source", workspace / "built"
        source.mkdir()
        (source / "bot.toml").write_text(MANIFEST)
        (source / "bot.py").write_text("1\n")
        shutil.copytree(source, built)
        (built / "bin").mkdir()
        (built / "bin" / "run").write_text("#!/bin/sh\n")
        (built / "bin" / "run").chmod(0o755)
        (built / "run").symlink_to("bin/run")
        content = content_of(source)
        kept.add(source, content)
        kept.add_built(content.hash, built)
    StoreFixture(store).submit("ant-9", content.hash)
    return content.hash


def tree(folder: DataFolder) -> dict[str, tuple[int, str]]:
    """Return what is there of versions: modes, and contents or where links lead."""
    return {
        path.relative_to(folder.versions).as_posix(): (
            path.lstat().st_mode,
            str(path.readlink()) if path.is_symlink() else path.read_text() if path.is_file() else "",
        )
        for path in folder.versions.rglob("*")
    }


def backup_of(folder: DataFolder, target: Path) -> Path:
    """Return a backup of the folder."""
    return back_up(folder, target, software="arena 9.9", progress=no_progress).path


def test_versions_come_back_from_a_backup_as_they_were(folder, version, tmp_path):
    backup = backup_of(folder, tmp_path / "backup.tar.zst")
    restore(backup, tmp_path / "new", progress=no_progress)
    new = DataFolder(tmp_path / "new")
    assert len(tree(folder)) >= 9
    assert tree(new) == tree(folder)
    assert VersionFolders(new.versions).is_whole(version)
    assert new.versions.stat().st_mode & 0o777 == 0o755


def test_a_version_that_nothing_names_is_in_no_backup(folder, version, tmp_path):
    shutil.copytree(folder.versions / version, folder.versions / ("f" * 64), symlinks=True)
    backup = backup_of(folder, tmp_path / "backup.tar.zst")
    restore(backup, tmp_path / "new", progress=no_progress)
    assert VersionFolders(tmp_path / "new" / "versions").hashes() == [version]


def test_a_backup_of_a_version_that_was_changed_is_not_restored(folder, version, tmp_path):
    (folder.versions / version / "source" / "bot.py").write_text("2\n")
    backup = backup_of(folder, tmp_path / "backup.tar.zst")
    with pytest.raises(DataLossError, match=version):
        restore(backup, tmp_path / "new", progress=no_progress)
    assert not (tmp_path / "new").exists()


def test_the_doctor_misses_a_version_that_is_gone_and_looks_into_it_when_asked_to(folder, version, store):
    assert check_versions(folder, store, deep=True).level is Level.OK
    (folder.versions / version / "source" / "bot.py").write_text("2\n")
    assert check_versions(folder, store, deep=False).level is Level.OK
    assert check_versions(folder, store, deep=True).level is Level.FAIL
    shutil.rmtree(folder.versions / version)
    finding = check_versions(folder, store, deep=False)
    assert finding.level is Level.FAIL
    assert version[:12] in finding.says


def test_a_packed_version_that_leads_out_of_its_folder_by_a_link_is_refused(tmp_path):
    link = tarfile.TarInfo("out")
    link.type, link.linkname = tarfile.SYMTYPE, str(tmp_path)
    with tarfile.open(tmp_path / "version.tar", "w") as archive:
        archive.addfile(link)
        archive.addfile(tarfile.TarInfo("out/file"))
    with pytest.raises(ValueError, match="by a link"):
        _unpack_version(tmp_path / "version.tar", tmp_path / "version")
    assert not (tmp_path / "file").exists()
