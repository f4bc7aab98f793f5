"""The house stands as docs/architecture.md draws it."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.checkout import ROOT, files, imports, python_files, text, tree

TOP_LEVEL = {
    ".ci", ".github", ".gitignore", "CHANGELOG.md", "LICENSE", "Makefile", "README.md", "arena", "benchmarks", "docs",
    "engine", "proto", "pyproject.toml", "sample_bots", "setup.py", "tests",
}  # fmt: skip

THIRD_PARTY = {
    "engine": {"mypy_extensions"},  # for mypy and mypyc alone, never at run time
    "arena/core": {"networkx", "numpy"},
    "arena/codecs": {"google"},
    "arena/drawings": {"rich"},
    "arena/pictures": {"rich"},
    "arena/match_log": {"google", "zstandard", "cryptography"},
    "arena/match_report": {"google", "rich"},
    "arena/store": {"sqlalchemy", "alembic", "psycopg", "structlog"},
    "arena/submissions": {"pathspec"},
    "arena/fair_play": set[str](),
    "arena/viewer": {"jinja2", "markupsafe", "rich"},
    "arena/pages": {"google", "grpc", "jinja2", "markupsafe", "starlette", "structlog", "uvicorn"},
    "arena/research": {"gymnasium", "numpy", "pettingzoo", "pyspiel"},
    "arena/dataset": {"google", "pyarrow"},
    "arena/runner": {"structlog"},
    "arena/sandbox": set[str](),
    "arena/sessions": set[str](),
    "arena/hosting": {"structlog"},
    "arena/scheduling": {"structlog"},
    "arena/server": {
        "cryptography",
        "google",
        "grpc",
        "grpc_health",
        "grpc_reflection",
        "grpc_status",
        "httpx",
        "prometheus_client",
        "ray",
        "structlog",
        "uvloop",
        "zstandard",
    },
    "arena/wire": {"google"},
    "arena/sdk": {"grpc", "google", "typing_extensions"},
    "arena/sdk/llm": {"httpx", "rich"},
    "arena/sdk/mcp": {"anyio", "mcp", "mcp_types", "pydantic"},
    "arena/replay": {"google", "grpc"},
    "arena/human": {"google", "rich"},
    "arena/conformance": {"cryptography", "google", "grpc"},
    "arena/cli": {"grpc", "google", "grpc_health", "typer", "click", "rich", "structlog"},
    "sample_bots/python": set[str](),
}

IMPURE = {
    "asyncio", "concurrent", "datetime", "multiprocessing", "random", "secrets", "select", "signal", "socket",
    "sqlite3", "subprocess", "threading", "time", "uuid",
}  # fmt: skip

MEANINGLESS = {"base", "common", "helper", "helpers", "lib", "misc", "tools", "util", "utils"}

HARD_FILE_LINES = 600
HARD_FUNCTION_LINES = 70


def test_the_contracts_of_the_import_arrows_are_kept() -> None:
    lint = Path(sys.executable).with_name("lint-imports")
    finished = subprocess.run(
        [lint, "--no-cache", "--no-logo"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr


@pytest.mark.parametrize("folder", THIRD_PARTY)
def test_packages_from_elsewhere_are_used_only_where_they_belong(folder: str) -> None:
    beside = {part for path in python_files("sample_bots") for part in Path(path).with_suffix("").parts}
    own = {"arena", "engine"} | beside
    within = tuple(
        f"{other}/" for other in THIRD_PARTY if other.startswith(f"{folder}/")
    )  # have rules of their own
    for path in (path for path in python_files(folder) if not path.startswith(within)):
        roots = {name.split(".")[0] for name in imports(path)}
        foreign = roots - own - sys.stdlib_module_names
        assert foreign <= THIRD_PARTY[folder], f"{path} imports {foreign - THIRD_PARTY[folder]}"


def test_only_the_process_that_is_in_a_cluster_needs_ray() -> None:
    """An arena without the extra [cluster] never imports it."""
    users = {
        path for path in python_files("arena") if any(name.split(".")[0] == "ray" for name in imports(path))
    }
    assert users == {"arena/server/cluster/client.py"}
    importers = {path for path in python_files("arena") if "arena.server.cluster.client" in imports(path)}
    assert importers == set()


@pytest.mark.parametrize("folder", ["engine", "arena/core"])
def test_the_pure_parts_have_no_clock_threads_sockets_or_randomness(folder: str) -> None:
    for path in python_files(folder):
        impure = {name.split(".")[0] for name in imports(path)} & IMPURE
        assert not impure, f"{path} imports {impure}"


def test_sample_bots_import_the_sdk_the_rules_and_the_codecs_alone_of_the_arena() -> None:
    allowed = ("arena.sdk", "arena.codecs", "arena.v1", "arena.games")
    for path in python_files("sample_bots"):
        of_the_arena = {name for name in imports(path) if name.startswith("arena.")}
        assert all(name.startswith(allowed) for name in of_the_arena), f"{path} imports {of_the_arena}"


def test_the_top_level_holds_what_the_architecture_names() -> None:
    assert {path.split("/")[0] for path in files()} <= TOP_LEVEL


def test_no_python_file_passes_the_hard_limit_of_lines() -> None:
    long = {path: len(text(path).splitlines()) for path in python_files()}
    assert not {path: lines for path, lines in long.items() if lines > HARD_FILE_LINES}


def test_no_function_passes_the_hard_limit_of_lines() -> None:
    found = []
    for path in python_files("arena", "engine", "sample_bots", ".ci"):
        if path.startswith("arena/store/migrations/versions/"):
            continue  # a migration is one list of tables
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > HARD_FUNCTION_LINES:
                    found.append(f"{path}:{node.lineno}: {node.name} has {lines} lines")
    assert not found


def test_every_module_says_by_its_name_what_it_holds() -> None:
    assert not [path for path in python_files() if Path(path).stem in MEANINGLESS]


def test_no_function_changes_the_state_of_a_module() -> None:
    found = [
        f"{path}:{node.lineno}"
        for path in python_files("arena", "engine", "sample_bots")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Global)
    ]
    assert not found
