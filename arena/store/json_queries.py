"""SQL that looks into JSON texts, in the words of either database."""

from typing import Any, Final

from sqlalchemy import ColumnElement, Integer, Text
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeEngine

LAST: Final = -1
"""In a path: the last element of a list."""


class elements_of(FunctionElement[Any]):  # noqa: N801
    """The elements of a list of texts or numbers, as rows: `elements_of(column).table_valued("value")`.

    `path`: of the list in a JSON text; empty: the text is the list.
    """

    name = "elements_of"
    inherit_cache = False

    def __init__(self, text: ColumnElement[Any], *path: str) -> None:
        self.path = path
        super().__init__(text)


class value_in(FunctionElement[Any]):  # noqa: N801
    """The value at a path in a JSON text; NULL if there is none. `LAST` is an element of a path, too."""

    name = "value_in"
    inherit_cache = False

    def __init__(
        self, text: ColumnElement[Any], *path: str | int, kind: type[TypeEngine[Any]] = Integer
    ) -> None:
        """`kind`: the type of the value, Integer or Text."""
        self.path = path
        self.type = kind()
        super().__init__(text)


class length_in(FunctionElement[int]):  # noqa: N801
    """The number of elements of the list at a path in a JSON text; NULL if there is none."""

    name = "length_in"
    inherit_cache = False
    type = Integer()

    def __init__(self, text: ColumnElement[Any], *path: str) -> None:
        self.path = path
        super().__init__(text)


_POSTGRESQL: Final = "postgresql"


def _sqlite_path(path: tuple[str | int, ...]) -> str:
    """Return a path as SQLite reads it, for example "$.matches[#-1].match"."""
    return "$" + "".join("[#-1]" if each == LAST else f".{each}" for each in path)


def _postgresql_path(path: tuple[str | int, ...]) -> str:
    """Return a path as PostgreSQL reads it, for example "{matches,-1,match}"."""
    return "{" + ",".join(map(str, path)) + "}"


@compiles(elements_of)
def _elements(element: elements_of, compiler: SQLCompiler, **options: Any) -> str:
    text = compiler.process(element.clauses, **options)
    return f"json_each({text}, '{_sqlite_path(element.path)}')"


@compiles(elements_of, _POSTGRESQL)
def _elements_postgresql(element: elements_of, compiler: SQLCompiler, **options: Any) -> str:
    text = compiler.process(element.clauses, **options)
    return f"jsonb_array_elements_text(CAST({text} AS jsonb) #> '{_postgresql_path(element.path)}')"


@compiles(value_in)
def _value(element: value_in, compiler: SQLCompiler, **options: Any) -> str:
    text = compiler.process(element.clauses, **options)
    return f"json_extract({text}, '{_sqlite_path(element.path)}')"


@compiles(value_in, _POSTGRESQL)
def _value_postgresql(element: value_in, compiler: SQLCompiler, **options: Any) -> str:
    text = compiler.process(element.clauses, **options)
    value = f"CAST({text} AS jsonb) #>> '{_postgresql_path(element.path)}'"
    return value if isinstance(element.type, Text) else f"CAST({value} AS BIGINT)"


@compiles(length_in)
def _length(element: length_in, compiler: SQLCompiler, **options: Any) -> str:
    text = compiler.process(element.clauses, **options)
    return f"json_array_length({text}, '{_sqlite_path(element.path)}')"


@compiles(length_in, _POSTGRESQL)
def _length_postgresql(element: length_in, compiler: SQLCompiler, **options: Any) -> str:
    text = compiler.process(element.clauses, **options)
    return f"jsonb_array_length(CAST({text} AS jsonb) #> '{_postgresql_path(element.path)}')"
