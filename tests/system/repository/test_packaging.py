"""What is installed works: data files come along, generated code meets its libraries, bot authors need few packages."""

import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from typing import Any

import pytest

from tests.checkout import GENERATED, ROOT, files, text

PROJECT: dict[str, Any] = tomllib.loads(text("pyproject.toml"))

ONLY_WITH_SERVER = [
    "alembic",
    "grpc_health",
    "grpc_reflection",
    "numpy",
    "prometheus_client",
    "sqlalchemy",
]

WITHOUT_THEM = f"""
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {ONLY_WITH_SERVER!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
"""


def version(words: str) -> tuple[int, ...]:
    return tuple(int(part) for part in words.split("."))


def lowest(requirement: str) -> tuple[int, ...]:
    """Return the lowest version of a package that pyproject.toml allows."""
    (line,) = [line for line in PROJECT["project"]["dependencies"] if re.match(rf"{requirement}\b", line)]
    found = re.search(r">=([\d.]+)", line)
    assert found is not None
    return version(found[1])


def generated_with(pattern: str) -> set[tuple[int, ...]]:
    sources = [text(path) for path in files() if path.startswith(GENERATED) and path.endswith(".py")]
    return {version(found) for source in sources for found in re.findall(pattern, source)}


@pytest.mark.parametrize(
    ("package", "written"),
    [
        ("protobuf", r"# Protobuf Python Version: ([\d.]+)"),
        ("grpcio", r"GRPC_GENERATED_VERSION = '([\d.]+)'"),
    ],
)
def test_the_oldest_version_of_a_library_that_is_allowed_can_load_the_generated_code(
    package: str, written: str
) -> None:
    assert lowest(package) >= max(generated_with(written))


@pytest.mark.parametrize("package", ["arena", "engine"])
def test_every_data_file_beside_the_code_is_in_the_wheel(package: str) -> None:
    globs = PROJECT["tool"]["setuptools"]["package-data"][package]
    data = [path.removeprefix(f"{package}/") for path in files() if path.startswith(f"{package}/")]
    left_out = [
        path
        for path in data
        if not path.endswith(".py")
        and not any(fnmatch(f"/{path}", f"*/{glob.split('/')[-1]}") for glob in globs)
    ]
    assert not left_out


def test_the_version_is_the_newest_of_the_changelog() -> None:
    released = re.search(r"^## \[(\d+\.\d+\.\d+)\]", text("CHANGELOG.md"), re.MULTILINE)
    assert released is not None
    assert released[1] == PROJECT["project"]["version"]


@pytest.mark.parametrize(
    "code",
    [
        "sys.argv = ['arena', '--help']; from arena.cli.app import main; main()",
        "sys.argv = ['arena', 'bot', 'run', '--help']; from arena.cli.app import main; main()",
        "import arena.sdk; print('Usage')",
    ],
)
def test_what_a_bot_author_uses_needs_nothing_of_the_server_extra(code: str) -> None:
    command = [sys.executable, "-c", f"{WITHOUT_THEM}\n{code}"]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    assert "Usage" in finished.stdout
