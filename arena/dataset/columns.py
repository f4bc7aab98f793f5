"""Rows of a table, column by column."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Repeated:
    """A column with the same value in all rows."""

    value: object


@dataclass(frozen=True, slots=True)
class Coded:
    """A column of texts of which few differ: row n has `texts[codes[n]]`."""

    codes: "array[int]"
    texts: Sequence[str]


Values: TypeAlias = "Sequence[object] | array[int] | Repeated | Coded"
"""The values of a column; an array (typecode "q") has no nulls."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows of a table. A column that is not named is null."""

    count: int
    columns: Mapping[str, Values]


def rows_of(records: Sequence[Mapping[str, object]]) -> Rows:
    """Return records, all of which have the same fields, as rows."""
    names = records[0] if records else {}
    return Rows(len(records), {name: [record[name] for record in records] for name in names})


def repeated(values: Iterable[object], times: Iterable[int]) -> "array[int]":
    """Return each value as often as `times` says."""
    found = array("q")
    for value, count in zip(values, times, strict=True):
        found.extend(repeat(value, count))  # type: ignore[arg-type]
    return found
