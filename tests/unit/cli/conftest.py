from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from arena.cli.app import app
from tests.unit.cli.fake_arena import FakeArena, running_fake

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def _no_arena_in_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    variables = ("ADDRESS", "TOKEN", "DATA", "BOT_TOKEN", "PLAINTEXT")
    for name in (*(f"ARENA_{variable}" for variable in variables), "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ARENA_CONFIG", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def fake() -> Iterator[FakeArena]:
    with running_fake() as arena:
        yield arena


@pytest.fixture
def run() -> Run:
    """Return a function that runs a command line in this process; `typed`: its standard input."""

    def run_it(*args: str, typed: str = "") -> Result:
        return CliRunner().invoke(app, list(args), prog_name="arena", input=typed)

    return run_it


@pytest.fixture
def ask(fake: FakeArena, run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs a command line against the fake arena, with a token."""

    def ask_it(*args: str, typed: str = "") -> Result:
        monkeypatch.setenv("ARENA_TOKEN", "arn_test")
        return run("--server", fake.address, *args, typed=typed)

    return ask_it
