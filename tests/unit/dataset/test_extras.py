"""The libraries of data sets come with their extra alone."""

import tomllib

from tests.checkout import imports, python_files, text
from tests.unit.research.test_extras import names


def test_neither_a_bot_author_nor_an_arena_gets_them() -> None:
    project = tomllib.loads(text("pyproject.toml"))["project"]
    extras = project["optional-dependencies"]
    assert names(extras["data"]) == {"pyarrow"}
    for ours in ({"pyarrow"}, {"duckdb", "pandas", "polars"}):
        assert not ours & (names(project["dependencies"]) | names(extras["server"]))
        assert ours <= names(extras["dev"])


def test_one_module_imports_pyarrow_and_no_module_its_readers() -> None:
    users = {path: {name.split(".")[0] for name in imports(path)} for path in python_files("arena", "engine")}
    assert [path for path, roots in users.items() if "pyarrow" in roots] == ["arena/dataset/parquet.py"]
    assert not [path for path, roots in users.items() if roots & {"duckdb", "pandas", "polars"}]
