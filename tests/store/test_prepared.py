from __future__ import annotations

import importlib
import pkgutil

import pytest
from sqlalchemy import insert
from sqlalchemy.dialects import postgresql

import arena.store
from arena.core.errors import ErrorReason, UnavailableError
from arena.store.prepared import Prepared
from arena.store.schema import OWNERS
from arena.store.store import Store, Transaction

MODULES = [
    importlib.import_module(module.name)
    for module in pkgutil.walk_packages(arena.store.__path__, "arena.store.")
    if not module.ispkg and ".migrations." not in module.name
]
ALL = {
    f"{module.__name__}.{name}": statement
    for module in MODULES
    for name, statement in vars(module).items()
    if isinstance(statement, Prepared)
}

ADD_OWNER = Prepared(insert(OWNERS), ("id",))


@pytest.mark.parametrize("name", ALL)
def test_a_prepared_statement_can_be_written_for_postgresql_with_a_name_for_every_value(name: str) -> None:
    text = ALL[name]._text(postgresql.dialect())
    named = text.bind({"extra": 1})
    assert named["extra"] == 1
    assert "?" not in text.sql
    for value in set(named) - {"extra"}:
        assert f"%({value})s" in text.sql


def test_a_value_that_is_missing_is_an_error_and_not_null(store: Store) -> None:
    with pytest.raises(KeyError, match="id"):
        store.write(lambda tx: ADD_OWNER.run(tx._connection, {}))


def test_a_disk_that_fills_up_under_a_prepared_statement_is_a_storage_error(store: Store) -> None:
    def fill(tx: Transaction) -> None:
        pages = tx._connection.exec_driver_sql("PRAGMA page_count").scalar()
        tx._connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        ADD_OWNER.run_all(tx._connection, ({"id": f"{number:032}"} for number in range(10_000)))

    with pytest.raises(UnavailableError, match="full") as caught:
        store.write(fill)
    assert caught.value.reason is ErrorReason.STORAGE
