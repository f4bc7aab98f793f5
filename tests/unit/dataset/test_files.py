"""Both formats hold the same rows."""

import json
from array import array
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.dataset.columns import Coded, Repeated, Rows, Values, rows_of
from arena.dataset.folder import DatasetFolder
from arena.dataset.schema import Column, DataFormat, Kind, Table
from arena.match_log.durable import UNFINISHED_SUFFIX

THING = Table(
    "thing",
    "a thing",
    (
        Column("number", Kind.INT, ""),
        Column("is_good", Kind.BOOL, ""),
        Column("text", Kind.TEXT, ""),
        Column("list", Kind.INTS, ""),
        Column("fixed", Kind.TEXT, ""),
        Column("missing", Kind.INT, ""),
    ),
)
RECORDS = st.lists(
    st.fixed_dictionaries(
        {
            "number": st.none() | st.integers(-(2**63), 2**63 - 1),
            "is_good": st.none() | st.booleans(),
            "text": st.none() | st.text(st.characters(codec="utf-8")),
            "list": st.none() | st.lists(st.integers(-(2**31), 2**31 - 1)),
        }
    ),
    min_size=1,
)


def read(folder: Path, data_format: DataFormat) -> list[dict[str, Any]]:
    """Return the rows of the table."""
    path = folder / f"thing.{data_format.value}"
    if data_format is DataFormat.PARQUET:
        return pyarrow.parquet.read_table(path).to_pylist()  # type: ignore[no-any-return]
    return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.mark.parametrize("data_format", DataFormat)
@settings(deadline=None)
@given(records=RECORDS, fixed=st.none() | st.text(st.characters(codec="utf-8")))
def test_rows_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory,
    data_format: DataFormat,
    records: list[dict[str, Any]],
    fixed: str | None,
) -> None:
    rows = rows_of(records)
    with DatasetFolder(tmp_path_factory.mktemp("out"), [THING], data_format) as folder:
        for _ in range(2):
            folder.write(THING, Rows(rows.count, {**rows.columns, "fixed": Repeated(fixed)}))
        path = folder.finish("done", {})
    expected = [{**record, "fixed": fixed, "missing": None} for record in records * 2]
    assert read(path, data_format) == expected


@pytest.mark.parametrize("data_format", DataFormat)
def test_arrays_and_codes_are_columns_too(tmp_path: Path, data_format: DataFormat) -> None:
    columns: dict[str, Values] = {
        "number": array("q", [5, -1, 2**40]),
        "text": Coded(array("q", [1, 0, 1]), ['a"b', "100 %"]),
    }
    with DatasetFolder(tmp_path, [THING], data_format) as folder:
        folder.write(THING, Rows(3, columns))
        path = folder.finish("done", {})
    rows = read(path, data_format)
    assert [(row["number"], row["text"]) for row in rows] == [(5, "100 %"), (-1, 'a"b'), (2**40, "100 %")]


def test_an_empty_parquet_table_has_its_columns(tmp_path: Path) -> None:
    with DatasetFolder(tmp_path, [THING], DataFormat.PARQUET) as folder:
        path = folder.finish("done", {})
    with duckdb.connect() as connection:
        described = connection.execute(f"DESCRIBE SELECT * FROM '{path / 'thing.parquet'}'").fetchall()
    assert [(row[0], row[1]) for row in described] == [
        ("number", "BIGINT"),
        ("is_good", "BOOLEAN"),
        ("text", "VARCHAR"),
        ("list", "INTEGER[]"),
        ("fixed", "VARCHAR"),
        ("missing", "BIGINT"),
    ]


@pytest.mark.parametrize("data_format", DataFormat)
def test_a_folder_that_is_not_finished_looks_unfinished_and_then_is_gone(
    tmp_path: Path, data_format: DataFormat
) -> None:
    class StoppedError(Exception):
        """Something that interrupts an export."""

    def stop() -> None:
        with DatasetFolder(tmp_path, [THING], data_format) as folder:
            folder.write(THING, Rows(1, {"number": [1]}))
            (unfinished,) = tmp_path.iterdir()
            assert unfinished.name.startswith(".")
            assert unfinished.name.endswith(UNFINISHED_SUFFIX)
            assert all(file.name.endswith(UNFINISHED_SUFFIX) for file in unfinished.iterdir())
            raise StoppedError

    with pytest.raises(StoppedError):
        stop()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_not_written_over_another(tmp_path: Path) -> None:
    (tmp_path / "done").mkdir()
    with (
        DatasetFolder(tmp_path, [THING], DataFormat.JSONL) as folder,
        pytest.raises(FileExistsError),
    ):
        folder.finish("done", {})
    assert [path.name for path in tmp_path.iterdir()] == ["done"]
