"""Every command explains itself, at once and without what only a server needs."""

from collections.abc import Iterator
from typing import Any

import pytest
import typer

from arena.cli.app import app
from tests.checkout import ROOT
from tests.unit.cli.programs import finish, start

WITHOUT_SERVER_PACKAGES = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"sqlalchemy", "alembic", "numpy", "grpc_health", "grpc_reflection", "grpc_status",
                                  "prometheus_client"} or name == "google.rpc":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
sys.argv = ["arena", *sys.argv[1:]]
from arena.cli.app import main
try:
    main()
finally:
    heavy = [name for name in ("arena.server", "arena.store", "arena.match_log", "arena.runner") if name in sys.modules]
    print("HEAVY", heavy, file=sys.stderr)
"""


LOG = str(ROOT / "tests" / "data" / "logs" / "caravan-2-seats.arenalog")
KEY = str(ROOT / "tests" / "data" / "logs" / "arena.pub")


def commands(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every command with its words."""
    for word, part in group.commands.items():
        if hasattr(part, "commands"):
            yield from commands(part, (*words, word))
        else:
            yield (*words, word), part


COMMANDS = dict(commands(typer.main.get_command(app)))


def bare(*args: str) -> tuple[int, str, str]:
    """Run a command line in an environment with the base install alone."""
    return finish(start(*args, code=WITHOUT_SERVER_PACKAGES))


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_has_help_and_an_example_that_begins_with_the_command(run, words):
    result = run(*words, "--help")

    assert result.exit_code == 0
    assert f"Example: arena {' '.join(words)}" in " ".join(result.output.split())


def test_the_groups_of_the_command_line_are_all_there():
    assert {words[0] for words in COMMANDS} == {
        "serve", "demo", "play", "simulate", "games", "bot", "token", "ladder", "match", "log", "data", "doctor",
        "tournament", "challenge", "conformance", "user", "audit",
    }  # fmt: skip
    assert {words[1] for words in COMMANDS if words[0] == "bot"} == {
        "create", "list", "show", "token", "run", "hide", "pack", "submit", "submissions", "versions",
        "host", "refuse-challenges",
    }  # fmt: skip


@pytest.mark.parametrize("args", [(), ("--help",), ("bot", "run", "--help"), ("log", "verify", "--help")])
def test_help_needs_no_server_package_and_loads_nothing_of_the_server(args):
    _, out, err = bare(*args)

    assert "Usage: arena" in out
    assert "HEAVY []" in err


@pytest.mark.parametrize("args", [("serve",), ("doctor",), ("data", "backup", "x.tar", "--data", "x")])
def test_a_command_that_needs_the_server_packages_says_what_to_install(args):
    code, _, err = bare(*args)

    assert code == 1
    assert "caravan-arena[server]" in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "args",
    [
        ("show", LOG),
        ("explain", LOG),
        ("export", LOG),
        ("verify", LOG, "--key", KEY),
        ("replay", LOG, "--bot", "random", "--from-ply", "180"),
    ],
    ids=lambda args: args[0],
)
def test_logs_are_read_verified_and_replayed_with_the_base_install(args: tuple[str, ...]) -> None:
    code, out, err = bare("log", *args)

    # Where a bot decides otherwise than recorded, a replay ends with 1.
    assert code == (1 if args[0] == "replay" else 0), err
    assert out


def test_matches_are_simulated_with_the_base_install():
    code, out, err = bare("simulate", "caravan", "--seats", "2", "--matches", "1", "--seed", "07" * 32)

    assert code == 0, err
    assert "matches  1" in out


def test_the_version_is_printed(run):
    result = run("--version")

    assert result.exit_code == 0
    assert result.output.startswith("caravan-arena ")
    assert result.output.endswith(", engine plain Python\n")
