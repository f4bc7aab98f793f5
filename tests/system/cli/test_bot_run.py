"""`arena bot run`: a bot's process has an address and a token, is started again when it dies, and leaves nothing."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from arena.cli.bot.run_token import bot_environment
from arena.cli.bot.supervisor import FINAL_CODES, backoff, supervise
from arena.cli.framework.processes import Child
from tests.system.cli.test_processes import gone
from tests.unit.cli.fake_arena import FakeArena, Refusal
from tests.unit.cli.programs import finish, start
from tests.unit.cli.screens import check_screen

COUNTED = """
import os, sys
from pathlib import Path
runs = Path(sys.argv[1])
with runs.open("a") as file:
    file.write("x")
number = len(runs.read_text())
{then}
"""


class Bot:
    """A program that notes its runs, and what the supervisor says of it."""

    def __init__(self, folder: Path, then: str) -> None:
        self.runs = folder / "runs"
        self.said: list[str] = []
        self._command = [sys.executable, "-c", COUNTED.format(then=then), str(self.runs)]

    def supervise(self, pauses: Iterator[float] | None = None) -> int:
        def begin() -> Child:
            return Child("greedy", self._command, environment=os.environ)

        return supervise(begin, self.said.append, pauses=lambda: pauses or iter([0.0] * 10))

    @property
    def times(self) -> int:
        """How often it was started."""
        return len(self.runs.read_text())


def test_a_bot_that_dies_is_started_again_with_a_sentence_each_time(tmp_path):
    bot = Bot(tmp_path, "sys.exit(1 if number < 3 else 0)")

    assert bot.supervise() == 0
    assert bot.times == 3
    check_screen("bot_run/restarts", "\n".join(bot.said))


@pytest.mark.parametrize(
    ("then", "how"), [("os.kill(os.getpid(), 9)", "signal SIGKILL"), ("sys.exit(2)", "exit code 2")]
)
def test_a_bot_that_is_killed_or_panics_is_started_again(tmp_path, then, how):
    """A panic in Go ends with exit code 2."""
    bot = Bot(tmp_path, f"number < 2 and {then}")

    assert (bot.supervise(), bot.times) == (0, 2)
    assert how in bot.said[0]


@pytest.mark.parametrize("code", FINAL_CODES)
def test_a_bot_that_is_done_or_refused_is_not_started_again(tmp_path, code):
    bot = Bot(tmp_path, f"sys.exit({code})")

    assert (bot.supervise(), bot.times) == (code, 1)


def test_the_pauses_grow_from_one_second_to_thirty():
    pauses = backoff()

    assert [next(pauses) for _ in range(7)] == [1, 2, 4, 8, 16, 30, 30]


def test_a_signal_is_passed_on_and_a_bot_that_leaves_is_not_started_again(tmp_path):
    bot = Bot(
        tmp_path,
        "import signal; signal.signal(signal.SIGTERM, lambda *_: sys.exit(9));"
        "os.kill(os.getppid(), 15); signal.pause()",
    )

    assert bot.supervise() == 0
    assert bot.times == 1
    check_screen("bot_run/stopped", "\n".join(bot.said))


def test_a_second_signal_kills_a_bot_that_does_not_leave(tmp_path):
    bot = Bot(
        tmp_path,
        "import signal; signal.signal(signal.SIGTERM, lambda *_: os.kill(os.getppid(), 2));"
        "os.kill(os.getppid(), 15)\nwhile True: signal.pause()",
    )

    assert bot.supervise() == 0
    assert "signal SIGKILL" in bot.said[-1]


def test_a_signal_ends_the_pause_before_the_next_start(tmp_path):
    bot = Bot(tmp_path, "os.kill(os.getppid(), 15) if number == 2 else None; sys.exit(1)")

    def pauses() -> Iterator[float]:
        yield 0.0
        os.kill(os.getpid(), signal.SIGTERM)
        yield 600.0

    # The second run's own signal may come before or after its end: either way nothing is started again.
    assert bot.supervise(pauses()) == 0
    assert bot.times == 2


def test_a_bot_gets_its_address_and_token_but_nothing_of_its_owner():
    inherited = {"PATH": "/bin", "ARENA_TLS": "1"}
    owners = {"ARENA_TOKEN": "arn_owner", "ARENA_BOT_TOKEN": "arn_x", "ARENA_DATA": "d"}

    environment = bot_environment(inherited | owners, "host:1", "arn_bot")

    assert environment == inherited | {"ARENA_ADDRESS": "host:1", "ARENA_TOKEN": "arn_bot"}


SHOW_ENVIRONMENT = "import json, os; print(json.dumps({k: v for k, v in os.environ.items() if 'ARENA' in k}))"
OWNER = {"ARENA_TOKEN": "arn_owner"}


@pytest.fixture
def made(fake):
    """Open an arena that makes a bot token and revokes it."""
    fake.answers |= {"CreateToken": 'token { name: "tokens/new" } secret: "arn_new"', "RevokeToken": ""}
    return fake


def run_bot(fake: FakeArena, *program: str, **variables: str) -> subprocess.Popen[str]:
    """Start `arena bot run greedy` with a Python program and its arguments."""
    command = ("bot", "run", "greedy", "--", sys.executable, "-c", *program)
    return start(*command, **({"ARENA_ADDRESS": fake.address} | (variables or OWNER)))


def test_a_token_is_made_for_the_run_and_revoked_afterwards(made):
    code, out, err = finish(run_bot(made, SHOW_ENVIRONMENT))

    assert code == 0, err
    assert json.loads(out) == {"ARENA_ADDRESS": made.address, "ARENA_TOKEN": "arn_new"}
    assert [(call.method, call.authorization) for call in made.calls] == [
        ("CreateToken", "Bearer arn_owner"),
        ("RevokeToken", "Bearer arn_owner"),
    ]
    assert made.requests("RevokeToken")[0].name == "tokens/new"
    assert made.requests("CreateToken")[0].note == "arena bot run"
    assert "revoke" not in err


@pytest.mark.parametrize(
    "refusal",
    [
        Refusal(grpc.StatusCode.UNAUTHENTICATED, "The token is not valid.", "TOKEN_INVALID"),
        Refusal(grpc.StatusCode.UNAVAILABLE, "failed to connect"),
    ],
    ids=["revoked", "away"],
)
def test_a_token_that_could_not_be_revoked_is_named_with_the_command_that_does(made, refusal):
    made.answers["RevokeToken"] = refusal

    code, _, err = finish(run_bot(made, "pass"))

    assert code == 0
    assert "`arena token revoke new`" in err


def test_a_bot_token_in_the_environment_is_used_as_it_is(made):
    code, out, _ = finish(run_bot(made, SHOW_ENVIRONMENT, ARENA_BOT_TOKEN="arn_mine"))

    assert (code, json.loads(out)["ARENA_TOKEN"], made.calls) == (0, "arn_mine", [])


def test_options_after_the_program_are_the_programs_own(made):
    _, out, _ = finish(run_bot(made, "import sys; print(sys.argv[1:])", "--server", "--help"))

    assert out == "['--server', '--help']\n"


def test_without_the_right_to_make_a_token_nothing_is_started(fake, tmp_path):
    fake.answers["CreateToken"] = Refusal(grpc.StatusCode.PERMISSION_DENIED, "Not your bot.", "NOT_OWNER")
    trace = tmp_path / "started"

    code, _, err = finish(run_bot(fake, f"open({str(trace)!r}, 'w')"))

    assert (code, trace.exists()) == (1, False)
    assert "(NOT_OWNER)" in err


def test_sigterm_to_the_command_leaves_no_process_of_the_bot(made):
    arena = run_bot(
        made,
        "import os, subprocess, sys, time\n"
        "sleeper = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print(os.getpid(), sleeper.pid, flush=True)\n"
        "time.sleep(600)",
    )
    assert arena.stdout is not None
    pids = [int(word) for word in arena.stdout.readline().split()]

    arena.send_signal(signal.SIGTERM)
    code, _, err = finish(arena)

    assert code == 0
    assert "signal SIGTERM" in err
    assert all(gone(pid) for pid in pids)
    assert made.requests("RevokeToken") != []
