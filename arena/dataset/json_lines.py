"""Tables as JSON lines: one object a row, with all columns of the table."""

import json
from array import array
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from arena.dataset.columns import Coded, Repeated, Rows, Values
from arena.dataset.schema import Kind, Table

SUFFIX: Final = "jsonl"

_BUFFER_BYTES: Final = 1 << 20


class JsonLinesFile:
    """A table that is written row by row."""

    def __init__(self, path: Path, table: Table) -> None:
        """Create the file. Raises OSError."""
        self._table = table
        self._file = path.open("w", encoding="utf-8", newline="\n", buffering=_BUFFER_BYTES)

    def write(self, rows: Rows) -> None:
        """Append rows. Raises OSError."""
        fields: list[str] = []
        varying: list[Iterable[object]] = []
        for column in self._table.columns:
            values = rows.columns.get(column.name, Repeated(None))
            if isinstance(values, Repeated):
                shown = _json(values.value).replace("%", "%%")
            else:
                shown = "%s"
                varying.append(_shown(values, column.kind))
            fields.append(f'"{column.name}":{shown}')
        line = "{" + ",".join(fields) + "}\n"
        lines = [line % row for row in zip(*varying, strict=True)] if varying else [line % ()] * rows.count
        self._file.write("".join(lines))

    def close(self) -> None:
        """Write what is left. Raises OSError."""
        self._file.close()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _shown(values: Values, kind: Kind) -> Iterable[object]:
    """Return values whose str is JSON."""
    if isinstance(values, array):
        return values
    if isinstance(values, Coded):
        texts = [_json(each) for each in values.texts]
        return [texts[code] for code in values.codes]
    assert not isinstance(values, Repeated)
    show: Callable[[object], object] = _json
    if kind is Kind.INT:
        return ["null" if value is None else value for value in values]
    return map(show, values)
