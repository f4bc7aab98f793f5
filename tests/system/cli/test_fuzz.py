"""Anything typed, and any bytes for a log: one sentence and an exit code that scripts know, never a traceback."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from arena.cli.app import app
from tests.any_message import Fuzz
from tests.checkout import ROOT
from tests.system.cli.test_help import COMMANDS as ALL_COMMANDS
from tests.unit.match_log.matches import KEY as SIGNING_KEY
from tests.unit.match_log.tamper import file_of, records_of, resigned

LOGS = ROOT / "tests" / "data" / "logs"
GOLDEN = (LOGS / "caravan-2-seats.arenalog").read_bytes()
RECORDS = records_of(GOLDEN)
KEY = LOGS / "arena.pub"

ODD = [
    *(
        "",
        " ",
        "-1",
        "0",
        "1",
        "17",
        "99999999999999999999",
        "1e9",
        "nan",
        "true",
        "\u202e",
        "é",
        "a" * 5_000,
    ),
    *("caravan", "bots/ant", "ladders/main", "matches/1", "no/such/file", "[red]", "a=b", "=", "%s"),
]
EXAMPLES = settings().max_examples
"""Of the profile in force: commands take longer than calls."""

LONG_RUNNING = {
    "serve",
    "demo",
    "simulate",
    "play",
    "compare",
    "bot run",
    "mcp",
    "cluster start",
    "cluster join",
}

COMMANDS = {words: command for words, command in ALL_COMMANDS.items() if " ".join(words) not in LONG_RUNNING}
"""Those that end by themselves."""


def run(*args: str) -> Result:
    """Run a command line in this process and check how it ended."""
    result = CliRunner().invoke(app, list(args), prog_name="arena")
    assert result.exception is None or isinstance(result.exception, SystemExit), (args, result.exception)
    assert result.exit_code in range(5), args
    assert "Traceback" not in result.output + result.stderr
    assert result.exit_code == 0 or result.output + result.stderr, args
    return result


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@settings(max_examples=EXAMPLES // 20)
@given(seed=st.integers(0, 2**64))
def test_anything_typed_is_understood_or_refused(words: tuple[str, ...], seed: int) -> None:
    random = Random(seed)
    args: list[str] = []
    for parameter in COMMANDS[words].params:
        if parameter.param_type_name == "argument":
            args += random.choices(ODD, k=random.choice([0, 1, 1, 1, 2]))
        elif parameter.name not in ("help", "server", "token", "data", "tls_ca") and random.random() < 0.4:
            args += [parameter.opts[0], *([] if parameter.is_flag else [random.choice(ODD)])]
    run("--server", "127.0.0.1:1", "--token", "arn_x", *words, *args)


@settings(max_examples=EXAMPLES // 5)
@given(seed=st.integers(0, 2**64))
def test_a_log_of_any_bytes_gets_a_verdict(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    random = Random(seed)
    fuzz = Fuzz(random)
    if random.random() < 0.4:
        data = fuzz.mutated(GOLDEN)
    else:
        records = list(RECORDS)
        for _ in range(random.randint(1, 2)):
            at = random.randrange(len(records))
            records[at : at + 1] = random.choice([[], [fuzz.mutated(records[at])], [records[at]] * 2])
        data = file_of(records) if random.random() < 0.5 else resigned(records[:-1], SIGNING_KEY)
    path = tmp_path_factory.getbasetemp() / "any.arenalog"
    path.write_bytes(data)
    verdict = run("log", "verify", "--key", str(KEY), str(path))
    assert verdict.exit_code != 0 or data == GOLDEN
    for command in ("show", "export"):
        run("log", command, str(path))
