"""The guide can be followed: its example, added to a copy of the checkout as it says, is tested and played."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.checkout import ROOT, files, text

GUIDE = "docs/adding_a_game.md"
GAME = "nim"

Run = Callable[..., str]


def examples() -> dict[str, str]:
    """Return the files that the guide prints, by path: a block of code below a line that holds the path alone."""
    found = re.findall(r"^\*\*`([^`]+)`\*\*\n\n```\w+\n(.*?)^```$", text(GUIDE), re.MULTILINE | re.DOTALL)
    return dict(found)


def with_lines_of_the_game(registry: str, games: str, changelog: str) -> tuple[str, str, str]:
    """Return the three shared files with what the guide says of each."""
    registry = registry.replace(",\n)\n", f',\n    "{GAME}",\n)\n')

    def and_the_game(last: re.Match[str]) -> str:
        number = int(last["number"]) + 1
        return (
            f"{last[0]}    // Nim, 2 seats.\n    arena.games.{GAME}.v1.{last['message']} {GAME} = {number};\n"
        )

    last_member = r"    arena\.games\.\w+\.v1\.(?P<message>\w+) \w+ = (?P<number>\d+);\n(?=  \})"
    games = re.sub(last_member, and_the_game, games)
    games = games.replace("\noption ", f'import "arena/games/{GAME}/v1/{GAME}.proto";\n\noption ', 1)
    changelog = changelog.replace("| rules of ", f"| rules of `{GAME}` | 1 |\n| rules of ", 1)
    return registry, games, changelog


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a copy of the checkout with the example added."""
    folder = tmp_path_factory.mktemp("fifth") / "checkout"
    for path in files():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, folder / path)
    for path, content in examples().items():
        assert not (folder / path).exists(), path
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content + "\n" * path.endswith(".txt"), encoding="utf-8")
    shared = ("engine/registry.py", "proto/arena/v1/games.proto", "CHANGELOG.md")
    for path, content in zip(shared, with_lines_of_the_game(*map(text, shared)), strict=True):
        (folder / path).write_text(content, encoding="utf-8")
    run_in(folder)(".ci/generate.py")
    return folder


def run_in(folder: Path) -> Run:
    """Run Python in a folder, which must succeed; return what it printed."""

    def run(*args: str, **environment: str) -> str:
        done = subprocess.run(
            [sys.executable, *args],
            cwd=folder,
            env={"PATH": str(Path(sys.executable).parent), "PYTHONPATH": str(folder), **environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def test_the_example_passes_what_every_game_has_to_pass(copy: Path) -> None:
    run = run_in(copy)
    tests = (
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-k",
        f"{GAME} or names_a_game or import_each_other",
    )
    run(*tests, "tests/unit/contract", UPDATE_GOLDENS="1")
    own = [path for path in examples() if Path(path).name.startswith("test_")]
    told = run(
        *tests,
        "tests/unit/contract",
        "tests/unit/repository/test_what_a_game_owns.py",
        "tests/unit/repository/test_docs.py",
        *own,
    )
    assert re.search(r"\d+ passed", told)


def test_the_example_keeps_the_promise_and_the_style(copy: Path) -> None:
    run = run_in(copy)
    run(".ci/promise.py")
    own = [path for path in examples() if path.endswith(".py")]
    run("-m", "ruff", "check", "--no-cache", *own)
    run("-m", "ruff", "format", "--no-cache", "--check", *own)


def test_the_example_is_played_over_the_wire_by_its_own_bot_and_by_random(copy: Path) -> None:
    arena = ("-m", "arena.cli.app")
    run_in(copy)(*arena, "play", GAME, "random", "bouton", "--seed", "00" * 32, "--log", "one.arenalog")
    story = run_in(copy)(*arena, "log", "show", "one.arenalog")
    assert "Match 1: Nim, 2 seats" in story
    assert "LAST_STONE" in story
