"""Tables as Parquet files, with pyarrow (the extra [data])."""

from array import array
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from arena.dataset.columns import Coded, Repeated, Rows, Values
from arena.dataset.schema import SCHEMA, Kind, Table

SUFFIX: Final = "parquet"

_ROW_GROUP: Final = 200_000
"""Rows that are written together."""

_TYPES: Final = {
    Kind.INT: pa.int64(),
    Kind.BOOL: pa.bool_(),
    Kind.TEXT: pa.string(),
    Kind.INTS: pa.list_(pa.int32()),
}


class ParquetFile:
    """A table that is written in row groups."""

    def __init__(self, path: Path, table: Table) -> None:
        """Create the file. Raises OSError."""
        self._table = table
        fields = [pa.field(column.name, _TYPES[column.kind]) for column in table.columns]
        self._schema = pa.schema(fields, metadata={"caravan_arena.schema": str(SCHEMA)})
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd")
        self._waiting: list[Any] = []
        self._rows = 0

    def write(self, rows: Rows) -> None:
        """Append rows. Raises OSError."""
        columns = [
            _array(rows.columns.get(column.name, Repeated(None)), rows.count, _TYPES[column.kind])
            for column in self._table.columns
        ]
        self._waiting.append(pa.RecordBatch.from_arrays(columns, schema=self._schema))
        self._rows += rows.count
        if self._rows >= _ROW_GROUP:
            self._flush()

    def close(self) -> None:
        """Write what is left, and the end of the file. Raises OSError."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._waiting:
            self._writer.write_table(pa.Table.from_batches(self._waiting), row_group_size=_ROW_GROUP)
        self._waiting, self._rows = [], 0


def _array(values: Values, count: int, kind: Any) -> Any:
    if isinstance(values, Repeated):
        return pa.repeat(pa.scalar(values.value, kind), count)
    if isinstance(values, array):
        return pa.Array.from_buffers(kind, count, [None, pa.py_buffer(values)])
    if isinstance(values, Coded):
        codes = pa.Array.from_buffers(pa.int64(), count, [None, pa.py_buffer(values.codes)])
        return pa.DictionaryArray.from_arrays(codes, pa.array(values.texts, kind)).cast(kind)
    return pa.array(values, kind)
