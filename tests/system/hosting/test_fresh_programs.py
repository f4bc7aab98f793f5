"""Groups with hidden draws and one seed, in a real sandbox: no bot carries anything into the next match."""

import re
from collections.abc import Iterator
from typing import Any

import grpc
import pytest

from arena.cli.framework.connection import fetch_all
from arena.cli.framework.errors import call_of
from arena.core.match import SeedPolicy
from arena.match_log.files import LogFiles
from arena.match_log.keys import read_public_key
from arena.match_log.reader import read_log
from arena.match_log.verify import VerificationExit, verify
from arena.v1 import bot_pb2, match_pb2
from arena.wire.error_info import error_info
from tests.system.hosting.needs import needs_sandbox
from tests.system.play.arena_process import SLOW, ArenaProcess
from tests.unit.hosting.sample_submissions import plant

pytestmark = needs_sandbox

HOARDER = """
import os, pathlib, random
import arena.sdk

HOARDS = [pathlib.Path("/tmp/hoard"), pathlib.Path("/dev/shm/hoard")]

class Hoarder(arena.sdk.Bot):
    name = "hoarder"
    games = arena.sdk.GAMES
    matches = 4
    known = []

    def choose(self, observation, legal_actions, clock):
        found = [str(path) for path in HOARDS if path.exists()]
        processes = [name for name in os.listdir("/proc") if name.isdigit()]
        print("asked", len(self.known), "found", len(found), "processes", len(processes))
        if not self.known:
            for path in HOARDS:
                path.write_text("the deck")
            if os.fork() == 0:
                os.closerange(0, 3)
                os.execv("/bin/sleep", ["sleep", "600"])
        self.known.append(str(observation))
        return random.randrange(len(legal_actions))

arena.sdk.run(Hoarder)
"""
"""Keeps what it has seen wherever it can, would take four matches at a time, and says what it has found."""

PLIES = {"turn_limit": "8"}
SHARED = match_pb2.SEED_POLICY_SHARED


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaProcess]:
    """Two hosted bots on a ladder of hosted bots alone, which has played two groups of two matches."""
    data = tmp_path_factory.mktemp("arena") / "data"
    data.mkdir(mode=0o700)
    plant(data, "ant", f"# older\n{HOARDER}")
    for bot in ("ant", "bee"):
        plant(data, bot, f"# {bot}\n{HOARDER}")
    with ArenaProcess(data) as process:
        process.bot("guest")
        terms = {"seat_counts": [2], "options": PLIES, "time_control": SLOW, "seed_policy": SHARED}
        process.ladders.CreateLadder(ladder_id="main", game="caravan", **terms)
        for bot in ("ant", "bee"):
            join(process, bot)
        run(process, matches=4)
        for ended in range(1, 5):
            process.wait_for("match over", ended)
        yield process


def join(arena: ArenaProcess, bot: str) -> Any:
    return arena.ladders.JoinLadder(name="ladders/main", bot=f"bots/{bot}").ladder


def run(arena: ArenaProcess, *, matches: int) -> None:
    arena.ladders.RunLadder(name="ladders/main", matches=matches)


def said(arena: ArenaProcess, match: int, bot: str) -> list[tuple[int, int, int]]:
    """How often the bot had been asked before, how many hoards it found, how many processes ran, at each decision."""
    lines = fetch_all(
        arena.matches.ListDebugLines,
        match_pb2.ListDebugLinesRequest(name=f"matches/{match}", bot=f"bots/{bot}"),
        metadata=arena.organiser,
    ).lines
    found = [re.fullmatch(r"asked (\d+) found (\d+) processes (\d+)", line.text) for line in lines]
    return [(int(each[1]), int(each[2]), int(each[3])) for each in found if each]


def test_a_program_finds_nothing_of_the_match_before_and_the_match_before_ends_with_all_its_processes(
    arena: ArenaProcess,
) -> None:
    for match in range(1, 5):
        for bot in ("ant", "bee"):
            asked, found, processes = zip(*said(arena, match, bot), strict=True)
            # Its memory was new, it was asked in no other match, and it does find what is there to be found.
            assert asked == tuple(range(len(asked)))
            assert found == (0, *[2] * (len(found) - 1))
            assert processes[1] == processes[0] + 1
    ended = [line for line in arena.log if "hosted program over" in line]
    assert len(ended) >= 2 * 3  # all but those of the last match, at least
    assert all("played=1" in line for line in ended)


def test_the_matches_of_a_group_have_one_seed_the_seats_turned_and_their_logs_verify(
    arena: ArenaProcess,
) -> None:
    [path] = (arena.data / "keys").glob("*.pub")
    files = LogFiles(arena.data / "logs")
    setups = []
    for match in range(1, 5):
        data = files.read(match)
        assert verify(data, keys=[read_public_key(path)]).exit_code is not VerificationExit.FAILED
        setups.append(read_log(data).setup)
    assert {setup.seed_policy for setup in setups} == {SeedPolicy.SHARED}
    first, second, third, fourth = (setup.seed for setup in setups)
    assert first == second != third == fourth
    assert [seat.bot for seat in setups[0].seats] == [seat.bot for seat in reversed(setups[1].seats)]


def test_the_ladder_says_which_bots_may_play_and_refuses_one_that_dials_in(arena: ArenaProcess) -> None:
    ladder = join(arena, "ant")
    assert (ladder.seed_policy, ladder.hosted_only) == (SHARED, True)
    with pytest.raises(grpc.RpcError) as refusal:
        join(arena, "guest")
    call = call_of(refusal.value)
    assert (call.code(), error_info(call.trailing_metadata())[0]) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "SHARED_SEED_REFUSED",
    )
    assert "`arena bot submit`" in str(call.details())


def test_a_version_that_is_pinned_in_the_middle_of_a_group_plays_from_the_next_one_on(
    arena: ArenaProcess,
) -> None:
    newest, older = (each.name for each in arena.bots.ListVersions(bot="bots/ant").versions)
    run(arena, matches=4)
    arena.wait_for("match over", 5)
    arena.bots.SetHosting(bot="bots/ant", mode=bot_pb2.Hosting.MODE_PINNED, version=older)
    arena.wait_for("match over", 8)
    run(arena, matches=2)
    arena.wait_for("match over", 10)
    played = [arena.match(f"matches/{number}") for number in range(5, 11)]
    assert {match.state for match in played} == {match_pb2.MATCH_STATE_FINISHED}
    versions = [seat.bot_version for match in played for seat in match.seats if seat.bot == "bots/ant"]
    # Only a very slow test pins so late that the group of matches 7 and 8 has begun already.
    assert versions[2:4] in ([newest, newest], [older, older])
    assert versions[:2] == [newest, newest]
    assert versions[4:] == [older, older]
