"""What the classes that read and write tables share: their connection, prepared statements, rows by name."""

from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import fields
from functools import cache
from types import MappingProxyType
from typing import Any, Final, TypeVar, cast

from sqlalchemy import (
    ColumnElement,
    Connection,
    CursorResult,
    Executable,
    Select,
    Table,
    insert,
    tuple_,
    update,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import ClauseElement

from arena.core.errors import AlreadyExistsError, ErrorReason, NotFoundError

T = TypeVar("T")
Values = Mapping[str, object]

_SQLITE: Final = sqlite.dialect(paramstyle="named")
"""Values by name, as in the dialect of PostgreSQL."""

_named_tuple: Final[Any] = namedtuple  # the type checker takes only classes that it knows
_NO_VALUES: Final[Values] = MappingProxyType({})


class Prepared:
    """A statement that every match or many calls need; the driver of the database runs it.

    Values are given as to `Connection.execute`: an INSERT or UPDATE sets the columns of their names. SQLAlchemy
    compiles the statement once for each set of names; run by it, the statement would take half as much time again
    (docs/dependencies.md). Results are as the driver has them: a truth value of sqlite3 is 0 or 1. Methods raise
    what the driver raises.
    """

    def __init__(self, statement: ClauseElement) -> None:
        self._statement = statement
        self._texts: dict[tuple[str, tuple[str, ...]], tuple[str, Values]] = {}
        """The SQL, and the values that the statement itself holds, by database and names of values."""
        self._row: Any = None
        """The named tuple of the columns, known after the first run."""

    def rows(self, connection: Connection, values: Values = _NO_VALUES) -> list[Any]:
        """Return all rows of the result, with their columns as attributes."""
        sql, fixed = self._text(connection, values)
        with closing(connection.connection.cursor()) as cursor:
            cursor.execute(sql, {**fixed, **values})
            if self._row is None:
                self._row = _named_tuple("Row", [column[0] for column in cursor.description])
            return list(map(self._row._make, cursor.fetchall()))

    def run(self, connection: Connection, values: Values) -> int:
        """Run it and return how many rows it has changed."""
        sql, fixed = self._text(connection, values)
        with closing(connection.connection.cursor()) as cursor:
            cursor.execute(sql, {**fixed, **values})
            return int(cursor.rowcount)

    def run_all(self, connection: Connection, many: Sequence[Values]) -> None:
        """Run it with each of these values, all of the same names."""
        if many:
            sql, fixed = self._text(connection, many[0])
            with closing(connection.connection.cursor()) as cursor:
                cursor.executemany(sql, [{**fixed, **values} for values in many])

    def _text(self, connection: Connection, values: Values) -> tuple[str, Values]:
        names = tuple(values)
        key = connection.dialect.name, names
        if key not in self._texts:
            dialect = _SQLITE if connection.dialect.name == _SQLITE.name else connection.dialect
            compiled = self._statement.compile(
                dialect=dialect, column_keys=list(names), compile_kwargs={"render_postcompile": True}
            )
            assert isinstance(compiled, SQLCompiler)
            required = {name for name, bind in compiled.binds.items() if bind.required}
            fixed = {name: value for name, value in compiled.params.items() if name not in required}
            self._texts[key] = str(compiled), fixed
        return self._texts[key]


class Repository:
    """Access to the rows of some tables within the transaction of a connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def _first(self, query: Executable | Prepared, make: Callable[[Any], T], **values: object) -> T | None:
        """Return what `make` makes of the query's first row; None if it has none."""
        return next(iter(self._all(query, make, **values)), None)

    def _all(self, query: Executable | Prepared, make: Callable[[Any], T], **values: object) -> tuple[T, ...]:
        """Return what `make` makes of each row of the query; `values` are those of its bound parameters."""
        if isinstance(query, Prepared):
            return tuple(map(make, query.rows(self._connection, values)))
        return tuple(map(make, self._connection.execute(query, values)))

    def _page(
        self,
        query: Select[Any],
        *order: ColumnElement[Any],
        after: object,
        limit: int,
        make: Callable[[Any], T],
        descending: bool = False,
    ) -> tuple[T, ...]:
        """Return rows in the order of these columns, those that come after `after`; None: the first.

        `after`: the value of the column, or a tuple of those of all.
        """
        if after is not None:
            place = after if isinstance(after, tuple) else (after,)
            query = query.where(tuple_(*order) < place if descending else tuple_(*order) > place)
        ordered = query.order_by(*(column.desc() if descending else column for column in order))
        return self._all(ordered.limit(limit), make)

    def _number(self, query: Select[int] | Prepared, **values: object) -> int:
        """Return the one number that the query asks for; `values` are those of its bound parameters."""
        if isinstance(query, Prepared):
            ((number,),) = query.rows(self._connection, values)
            return int(number)
        return int(self._connection.execute(query, values).scalar_one())

    def _insert(self, table: Table, /, **values: object) -> CursorResult[Any]:
        """Store a row."""
        return self._connection.execute(insert(table).values(**values))

    def _update(self, table: Table, *where: ColumnElement[bool], **values: object) -> None:
        """Change the rows for which all of `where` holds."""
        self._connection.execute(update(table).where(*where).values(**values))


def found(
    value: T | None, reason: ErrorReason, kind: str, id_: object, *, listing: str = "", **more: str
) -> T:
    """Return the value. Raises NotFoundError if it is None.

    `kind`: of resource, for example "bot"; `listing`: the command that shows all; `more`: other metadata.
    """
    if value is None:
        sentence = f"There is no {kind} {id_}; `arena {listing or f'{kind} list'}` shows all."
        raise NotFoundError(reason, sentence, **more, **{kind: str(id_)})
    return value


def check_new(known: object, reason: ErrorReason, kind: str, id_: str) -> None:
    """Raise AlreadyExistsError unless `known` is None. `kind`: of resource, for example "bot"."""
    if known is not None:
        sentence = f"The {kind} {id_} exists already; choose another name."
        raise AlreadyExistsError(reason, sentence, **{kind: id_})


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


def row_values(plain: Any, /, **converted: object) -> dict[str, object]:
    """Return the fields of a dataclass by name, those in `converted` replaced. `asdict` would copy each value."""
    kind: Any = type(plain)
    return {name: getattr(plain, name) for name in _names(kind)} | converted


def from_row(kind: type[T], row: Any, /, **converted: object) -> T:
    """Return a dataclass with the row's columns of the same names, those in `converted` replaced."""
    names = _names(cast(Any, kind))
    same = {name: getattr(row, name) for name in names if name not in converted}
    return kind(**same, **converted)
