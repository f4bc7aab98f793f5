"""Fixtures of the store's tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.store.store import Store
from tests.unit.store.store_fixture import StoreFixture


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Where the test's database is."""
    return f"sqlite:///{tmp_path / 'arena.db'}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """Yield an empty database with its tables."""
    store = Store(url)
    store.migrate()
    yield store
    store.close()


@pytest.fixture
def db(store: Store) -> StoreFixture:
    """Return the same, with helpers that fill it."""
    return StoreFixture(store)
