"""Backup and restore of a data folder (docs/operations.md), with its submitted versions (docs/storage.md)."""

import io
import json
import shutil
import tarfile
from hashlib import sha256
from pathlib import Path

import pytest
import zstandard
from typer.testing import CliRunner

from arena.cli.app import app
from arena.core.errors import ArenaError, DataLossError, FailedPreconditionError
from arena.match_log.files import LogFiles
from arena.server.data_folder import DataFolder
from arena.server.maintenance.archive import MANIFEST
from arena.server.maintenance.backup import Backup, back_up
from arena.server.maintenance.checks import Level
from arena.server.maintenance.doctor import check_versions
from arena.server.maintenance.prune import Retention, prune
from arena.server.maintenance.restore import IDS_SKIPPED, _unpack_version, restore
from arena.store.bots.bots import BotRow
from arena.store.store import Store
from arena.submissions.content import content_of
from arena.submissions.version_folders import VersionFolders
from tests.unit.hosting.sample_submissions import MANIFEST as BOT_MANIFEST
from tests.unit.server.maintenance.old_folder import FINISHED, no_progress, rows
from tests.unit.store.store_fixture import StoreFixture


def backup_of(folder: DataFolder, target: Path) -> Backup:
    """Return a backup of the folder."""
    return back_up(folder, target, software="arena 9.9", progress=no_progress)


def contents(archive: Path) -> dict[str, bytes]:
    """Return what is in an archive, read by nothing of the arena's."""
    plain = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(archive.read_bytes())).read()
    with tarfile.open(fileobj=io.BytesIO(plain)) as opened:
        return {member.name: opened.extractfile(member).read() for member in opened}  # type: ignore[union-attr]


def pack(target: Path, files: dict[str, bytes], *, listed: dict[str, bytes] | None = None) -> Path:
    """Return an archive of these files; its list has the files in `listed`, by default all of them."""
    manifest = json.loads(files.pop(MANIFEST))
    manifest["files"] = [
        {"path": path, "bytes": len(data), "sha256": sha256(data).hexdigest()}
        for path, data in (files if listed is None else listed).items()
    ]
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        for path, data in (files | {MANIFEST: json.dumps(manifest).encode()}).items():
            entry = tarfile.TarInfo(path)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    target.write_bytes(zstandard.compress(plain.getvalue()))
    return target


def tree(folder: Path) -> dict[str, bytes]:
    """Every file with its bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_restored_folder_equals_the_one_that_was_backed_up(folder, tmp_path):
    folder.runtimes.mkdir()
    (folder.runtimes / "ruby.toml").write_text('name = "ruby"\n')
    backup = backup_of(folder, tmp_path)
    restore(backup.path, tmp_path / "new", progress=no_progress)

    before, after = tree(folder.path), tree(tmp_path / "new")
    old, new = before.pop("arena.db"), after.pop("arena.db")
    assert before == after
    assert len(old) == len(new)
    for table in ("matches", "match_seats", "rating_ledger", "ladder_entries", "ladder_secrets", "tokens"):
        query = f"SELECT * FROM {table}"
        assert rows(folder.database, query) == rows(tmp_path / "new" / "arena.db", query)
    assert (backup.logs, backup.manifest.schema, backup.manifest.software) == (10, "0001", "arena 9.9")


def test_a_backup_is_for_its_owner_alone_and_leaves_nothing_beside_it(folder, tmp_path):
    place = tmp_path / "backups"
    place.mkdir()

    backup = backup_of(folder, place)
    restore(backup.path, tmp_path / "restored" / "data", progress=no_progress)

    assert list(place.iterdir()) == [backup.path]
    assert [path.name for path in (tmp_path / "restored").iterdir()] == ["data"]
    files = [backup.path, *(path for path in (tmp_path / "restored" / "data").rglob("*") if path.is_file())]
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert (tmp_path / "restored" / "data").stat().st_mode & 0o777 == 0o700


def test_matches_after_a_restore_never_get_the_ids_of_those_played_since_the_backup(folder, tmp_path):
    (tmp_path / "new").mkdir()  # an empty folder may be restored to
    restore(backup_of(folder, tmp_path).path, tmp_path / "new", progress=no_progress)

    query = "SELECT name, seq FROM sqlite_sequence ORDER BY name"
    ids = rows(tmp_path / "new" / "arena.db", query)
    assert ids == [("match_groups", 4 + IDS_SKIPPED), ("matches", 13 + IDS_SKIPPED)]


def test_only_logs_that_the_copy_of_the_database_names_are_in_a_backup(folder, tmp_path):
    LogFiles(folder.logs).write(14, b"of a match that ended after the database was copied")
    LogFiles(folder.logs).path(3).unlink()

    backup = backup_of(folder, tmp_path)

    logs = {name for name in contents(backup.path) if name.endswith(".arenalog")}
    assert logs == {f"logs/000/{match:06d}.arenalog" for match in FINISHED if match != 3}
    assert backup.manifest.missing == (3,)
    restore(backup.path, tmp_path / "new", progress=no_progress)


def test_logs_that_were_pruned_are_not_missed(folder, store, tmp_path):
    prune(folder, store, Retention(older_than_us=2**62, keep_last=2), now_us=10**15)

    backup = backup_of(folder, tmp_path)

    assert (backup.logs, backup.manifest.missing) == (2, ())
    restore(backup.path, tmp_path / "new", progress=no_progress)


def changed(data: bytes, share: float) -> bytes:
    """Return the data with one bit changed."""
    at = int(share * len(data))
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]


def cut(data: bytes, share: float) -> bytes:
    """Return the first part of the data."""
    return data[: int(share * len(data))]


@pytest.mark.parametrize(
    ("damage", "share"),
    [(changed, share) for share in (0.001, 0.2, 0.5, 0.8, 0.999)]
    + [(cut, share) for share in (0, 0.1, 0.9, 0.9999)],
)
def test_a_damaged_backup_is_refused_and_nothing_is_left(folder, tmp_path, damage, share):
    backup = backup_of(folder, tmp_path / "backup")
    backup.path.write_bytes(damage(backup.path.read_bytes(), share))

    with pytest.raises(DataLossError, match="no whole backup"):
        restore(backup.path, tmp_path / "new", progress=no_progress)

    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup", "data"]


def test_an_inconsistent_backup_is_refused_although_its_list_is_right(folder, tmp_path):
    files = contents(backup_of(folder, tmp_path / "backup").path)
    swapped = files | {"logs/000/000002.arenalog": files["logs/000/000001.arenalog"]}
    without = {name: data for name, data in files.items() if name != "logs/000/000002.arenalog"}
    broken = files | {"arena.db": files["arena.db"][:8192] + bytes(4096) + files["arena.db"][12288:]}
    for number, (wrong, words) in enumerate(
        [
            (swapped, "the log of match 2 is not the one"),
            (without, "the log of match 2 is not the one"),
            (broken, "database is damaged"),
            (files | {"../escaped": b"x"}, "no path within"),
            (files | {"/escaped": b"x"}, "no path within"),
        ]
    ):
        archive = pack(tmp_path / f"{number}.tar.zst", dict(wrong))
        with pytest.raises(DataLossError, match=words):
            restore(archive, tmp_path / "new", progress=no_progress)
    assert not (tmp_path / "new").exists()
    assert not (tmp_path / "escaped").exists()


def test_a_backup_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FailedPreconditionError, match="There is no file"):
        restore(tmp_path / "missing.tar.zst", tmp_path / "new", progress=no_progress)
    assert list(tmp_path.iterdir()) == []


def test_the_command_makes_the_folder_of_a_backup_that_ends_in_a_slash(folder, tmp_path):
    target = tmp_path / "backups" / "arena"
    result = CliRunner().invoke(app, ["data", "backup", f"{target}/", "--data", str(folder.path)])

    assert result.exit_code == 0, result.output
    [file] = target.iterdir()
    assert file.name.endswith(".tar.zst")
    assert target.stat().st_mode & 0o077 == 0


def test_a_backup_with_more_or_fewer_files_than_its_list_is_refused(folder, tmp_path):
    files = contents(backup_of(folder, tmp_path / "backup").path)
    plain = {name: data for name, data in files.items() if name != MANIFEST}
    more = pack(tmp_path / "more.tar.zst", files | {"extra": b"x"}, listed=plain)
    fewer = pack(tmp_path / "fewer.tar.zst", dict(files), listed=plain | {"extra": b"x"})

    with pytest.raises(DataLossError, match="extra is not"):
        restore(more, tmp_path / "new", progress=no_progress)
    with pytest.raises(DataLossError, match="extra is missing"):
        restore(fewer, tmp_path / "new", progress=no_progress)


def test_a_backup_of_a_newer_arena_is_refused(folder, tmp_path):
    files = contents(backup_of(folder, tmp_path / "backup").path)
    files[MANIFEST] = files[MANIFEST].replace(b'"0001"', b'"9001"')

    with pytest.raises(ArenaError, match="newer version"):
        restore(pack(tmp_path / "new.tar.zst", files), tmp_path / "new", progress=no_progress)


def test_neither_a_folder_in_use_nor_a_file_is_overwritten(folder, tmp_path):
    backup = backup_of(folder, tmp_path / "backup")
    before = tree(tmp_path)

    with pytest.raises(ArenaError, match="is not empty"):
        restore(backup.path, folder.path, progress=no_progress)
    with pytest.raises(ArenaError, match="is a folder"):
        restore(tmp_path, tmp_path / "new", progress=no_progress)
    with pytest.raises(ArenaError, match="there already"):
        backup_of(folder, backup.path)
    with pytest.raises(ArenaError, match="no arena's database"):
        backup_of(DataFolder(tmp_path / "nowhere"), tmp_path / "other")

    assert tree(tmp_path) == before


def test_a_damaged_database_is_not_backed_up_as_if_it_were_whole(folder, tmp_path):
    data = bytearray(folder.database.read_bytes())
    data[4096 * 4 : 4096 * 5] = bytes(4096)
    folder.database.write_bytes(data)

    with pytest.raises(DataLossError, match="is damaged"):
        backup_of(folder, tmp_path / "backup")

    assert [path.name for path in tmp_path.iterdir()] == ["data"]


@pytest.fixture
def version(folder: DataFolder, store: Store) -> str:
    """Return a version that was built, with a script, a folder and a link in what the build has made."""
    store.write(lambda tx: tx.users.ensure("ada"))
    store.write(lambda tx: tx.bots.add(BotRow("ant-9", "ada", "", False, 1)))
    kept = VersionFolders(folder.versions)
    with kept.workspace() as workspace:
        source, built = workspace / "source", workspace / "built"
        source.mkdir()
        (source / "bot.toml").write_text(BOT_MANIFEST)
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


def versions_of(folder: DataFolder) -> dict[str, tuple[int, str]]:
    """Return what is there of versions: modes, and contents or where links lead."""
    return {
        path.relative_to(folder.versions).as_posix(): (
            path.lstat().st_mode,
            str(path.readlink()) if path.is_symlink() else path.read_text() if path.is_file() else "",
        )
        for path in folder.versions.rglob("*")
    }


def test_versions_come_back_from_a_backup_as_they_were(folder, version, tmp_path):
    backup = backup_of(folder, tmp_path / "backup.tar.zst").path
    restore(backup, tmp_path / "new", progress=no_progress)
    new = DataFolder(tmp_path / "new")
    assert len(versions_of(folder)) >= 9
    assert versions_of(new) == versions_of(folder)
    assert VersionFolders(new.versions).is_whole(version)
    assert new.versions.stat().st_mode & 0o777 == 0o755


def test_a_version_that_nothing_names_is_in_no_backup(folder, version, tmp_path):
    shutil.copytree(folder.versions / version, folder.versions / ("f" * 64), symlinks=True)
    backup = backup_of(folder, tmp_path / "backup.tar.zst").path
    restore(backup, tmp_path / "new", progress=no_progress)
    assert VersionFolders(tmp_path / "new" / "versions").hashes() == [version]


def test_a_backup_of_a_version_that_was_changed_is_not_restored(folder, version, tmp_path):
    (folder.versions / version / "source" / "bot.py").write_text("2\n")
    backup = backup_of(folder, tmp_path / "backup.tar.zst").path
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
