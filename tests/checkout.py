"""What belongs to this checkout: its files, and its Python files as syntax trees."""

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

GENERATED = ("arena/v1/", "arena/games/")

_NOT_OURS = {ROOT / name for name in ("build", "dist", "data")}


@cache
def files() -> tuple[str, ...]:
    """Paths of all files from the root: what git tracks or would track; without git, what is there."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        listed = [path.relative_to(ROOT).as_posix() for path in _walk(ROOT)]
    return tuple(sorted(path for path in listed if (ROOT / path).is_file()))


def _walk(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if not path.is_dir():
            yield path
        elif not _is_made(path):
            yield from _walk(path)


def _is_made(folder: Path) -> bool:
    """Whether tools have made the folder: environments, caches, builds."""
    hidden = folder.name.startswith(".") and folder.name not in {".ci", ".github"}
    return hidden or folder in _NOT_OURS or folder.name == "__pycache__" or folder.name.endswith(".egg-info")


def python_files(*folders: str) -> tuple[str, ...]:
    """Python files written by hand below these folders, all of them without."""
    chosen = tuple(f"{folder}/" for folder in folders) or ("",)
    return tuple(
        path
        for path in files()
        if path.endswith(".py") and path.startswith(chosen) and not path.startswith(GENERATED)
    )


def text(path: str) -> str:
    """Return the text of a file; empty if it is not UTF-8."""
    try:
        return (ROOT / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def tree(path: str) -> ast.Module:
    """Return the syntax tree of a Python file."""
    return ast.parse(text(path), path)


def imports(path: str) -> set[str]:
    """Dotted names of the modules a Python file imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names
