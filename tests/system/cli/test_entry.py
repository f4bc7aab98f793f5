"""The first moments of the command `arena`."""

import signal
import socket
import tomllib

import pytest

from tests.checkout import text
from tests.unit.cli.programs import finish, start

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


def test_the_command_begins_there() -> None:
    assert tomllib.loads(text("pyproject.toml"))["project"]["scripts"] == {"arena": "arena.cli.entry:main"}


def test_what_begins_there_is_the_command_line() -> None:
    code, out, _ = finish(start("--version", code="from arena.cli.entry import main\nmain()"))
    assert code == 0
    assert out.startswith("caravan-arena ")


def test_a_port_that_is_taken_is_one_sentence_without_lines_of_grpc(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        code, _, err = finish(start("serve", "--data", str(tmp_path / "data"), "--port", str(port)))

    assert code == 1
    assert str(port) in err
    assert len(err.splitlines()) == 1, err
