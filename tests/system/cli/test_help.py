"""Every command explains itself, at once and without what only a server needs."""

import signal
import socket
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from arena.cli.app import ENTRIES, app
from arena.cli.framework.command_tree import Entry
from engine.registry import GAMES
from tests.checkout import ROOT, text
from tests.unit.cli.programs import finish, start

WITHOUT_SERVER_PACKAGES = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"sqlalchemy", "alembic", "numpy", "grpc_health", "grpc_reflection", "grpc_status",
                                  "prometheus_client", "uvloop"}:
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
    assert "<bool>" not in result.output
    assert f"Example: arena {' '.join(words)}" in " ".join(result.output.split())


def test_the_groups_of_the_command_line_are_all_there():
    assert {words[0] for words in COMMANDS} == set(IMPORTED) == {
        "serve", "demo", "play", "compare", "simulate", "games", "bot", "token", "ladder", "match", "log", "data",
        "doctor", "tournament", "challenge", "conformance", "user", "audit", "pages", "event", "season", "gate",
        "cluster", "llm", "mcp", "invite", "join", "account", "class", "team", "announcement", "webhook",
    }  # fmt: skip
    assert {words[1] for words in COMMANDS if words[0] == "bot"} == {
        "create", "list", "show", "token", "run", "play", "hide", "pack", "submit", "submissions", "versions",
        "runtimes", "host", "refuse-challenges", "record", "standings",
    }  # fmt: skip


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry.name for entry in ENTRIES])
def test_the_help_lists_what_a_command_says_of_itself_without_importing_it(entry: Entry) -> None:
    assert entry.load().help.split("\n\n")[0].replace("\n", " ") == entry.help


SLOW_TO_IMPORT = {
    "asyncio", "grpc", "networkx", "numpy", "pathspec", "pydantic", "rich.markdown", "sqlalchemy", "starlette",
    "arena.pages", "arena.runner", "arena.sandbox", "arena.sdk", "arena.server", "arena.store", "arena.wire",
    *(f"engine.{game}" for game in GAMES),
}  # fmt: skip
"""What costs a command 10 ms or more of CPU at its start."""

CALLING = {"asyncio", "grpc"}
"""What every command needs that may call an arena; grpc itself imports asyncio."""

IMPORTED = {
    "account": CALLING,
    "announcement": CALLING | {"arena.wire"},
    "audit": CALLING | {"arena.wire"},
    "bot": CALLING | {"arena.wire", "arena.sandbox"},
    "challenge": CALLING | {"arena.wire"},
    "class": CALLING | {"arena.wire"},
    "cluster": CALLING | {"arena.wire"},
    "compare": CALLING | {"arena.wire"},
    "conformance": CALLING,
    "data": CALLING,
    "demo": CALLING | {"arena.wire"},
    "doctor": CALLING,
    "event": CALLING | {"arena.wire", "arena.sdk"},
    "games": CALLING | {"arena.wire"},
    "gate": CALLING | {"arena.wire"},
    "webhook": CALLING | {"arena.wire"},
    "invite": CALLING | {"arena.wire"},
    "join": CALLING | {"arena.wire"},
    "team": CALLING | {"arena.wire"},
    "ladder": CALLING | {"arena.wire"},
    "llm": CALLING,
    "log": CALLING | {"arena.wire"},
    "match": CALLING | {"arena.wire"},
    "mcp": CALLING | {"arena.wire"},
    "pages": CALLING | {"arena.wire", "arena.sdk", "arena.pages"},
    "play": CALLING | {"arena.wire"},
    "season": CALLING | {"arena.wire"},
    "serve": CALLING,
    "simulate": CALLING,
    "token": CALLING | {"arena.wire"},
    "tournament": CALLING | {"arena.wire"},
    "user": CALLING | {"arena.wire"},
}

LOADS = f"""
import sys
from arena.cli.app import ENTRIES
for entry in ENTRIES:
    if entry.name in sys.argv[1:]:
        entry.load()
print(*({SLOW_TO_IMPORT} & set(sys.modules)))
"""


@pytest.mark.parametrize("name", ["", *IMPORTED])
def test_a_command_imports_nothing_slow_that_it_does_not_need(name: str) -> None:
    code, out, err = finish(start(name, code=LOADS))
    assert (code, set(out.split())) == (0, IMPORTED.get(name, set())), err


NOT_FOR_A_BOT = {
    "importlib.metadata",
    "zipfile",
    "pydantic",
    "rich",
    "sqlalchemy",
    "structlog",
    "typer",
    "yaml",
}
"""What no Python bot has to import before it connects: each costs it 2 ms or more of CPU at its start."""

NOT_FOR_A_BOTS_CLASS = {*NOT_FOR_A_BOT, "asyncio", "grpc"}
"""What is not needed either before `run`: half of the time of all that a program needs."""


@pytest.mark.parametrize(
    ("module", "unneeded"), [("arena.sdk", NOT_FOR_A_BOTS_CLASS), ("arena.sdk.program", NOT_FOR_A_BOT)]
)
def test_the_sdk_imports_little_and_its_program_grpc_besides(module: str, unneeded: set[str]) -> None:
    code, out, err = finish(start(code=f"import sys, {module}\nprint(*({unneeded} & set(sys.modules)))"))
    assert (code, out.split()) == (0, []), err


SIMULATED = f"simulate caravan --seats 2 --matches 1 --seed {'07' * 32}"
BARE = [
    ("", 2, "Usage: arena", "HEAVY []"),
    ("--help", 0, "Usage: arena", "HEAVY []"),
    ("bot run --help", 0, "Usage: arena", "HEAVY []"),
    ("log verify --help", 0, "Usage: arena", "HEAVY []"),
    ("serve", 1, "", "pip install '.[server]'"),
    ("doctor", 1, "", "pip install '.[server]'"),
    ("data backup x.tar --data x", 1, "", "pip install '.[server]'"),
    ("play caravan random random", 1, "", "pip install '.[server]'"),
    (f"log show {LOG}", 0, "FINAL_DELIVERY", ""),
    (f"log explain {LOG}", 0, "FINAL_DELIVERY", ""),
    (f"log export {LOG}", 0, "footer", ""),
    (f"log verify {LOG} --key {KEY}", 0, "verified", ""),
    (f"log replay {LOG} --bot random --from-ply 180", 1, "first difference", ""),
    (SIMULATED, 0, "matches  1", ""),
]
"""Commands, their exit code, and what is on standard output and standard error."""


@pytest.mark.parametrize(("command", "code", "shown", "noted"), BARE, ids=[row[0][:20] for row in BARE])
def test_a_command_without_the_server_packages_works_or_names_them(command, code, shown, noted):
    ended, out, err = bare(*command.split())

    assert (ended, shown in out, noted in err) == (code, True, True), out + err
    assert "Traceback" not in err


def test_the_version_is_printed(run):
    result = run("--version")

    assert result.exit_code == 0
    assert result.output.startswith("caravan-arena ")
    assert result.output.endswith(", engine plain Python\n")


INTERRUPTED_AT = """
import os, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == MODULE:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
from arena.cli.entry import main
main()
"""


@pytest.mark.parametrize("module", ["arena.cli.app", "grpc", "typer"])
def test_ctrl_c_while_modules_are_imported_prints_no_traceback(module: str) -> None:
    process = start("games", "list", code=f"MODULE = {module!r}\n{INTERRUPTED_AT}")
    assert finish(process) == (128 + signal.SIGINT, "", "")


def test_the_installed_command_has_this_entry_point() -> None:
    assert tomllib.loads(text("pyproject.toml"))["project"]["scripts"] == {"arena": "arena.cli.entry:main"}


def test_the_entry_point_runs_the_command_line() -> None:
    code, out, _ = finish(start("--version", code="from arena.cli.entry import main\nmain()"))
    assert code == 0
    assert out.startswith("caravan-arena ")


def test_a_port_in_use_is_reported_in_one_line(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        code, _, err = finish(start("serve", "--data", str(tmp_path / "data"), "--port", str(port)))

    assert code == 1
    assert str(port) in err
    assert len(err.splitlines()) == 1, err
