"""Fixtures of the store's tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.store.store import Store
from tests.unit.store.databases import database_url
from tests.unit.store.store_fixture import StoreFixture, open_store


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Where the test's database is."""
    return database_url(tmp_path)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Yield an empty database with its tables."""
    store = open_store(tmp_path)
    yield store
    store.close()


@pytest.fixture
def db(store: Store) -> StoreFixture:
    """Return the same, with helpers that fill it."""
    return StoreFixture(store)


@pytest.fixture
def pair(db: StoreFixture) -> tuple[int, ...]:
    """Return the two running matches of a group."""
    db.populate("ant", "bee")
    matches = db.pair("ant", "bee")
    for match in matches:
        db.start(match)
    return matches
