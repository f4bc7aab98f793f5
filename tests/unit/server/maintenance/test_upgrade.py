"""A database of an older arena, brought up to date (docs/operations.md)."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from arena.core.errors import UnavailableError
from arena.server.data_folder import DataFolder
from arena.server.maintenance.upgrade import bring_up_to_date, stamp
from arena.store import store as store_module
from arena.store.store import Store, newest_version
from tests.unit.server.maintenance.old_folder import rows

NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "9000"
down_revision = "{before}"


def upgrade():
    op.create_table("camels", sa.Column("id", sa.Integer, primary_key=True))
    {then}
"""


def add_migration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, then: str = "") -> None:
    """From now on there is one more version of the tables, 9000."""
    before, ours = newest_version(), tmp_path / "migrations"
    shutil.copytree(store_module.MIGRATIONS, ours)
    (ours / "versions" / "9000_camels.py").write_text(NEXT.format(before=before, then=then))
    monkeypatch.setattr(store_module, "MIGRATIONS", ours)


def version(database: Path) -> str:
    """Return the version of its tables."""
    [(number,)] = rows(database, "SELECT version_num FROM alembic_version")
    return str(number)


def copies(folder: DataFolder) -> list[Path]:
    """Return the safety copies there are."""
    return sorted(folder.safety_copies.glob("*"))


def upgrade(folder: DataFolder) -> None:
    """Bring the database up to date as `arena serve` does."""
    with closing(Store(folder.database_url)) as store:
        bring_up_to_date(store, folder)


def test_before_an_older_database_is_changed_a_whole_copy_of_it_is_kept(folder, tmp_path, monkeypatch):
    before = rows(folder.database, "SELECT * FROM matches")
    add_migration(tmp_path, monkeypatch)

    upgrade(folder)

    assert rows(folder.database, "SELECT * FROM camels") == []
    (copy,) = copies(folder)
    assert copy.name.startswith("arena-0001-")
    assert copy.suffix == ".db"
    assert copy.stat().st_mode & 0o777 == 0o600
    assert version(copy) == "0001"
    assert rows(copy, "SELECT * FROM matches") == before
    assert len(before) == 13


@pytest.mark.parametrize("old", [True, False])
def test_a_new_or_upgraded_database_is_not_copied_at_the_next_start(folder, tmp_path, old):
    folder = folder if old else DataFolder(tmp_path)
    upgrade(folder)
    kept = copies(folder)
    assert len(kept) == old

    upgrade(folder)

    assert copies(folder) == kept


def test_a_database_of_a_newer_arena_is_refused_with_both_versions_and_stays_as_it_is(folder):
    rows(folder.database, "UPDATE alembic_version SET version_num = '9001'")

    with pytest.raises(UnavailableError, match=f"version 9001 .* up to {newest_version()}: a newer version"):
        upgrade(folder)

    assert copies(folder) == []
    assert version(folder.database) == "9001"


def test_an_upgrade_that_fails_leaves_the_database_as_it_was(folder, tmp_path, monkeypatch):
    add_migration(tmp_path, monkeypatch, then="op.execute('no SQL at all')")

    with pytest.raises(Exception, match="syntax error"):
        upgrade(folder)

    assert version(folder.database) == "0001"
    assert rows(folder.database, "SELECT name FROM sqlite_master WHERE name = 'camels'") == []


def test_without_a_safety_copy_nothing_is_changed(folder, tmp_path, monkeypatch):
    add_migration(tmp_path, monkeypatch)
    folder.safety_copies.write_text("a file where the folder should be")

    with pytest.raises(UnavailableError, match="nothing has changed"):
        upgrade(folder)

    assert version(folder.database) == "0001"


def test_a_moment_in_the_name_of_a_file_sorts_by_time():
    assert stamp(0) == "19700101T000000Z"
    assert stamp(1_795_253_405_999_999) == "20261121T093005Z"
