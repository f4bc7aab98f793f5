"""Real programs in the real sandbox, tried as a submission is: those that pass, and those with one thing wrong."""

import asyncio
import os
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from arena.conformance.scenarios import SCENARIOS
from arena.core.errors import ErrorReason
from arena.hosting import process_specs
from arena.hosting.admission import trials
from arena.hosting.admission.admission import BuildRunner
from arena.hosting.admission.trials import Trials
from arena.sandbox.capabilities import find_capabilities
from arena.sandbox.process_spec import SandboxError
from arena.sandbox.sandbox import Sandbox
from arena.store.bots.submissions import Rejection, TrialRow, TrialVerdict
from arena.store.json_columns import VersionProgram
from tests.checkout import ROOT
from tests.system.hosting.leftovers import trial_workers
from tests.system.hosting.needs import needs_sandbox
from tests.unit.store import store_fixture

pytestmark = needs_sandbox

RANDOM = (ROOT / "sample_bots" / "python" / "random_bot.py").read_text()


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@dataclass
class TrialFixture:
    """Tries and builds programs in a sandbox."""

    runner: asyncio.Runner
    folder: Path
    patch: pytest.MonkeyPatch
    rows: list[TrialRow] = field(default_factory=list)
    """What was tried, as last reported."""
    reports: list[int] = field(default_factory=list)
    """How many rows each report had."""

    @property
    def sandbox(self) -> Sandbox:
        return Sandbox(find_capabilities(), folder=self.folder)

    def only(self, *names: str) -> None:
        """Reduce the suite to these scenarios; all of it is tried in tests/system/e2e."""
        self.patch.setattr(trials, "SCENARIOS", [each for each in SCENARIOS if each.name in names])

    def version(self, code: str) -> Path:
        """Make a version's folder with this program."""
        folder = self.folder / "version"
        folder.mkdir()
        folder.chmod(0o755)
        (folder / "bot.py").write_text(code)
        (folder / "bot.py").chmod(0o644)
        return folder

    async def report(self, rows: Sequence[TrialRow], _scenarios: int) -> None:
        """Note the rows."""
        self.rows[:] = rows
        self.reports.append(len(rows))

    def passes(self, code: str, program: VersionProgram) -> None:
        """Try a program, which passes."""
        trial = Trials(self.sandbox).try_program(self.version(code), program, self.report)
        assert self.runner.run(trial) is None

    def rejects(self, code: str, program: VersionProgram | None = None, **options: Any) -> Rejection:
        """Try a program, which does not pass."""
        trial = Trials(self.sandbox, **options).try_program(
            self.version(code), program or a_program(), self.report
        )
        rejection = self.runner.run(trial)
        assert rejection is not None, self.rows
        return rejection

    def build(self, folder: Path, **program: Any) -> Rejection | None:
        """Return what became of the build command `python bot.py` in the folder."""
        built = replace(a_program("python", "bot.py"), **program)
        return self.runner.run(BuildRunner(self.sandbox).build(folder, built))


@pytest.fixture
def trial(runner: asyncio.Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TrialFixture:
    return TrialFixture(runner, tmp_path, monkeypatch)


def a_program(*build: str, memory_mib: int = 256, games: Sequence[str] = ("caravan",)) -> VersionProgram:
    """`python bot.py`."""
    games = tuple(games)
    return replace(
        store_fixture.a_program(), build=build, games=games, memory_mib=memory_mib, build_seconds=20
    )


def test_a_bot_of_two_games_passes_the_suite_with_the_first_and_a_match_of_the_second(
    trial: TrialFixture,
) -> None:
    names = ["hello", "tls", "seats", "unreachable", "leave"]
    trial.only(*names)
    trial.passes(RANDOM, a_program(games=("caravan", "caravanserai")))
    assert trial.reports == list(range(1, len(names) + 2))
    assert [row.scenario for row in trial.rows] == [*names, "unix:caravanserai"]
    assert {row.verdict for row in trial.rows if row.scenario != "tls"} == {TrialVerdict.PASSED}


SAY = "print('no such luck', flush=True)\n"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (f"{SAY}raise SystemExit(3)\n", "exited with code 3"),
        (f"{SAY}raise SystemExit(4)\n", "it has no network"),
        (SAY, "until the arena says goodbye"),
        (f"{SAY}import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n", "was ended by SIGSEGV"),
        (
            f"{SAY}hog = []\nwhile True: hog.append(bytes(1 << 20))\n",
            "more than 64 MiB of memory. Let it need less, or raise limits.memory_mib",
        ),
        (f"{SAY}import time\ntime.sleep(60)\n", "said no hello within 1 s"),
        ("for n in range(9000): print('line', n)\nraise SystemExit(1)\n", "exited with code 1"),
    ],
    ids=["exit", "error", "early goodbye", "signal", "memory", "silence", "much output"],
)
def test_row_34_a_program_that_does_not_start_is_rejected_with_its_end_and_output(
    trial: TrialFixture, code: str, words: str
) -> None:
    if "sleep" in code:
        trial.patch.setattr(trials, "HELLO_S", 1.0)
    rejection = trial.rejects(code, a_program(memory_mib=64))
    assert rejection.reason is ErrorReason.BOT_START_FAILED
    assert words in rejection.sentence
    assert len(rejection.output.encode()) <= 4096
    assert rejection.output.endswith("no such luck\n" if SAY in code else "line 8999\n")


def test_a_flawed_program_is_reported_with_the_scenarios_that_it_fails(trial: TrialFixture) -> None:
    trial.only("hello", "ping", "token", "leave")
    code = RANDOM.replace("arena.sdk.run(", "import sys; arena.sdk.run(").replace(
        'if __name__ == "__main__":', "import os, sys\nsys.exit = lambda code=0: os._exit(0)\nif True:"
    )
    rejection = trial.rejects(code)
    assert rejection.reason is ErrorReason.CONFORMANCE_FAILED
    assert rejection.sentence.startswith("1 of 4 scenarios failed: token.")
    failed = [row for row in trial.rows if row.verdict is TrialVerdict.FAILED]
    assert ["exit code 0" in row.sentence for row in failed] == [True]


def test_a_program_that_does_not_say_hello_as_it_should_is_tried_no_further(trial: TrialFixture) -> None:
    """It does not play the game of its bot.toml."""
    rejection = trial.rejects(RANDOM.replace("games = arena.sdk.GAMES", 'games = ("caravanserai",)'))
    assert rejection.sentence.startswith(f"1 of {len(SCENARIOS)} scenarios failed: hello.")
    assert trial.rows[0].verdict is TrialVerdict.FAILED
    assert {row.verdict for row in trial.rows[1:]} == {TrialVerdict.NOT_TRIED}
    assert all("scenario hello" in row.sentence for row in trial.rows[1:])


TALKATIVE = """
import os, time, grpc
from arena.v1 import play_pb2, play_pb2_grpc
games = [play_pb2.GameSupport(game=f"game{n}") for n in range(9000)]
def frames():
    hello = play_pb2.Hello(bot_version="1", lowest_protocol=1, highest_protocol=1, language="python", games=games)
    yield play_pb2.PlayRequest(messages=[play_pb2.ClientMessage(hello=hello)])
    time.sleep(60)
channel = grpc.insecure_channel(os.environ["ARENA_ADDRESS"])
list(play_pb2_grpc.PlayServiceStub(channel).Play(frames()))
"""


def test_what_a_program_says_of_itself_makes_no_sentence_endless(trial: TrialFixture) -> None:
    """Sentences are stored, told to all who watch, and listed a thousand at a time."""
    trial.only("hello")
    trial.rejects(TALKATIVE)
    assert "game0, game1," in trial.rows[0].sentence
    assert len(trial.rows[0].sentence) < 1100


OVERFLOWING = """
import os, time, grpc
from arena.v1 import play_pb2
def within(field, body):
    size, left = b"", len(body)
    while left > 127:
        size, left = size + bytes([left & 127 | 128]), left >> 7
    return bytes([field << 3 | 2]) + size + bytes([left]) + body
games = play_pb2.Hello(games=[play_pb2.GameSupport()]).SerializeToString() * 60_000
frame = within(1, within(1, games))
def silent():
    time.sleep(60)
    yield frame
def call_of(frames):
    return play(frames, metadata=[("authorization", "Bearer " + os.environ.get("ARENA_TOKEN", ""))])
play = grpc.insecure_channel(os.environ["ARENA_ADDRESS"]).stream_stream("/arena.v1.PlayService/Play")
first = call_of(silent())
while True:
    call = call_of(iter([frame]))
    try:
        call.result(timeout=0.05)
    except Exception:
        pass
    call.cancel()
"""
"""It says no hello where one is waited for, and fills the memory of who waits by the largest hellos on other calls."""


def test_a_worker_that_a_bot_makes_too_large_is_ended_with_a_reason_for_the_owner(
    trial: TrialFixture,
) -> None:
    trial.patch.setattr(trials, "HELLO_S", 100.0)
    rejection = trial.rejects(
        OVERFLOWING.replace(
            "while True:", "first.initial_metadata()  # it is the one that is waited on\nwhile True:"
        )
    )
    assert rejection.reason is ErrorReason.BOT_START_FAILED
    assert "256 MiB of memory" in rejection.sentence


def test_scenarios_that_were_being_tried_have_failed_when_the_worker_is_ended_and_no_other_is_tried(
    trial: TrialFixture,
) -> None:
    """The bot starts as it should, and floods from its first scenario but one on."""
    trial.only("hello", "ping", "slow")
    trial.patch.setattr(trials, "PATIENCE_S", 100.0)
    code = RANDOM.replace(
        "import arena.sdk", f"import sys\nFLOOD = {OVERFLOWING!r}\nimport arena.sdk", 1
    ).replace("def choose(", "def choose(self, *given):\n        exec(FLOOD, {})\n\n    def unused(", 1)
    rejection = trial.rejects(code, at_once=1)
    assert rejection.reason is ErrorReason.CONFORMANCE_FAILED
    verdicts = [TrialVerdict.PASSED, TrialVerdict.FAILED, TrialVerdict.NOT_TRIED]
    assert [row.verdict for row in trial.rows] == verdicts
    assert "256 MiB of memory" in trial.rows[1].sentence


def test_a_worker_that_was_killed_from_outside_is_no_fault_of_the_bot(trial: TrialFixture) -> None:
    trial.only("hello")

    async def end_the_worker() -> None:
        tried = Trials(trial.sandbox).try_program(trial.version(RANDOM), a_program(), trial.report)
        trying = asyncio.create_task(tried)
        while not (workers := trial_workers(os.getpid())):  # noqa: ASYNC110 - a process tells nobody that it is there
            await asyncio.sleep(0.01)
        for pid in workers:
            os.kill(pid, signal.SIGKILL)
        await trying

    with pytest.raises(SandboxError, match="ended with -9"):
        trial.runner.run(end_the_worker())
    assert not trial.reports


def test_a_build_leaves_its_files_in_the_folder(trial: TrialFixture) -> None:
    folder = trial.version("open('made', 'w').write('so')\n")
    assert trial.build(folder) is None
    assert (folder / "made").read_text() == "so"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("print('oh no')\nraise SystemExit(2)", "ended with exit code 2"),
        (
            "import time\nprint('oh no', flush=True)\ntime.sleep(60)",
            "took longer than the 4 s of limits.build_seconds",
        ),
        ("print('oh no', flush=True)\nhog = []\nwhile True: hog.append(bytes(1 << 24))", "of memory"),
        (
            "import socket\nprint('oh no')\nsocket.create_connection(('192.0.2.1', 80), 2)",
            "ended with exit code 1",
        ),
    ],
    ids=["exit", "time", "memory", "network"],
)
def test_a_build_that_fails_says_how_and_what_it_wrote(trial: TrialFixture, code: str, words: str) -> None:
    trial.patch.setattr(process_specs, "BUILD_MEMORY_MIB", 64)
    seconds = 4 if "time" in code else 60  # a busy machine needs some of them to begin
    rejection = trial.build(trial.version(code), build_seconds=seconds)
    assert rejection is not None
    assert rejection.reason is ErrorReason.BUILD_FAILED
    assert "`python bot.py`" in rejection.sentence
    assert words in rejection.sentence
    assert rejection.output.startswith("oh no")


def test_a_build_that_fills_the_disk_is_ended(trial: TrialFixture) -> None:
    trial.patch.setattr(process_specs, "LARGEST_BUILT", 1 << 20)
    code = "import time\nopen('much', 'wb').write(bytes(range(256)) * 20_000)\ntime.sleep(60)"
    rejection = trial.build(trial.version(code))
    assert rejection is not None
    assert "1 MiB into its folder" in rejection.sentence
