"""The folder of a data set: a file for each table and a data card, complete or not there."""

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import file_digest
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol, Self

from arena.dataset.card import CARD, card_text
from arena.dataset.columns import Rows
from arena.dataset.json_lines import JsonLinesFile
from arena.dataset.schema import SCHEMA, DataFormat, Table
from arena.match_log.durable import UNFINISHED_SUFFIX, sync_folder


class TableFile(Protocol):
    """The file of a table."""

    def write(self, rows: Rows) -> None:
        """Append rows. Raises OSError."""

    def close(self) -> None:
        """Complete the file. Raises OSError."""


class DatasetFolder:
    """A folder that is being written beside its place. Use it in a `with` statement; without `finish` nothing is left.

    Until it is complete, its name begins with a dot and ends in `.unfinished`, and so do the names of its files.
    """

    def __init__(self, parent: Path, tables: Sequence[Table], data_format: DataFormat) -> None:
        """`parent`: the folder that it will be in; made if it is missing. Raises OSError, ImportError (pyarrow)."""
        open_file = _file_type(data_format)
        self._is_new = not parent.exists()
        parent.mkdir(parents=True, exist_ok=True)
        self._parent = parent
        self._format = data_format
        self._path = Path(tempfile.mkdtemp(prefix=".", suffix=UNFINISHED_SUFFIX, dir=parent))
        self.counts: Counter[str] = Counter({table.name: 0 for table in tables})
        """Rows by table."""
        self._files: dict[str, TableFile] = {}
        self._paths = {table.name: self._path / f"{table.name}.{data_format.value}" for table in tables}
        try:
            for table in tables:
                self._files[table.name] = open_file(_unfinished(self._paths[table.name]), table)
        except BaseException:
            self._remove()
            raise

    def write(self, table: Table, rows: Rows) -> None:
        """Append rows to a table. Raises OSError."""
        if rows.count:
            self._files[table.name].write(rows)
            self.counts[table.name] += rows.count

    def finish(self, name: str, card: Mapping[str, Any]) -> Path:
        """Complete the files, add the card, and give the folder its name; return its path.

        `card`: what it says beside schema, format, tables and files. Raises OSError, FileExistsError if there is one.
        """
        target = self._parent / name
        if target.exists():
            raise FileExistsError(f"{target} exists already: name another folder")
        for file in self._files.values():
            file.close()
        self._files = {}
        document = {
            "schema": SCHEMA,
            "format": self._format.value,
            **card,
            "rows": dict(self.counts),
            "files": {path.name: _described(_unfinished(path)) for path in self._paths.values()},
        }
        unfinished_card = _unfinished(self._path / CARD)
        unfinished_card.write_text(card_text(document), encoding="utf-8")
        for path in (*self._paths.values(), self._path / CARD):
            with _unfinished(path).open("rb") as written:
                os.fsync(written.fileno())
            _unfinished(path).replace(path)
        self._path.chmod(_READABLE & ~_umask())
        sync_folder(self._path)
        self._path.rename(target)
        sync_folder(self._parent)
        return target

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._remove()

    def _remove(self) -> None:
        for file in self._files.values():
            with suppress(OSError, ValueError):  # what it holds is not needed any more
                file.close()
        shutil.rmtree(self._path, ignore_errors=True)
        if self._is_new:
            with suppress(OSError):  # it is not empty: the data set is in it
                self._parent.rmdir()


_READABLE: Final = 0o777


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _file_type(data_format: DataFormat) -> Any:
    if data_format is DataFormat.JSONL:
        return JsonLinesFile
    from arena.dataset.parquet import ParquetFile

    return ParquetFile


def _unfinished(path: Path) -> Path:
    return path.with_name(path.name + UNFINISHED_SUFFIX)


def _described(path: Path) -> dict[str, object]:
    with path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    return {"bytes": path.stat().st_size, "sha256": digest}
