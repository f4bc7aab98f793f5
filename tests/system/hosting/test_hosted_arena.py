"""Hosted bots in a real arena and a real sandbox: ladders, verdicts, kills, and who is turned away."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import grpc
import pytest

from arena.match_log.files import LogFiles
from arena.match_log.keys import read_public_key
from arena.match_log.reader import MatchLog, read_log
from arena.match_log.verify import VerificationExit, verify
from arena.v1 import bot_pb2, ending_pb2, match_pb2, play_pb2, time_control_pb2, token_pb2
from tests.system.hosting.leftovers import cgroups_of, descendants, folders_in
from tests.system.hosting.needs import needs_sandbox
from tests.system.play.arena_process import WAIT_S, ArenaProcess
from tests.system.play.raw_bot import RawBot, hello
from tests.unit.hosting.sample_submissions import RANDOM_BOT, plant

pytestmark = needs_sandbox

NO_ABSENCE = time_control_pb2.TimeControl(
    per_decision_ms=20_000, bank_ms=0, strikes=2, absence_ms=0, hold_ms=5_000, seat_limit_ms=86_400_000
)
"""Who loses its connection loses the match at once; nobody loses on time."""

ENDS = {
    "exits": ("os._exit(3)", ending_pb2.TERMINATION_EXITED, {"code": "3"}),
    "falls": ("os.kill(os.getpid(), 11)", ending_pb2.TERMINATION_SIGNALLED, {"signal": "SIGSEGV"}),
    "grows": ("kept = bytearray(1 << 30)", ending_pb2.TERMINATION_MEMORY, {"memory_limit_mib": "256"}),
}
"""What a bot does at its second decision, and what its seat is said to have ended by."""


def bot_that(does: str) -> str:
    """Return a program that does this at its second decision."""
    second = f"""\
        RandomBot.asked += 1
        if RandomBot.asked == 2:
            {does}
"""
    head, choice = RANDOM_BOT.split("        return", 1)
    head = head.replace("import random", "import os\nimport random").replace(
        "matches = 1", "matches = 1\n    asked = 0"
    )
    return f"{head}{second}        return{choice}"


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., ArenaProcess]]:
    """Start an arena on the test's data folder; end it afterwards."""
    (tmp_path / "data").mkdir(mode=0o700)
    begun: list[ArenaProcess] = []

    def start(*options: str) -> ArenaProcess:
        begun.append(ArenaProcess(tmp_path / "data", *options))
        return begun[-1].wait_open()

    yield start
    for process in begun:
        process.close()


def logs_of(arena: ArenaProcess, matches: int) -> list[MatchLog]:
    """Return the logs of matches 1, 2, ..., each of them verified."""
    [path] = (arena.data / "keys").glob("*.pub")
    files = LogFiles(arena.data / "logs")
    logs = [files.read(match) for match in range(1, matches + 1) if files.has(match)]
    for log in logs:
        verdict = verify(log, keys=[read_public_key(path)])
        assert verdict.exit_code is not VerificationExit.FAILED, verdict
    return [read_log(log) for log in logs]


def wait_for_matches(arena: ArenaProcess, matches: int) -> None:
    """So many are over; each of them may take long, since programs start on a busy machine."""
    for ended in range(1, matches + 1):
        arena.wait_for("match over", ended)


def wait_until_gone(processes: list[int]) -> None:
    deadline = time.monotonic() + WAIT_S
    while [each for each in processes if Path(f"/proc/{each}").exists()]:
        for (
            each
        ) in processes:  # a sandbox made in this process before lets it inherit them, and then it has to reap
            with suppress(ChildProcessError):
                os.waitpid(each, os.WNOHANG)
        assert time.monotonic() < deadline, processes
        time.sleep(0.02)  # the kernel tells nobody else of it


def test_a_ladder_with_more_hosted_bots_than_places_goes_on_after_a_kill_and_nothing_of_them_survives(
    serve: Callable[..., ArenaProcess], tmp_path: Path
) -> None:
    bots = [f"bot{number}" for number in range(8)]
    versions = {bot: plant(tmp_path / "data", bot, f"# {bot}\n{RANDOM_BOT}") for bot in bots}
    arena = serve("--hosted-programs", "6")
    arena.ladder("main", *bots, seat_counts=[2], options={"turn_limit": "20"}, matches=10)
    wait_for_matches(arena, 5)
    programs = descendants(arena.process.pid)
    assert programs
    arena.kill()
    wait_until_gone(programs)

    arena = serve("--hosted-programs", "6")
    ladder = arena.ladders.GetLadder(name="ladders/main").ladder
    wait_for_matches(arena, ladder.remaining_matches)
    programs = descendants(arena.process.pid)
    assert arena.terminate() == 0
    assert not [each for each in programs if Path(f"/proc/{each}").exists()]
    assert cgroups_of(arena.process.pid) == []
    assert folders_in(arena.data) == 0
    logs = logs_of(arena, 60)
    assert len(logs) >= 10
    for log in logs:
        assert {seat.bot: seat.version for seat in log.setup.seats}.items() <= versions.items()


def test_a_hosted_bot_cannot_dial_in_and_meets_those_who_do(
    serve: Callable[..., ArenaProcess], tmp_path: Path
) -> None:
    """Its token is good for everything else."""
    plant(tmp_path / "data", "ant")
    arena = serve()
    token = str(arena.tokens.CreateToken(role=token_pb2.ROLE_BOT, bot="bots/ant").secret)
    ant = RawBot(arena.unix, token).say(hello=hello())
    goodbye = ant.hear_end()
    assert (goodbye.reason, goodbye.come_back, ant.status) == (
        "BOT_HOSTED",
        False,
        grpc.StatusCode.FAILED_PRECONDITION,
    )
    bee = RawBot(arena.unix, arena.bot("bee"))
    bee.hello()
    assert "bot host ant --off" in goodbye.sentence
    arena.ladder("main", "ant", "bee", matches=1, options={"turn_limit": "1"})
    for _ in range(2):
        play_one(bee)
    bot = arena.bots.GetBot(name="bots/ant").bot
    assert (bot.hosting.programs, bot.connections) == (1, 1)
    assert arena.match("matches/2").state == match_pb2.MATCH_STATE_FINISHED


def test_who_connects_before_his_bot_is_hosted_and_says_hello_afterwards_is_sent_away(
    serve: Callable[..., ArenaProcess], tmp_path: Path
) -> None:
    plant(tmp_path / "data", "ant")
    arena = serve("--hosted-programs", "0")

    def host(mode: bot_pb2.Hosting.Mode.ValueType, *, paused: bool) -> None:
        arena.bots.SetHosting(bot="bots/ant", mode=mode)
        asked = bot_pb2.GetBotRequest(name="bots/ant")
        while bool(arena.bots.GetBot(asked).bot.paused) is not paused:
            pass

    host(bot_pb2.Hosting.MODE_OFF, paused=False)
    token = str(arena.tokens.CreateToken(role=token_pb2.ROLE_BOT, bot="bots/ant").secret)
    early = RawBot(arena.unix, token)
    present = RawBot(arena.unix, token)
    present.hello()  # so the other one is known by now, too
    host(bot_pb2.Hosting.MODE_NEWEST, paused=True)
    assert present.hear_end().reason == "BOT_HOSTED"
    assert early.say(hello=hello()).hear_end().reason == "BOT_HOSTED"


def play_one(bot: RawBot) -> None:
    """Take one match and play it to its end."""
    while (message := bot.hear_any()) is not None and not message.HasField("match_ended"):
        if message.HasField("assigned"):
            bot.say(ready=play_pb2.Ready(assignment=message.assigned.assignment))
        elif message.HasField("decision"):
            bot.answer(message.decision)
    assert message is not None


def test_an_arena_that_runs_no_programs_says_so_and_lets_hosted_bots_wait(
    serve: Callable[..., ArenaProcess], tmp_path: Path
) -> None:
    plant(tmp_path / "data", "ant")
    arena = serve("--hosted-programs", "0")
    arena.wait_for("hosted bots are not run here")
    bot = arena.bots.GetBot(name="bots/ant").bot
    assert "no submitted bots" in bot.paused


def test_a_number_of_places_that_a_match_could_not_be_played_with_is_refused(tmp_path: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "arena.cli.app", "serve", "--data", str(tmp_path), "--hosted-programs", "3"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 2
    assert "at least 6" in " ".join(told.stderr.replace("│", " ").split())
    assert not json.dumps(told.stdout).count("Traceback")
