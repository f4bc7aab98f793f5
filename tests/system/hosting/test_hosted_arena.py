"""Hosted bots in a real arena and a real sandbox: ladders, verdicts, kills, and who is turned away."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import grpc
import pytest

from arena.match_log.files import LogFiles
from arena.match_log.keys import read_public_key
from arena.match_log.reader import MatchLog, read_log
from arena.match_log.verify import VerificationExit, verify
from arena.sandbox.proc_fs import descendants
from arena.v1 import bot_pb2, match_pb2, token_pb2
from tests.system.hosting.leftovers import folders_in, wait_until_gone
from tests.system.hosting.needs import needs_sandbox
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.cgroups import cgroups_of
from tests.system.play.raw_bot import RawBot, hello
from tests.unit.hosting.sample_submissions import RANDOM_BOT, plant

pytestmark = needs_sandbox


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


def test_a_ladder_with_more_hosted_bots_than_places_continues_after_a_kill_and_none_of_their_processes_survives(
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
    assert cgroups_of(arena.data) == []
    assert folders_in(arena.data) == 0
    logs = logs_of(arena, 60)
    assert len(logs) >= 10
    for log in logs:
        assert {seat.bot: seat.version for seat in log.setup.seats}.items() <= versions.items()


def test_a_hosted_bot_cannot_dial_in_and_meets_bots_that_do(
    serve: Callable[..., ArenaProcess], tmp_path: Path
) -> None:
    """Its token is good for everything else."""
    plant(tmp_path / "data", "ant")
    arena = serve()
    token = str(arena.tokens.CreateToken(role=token_pb2.ROLE_BOT, bot="bots/ant").secret)
    ant = RawBot(arena.unix, token).say(hello=hello())
    goodbye, refused = ant.hear_end(), grpc.StatusCode.FAILED_PRECONDITION
    assert (goodbye.reason, goodbye.come_back, ant.status) == ("BOT_HOSTED", False, refused)
    bee = RawBot(arena.unix, arena.bot("bee"))
    bee.hello()
    assert "bot host ant --off" in goodbye.sentence
    arena.ladder("main", "ant", "bee", matches=1, options={"turn_limit": "1"})
    bee.play_matches(2)
    bot = arena.bots.GetBot(name="bots/ant").bot
    assert (bot.hosting.programs, bot.connections) == (1, 1)
    assert arena.match("matches/2").state == match_pb2.MATCH_STATE_FINISHED


def test_a_connection_from_before_its_bot_was_hosted_is_refused_at_hello(
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
