"""The stored data folder of an older arena, unpacked."""

import io
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Final

import zstandard

PACKED: Final = Path(__file__).resolve().parents[3] / "data" / "old_folder_0001" / "folder.tar.zst"

FINISHED: Final = (1, 2, 3, 7, 8, 9, 10, 11, 12, 13)
"""Its matches with a result."""
VOID: Final = (4, 5, 6)
"""Its matches that were cut off by the kill."""
STANDINGS: Final = [("cedar", 1_600_950, 8), ("basalt", 1_464_579, 10), ("amber", 1_434_471, 8)]
"""Bot, rating in thousandths of a point, rated matches: as its own arena showed them."""


def unpack_old_folder(target: Path) -> Path:
    """`target` is the folder as its own arena left it."""
    target.mkdir(mode=0o700)
    plain = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(PACKED.read_bytes())).read()
    with tarfile.open(fileobj=io.BytesIO(plain)) as archive:
        archive.extractall(target, filter="data")
    return target


def rows(database: Path, query: str) -> list[tuple[object, ...]]:
    """Return what a query gives, or change the database, without the arena's own code."""
    with closing(sqlite3.connect(database)) as connection, connection:
        return connection.execute(query).fetchall()


def no_progress(_done: int, _of: int) -> None:
    """Ignore the progress of a backup."""
