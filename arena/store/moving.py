"""Copies all rows of a database to an empty one on a PostgreSQL server, and compares the two."""

from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Integer, Table, func, select, text

from arena.core.errors import DataLossError, ErrorReason
from arena.store import migrating
from arena.store.backends.backend import storable
from arena.store.schema import METADATA

Progress = Callable[[int, int], None]
"""Called with the rows that are done, and all there are."""

_AT_ONCE: Final = 1_000


def copy_rows(migrations: Path, old: Connection, new: Connection, progress: Progress) -> int:
    """Make the tables in the new database and fill them from the old one; return how many rows there are.

    `old`: a SQLite database with the newest tables; `new`: an empty PostgreSQL database, within a transaction.

    Raises DataLossError (STORAGE): the new database does not hold what the old one does.
    """
    migrating.upgrade(migrations, new)
    tables = METADATA.sorted_tables
    rows = {table.name: old.execute(select(func.count()).select_from(table)).scalar_one() for table in tables}
    total, done = sum(rows.values()), 0
    for table in tables:
        for batch in _batches(old, table):
            _copy(new, table, batch)
            done += len(batch)
            progress(done, total)
        _continue_numbers(old, new, table)
        if _digest(old, table) != _digest(new, table):
            raise DataLossError(
                ErrorReason.STORAGE,
                f"The table {table.name} differs after it was copied, so nothing was changed. Please report it.",
            )
    return total


def _batches(connection: Connection, table: Table) -> Iterator[list[tuple[Any, ...]]]:
    """Yield all rows in the order of their keys."""
    ordered = select(table).order_by(*table.primary_key.columns)
    with connection.execution_options(yield_per=_AT_ONCE).execute(ordered) as result:
        for part in result.partitions(_AT_ONCE):
            yield [tuple(map(_storable, row)) for row in part]


def _storable(value: object) -> object:
    return storable(value) if isinstance(value, str) else value


def _copy(connection: Connection, table: Table, rows: list[tuple[Any, ...]]) -> None:
    columns = ", ".join(f'"{column.name}"' for column in table.columns)
    driver: Any = connection.connection
    with (
        closing(driver.cursor()) as cursor,
        cursor.copy(f'COPY "{table.name}" ({columns}) FROM STDIN') as copy,
    ):
        for row in rows:
            copy.write_row(row)


def _continue_numbers(old: Connection, new: Connection, table: Table) -> None:
    """Have the numbers that the database gives continue where the old one is: none is given twice."""
    (key, *others) = table.primary_key.columns
    if others or not isinstance(key.type, Integer) or key.foreign_keys:
        return
    last = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
    given = old.execute(last, {"name": table.name}).scalar_one_or_none()
    if given:
        forward = text("SELECT setval(pg_get_serial_sequence(:name, :key), :given)")
        new.execute(forward, {"name": table.name, "key": key.name, "given": given})


def _digest(connection: Connection, table: Table) -> str:
    digest = sha256()
    for batch in _batches(connection, table):
        for row in batch:
            digest.update(repr(row).encode())
    return digest.hexdigest()
