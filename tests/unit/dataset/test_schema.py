"""The columns of the tables."""

import duckdb
import pytest

from arena.dataset.schema import TABLES, Table


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_columns_need_no_quotes_in_sql(table: Table) -> None:
    with duckdb.connect() as connection:
        columns = ", ".join(f"1 AS {column.name}" for column in table.columns)
        connection.execute(f"CREATE TABLE {table.name} AS SELECT {columns}")
        for column in table.columns:
            assert connection.execute(f"SELECT max({column.name}) FROM {table.name}").fetchall() == [(1,)]
