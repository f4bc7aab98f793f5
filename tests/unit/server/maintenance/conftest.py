"""The data folder of an older arena, and its database."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.server.data_folder import DataFolder
from arena.server.maintenance.upgrade import bring_up_to_date
from arena.store.store import Store
from tests.unit.server.maintenance.old_folder import unpack_old_folder


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    """Return a data folder in which all is well, with ten logs."""
    return DataFolder(unpack_old_folder(tmp_path / "data"))


@pytest.fixture
def store(folder: DataFolder) -> Iterator[Store]:
    """Return its database, with the tables of today."""
    with closing(Store(folder.database_url)) as store:
        bring_up_to_date(store, folder)
        yield store
