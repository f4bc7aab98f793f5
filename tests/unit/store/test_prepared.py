from __future__ import annotations

import sqlite3

import pytest
from sqlalchemy import bindparam, insert, select

from arena.core.errors import ErrorReason, UnavailableError
from arena.store.repository import Prepared
from arena.store.schema import OWNERS
from arena.store.store import Store, Transaction

ADD_OWNER = Prepared(insert(OWNERS))
FIND_OWNER = Prepared(select(OWNERS).where(OWNERS.c.id == bindparam("id")))


def test_a_value_that_is_missing_is_an_error_and_not_null(store: Store) -> None:
    with pytest.raises(sqlite3.ProgrammingError, match="id"):
        store.read(lambda tx: FIND_OWNER.rows(tx._connection))


def test_a_disk_that_fills_up_under_a_prepared_statement_is_a_storage_error(store: Store) -> None:
    def fill(tx: Transaction) -> None:
        pages = tx._connection.exec_driver_sql("PRAGMA page_count").scalar()
        tx._connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        owner = {"role": 2, "disabled": False, "quotas": "{}", "created_us": 0}
        ADD_OWNER.run_all(tx._connection, [{"id": f"{number:032}", **owner} for number in range(10_000)])

    with pytest.raises(UnavailableError, match="full") as caught:
        store.write(fill)
    assert caught.value.reason is ErrorReason.STORAGE
