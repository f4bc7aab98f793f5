"""Backups of an arena whose matches go on meanwhile, restored elsewhere and served."""

import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

from arena.cli.framework.connection import fetch_all
from arena.match_log.files import LogFiles
from arena.match_log.keys import open_key_ring
from arena.match_log.verify import VerificationExit, verify
from arena.v1 import match_pb2, play_pb2
from tests.system.e2e.playing import play_on
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.raw_bot import connect
from tests.unit.cli.programs import finish, start

AT_ONCE = 4
BETWEEN = 6
"""Matches that end between two backups."""
BACKUPS = 2
BOTS = ("left", "right")


def take_backup(arena: ArenaProcess, target: Path) -> Path:
    """Take a backup by the command, as a timer would call it."""
    code, _, err = finish(start("data", "backup", str(target), "--data", str(arena.data)))
    assert code == 0, err
    assert "as private as" in err
    return target


def check_restored(backup: Path, data: Path) -> int:
    """Restore and serve the backup: ratings recompute, logs verify, open matches continue. Return its matches."""
    code, _, err = finish(start("data", "restore", str(backup), "--data", str(data)))
    assert code == 0, err
    with ArenaProcess(data) as process:
        arena = process
        answer = arena.ladders.RecomputeLadder(name="ladders/main")
        assert answer.identical
        listing = fetch_all(
            arena.matches.ListMatches, match_pb2.ListMatchesRequest(), metadata=arena.organiser
        )
        keys, logs = open_key_ring(data / "keys").public, LogFiles(data / "logs")
        finished = [match for match in listing.matches if match.state == match_pb2.MATCH_STATE_FINISHED]
        for match in finished:
            data_of = logs.read(int(match.name.removeprefix("matches/")))
            assert verify(data_of, keys=keys, name=match.log).exit_code is VerificationExit.OK
        assert match_pb2.MATCH_STATE_RUNNING not in {match.state for match in listing.matches}
        return len(finished)


def test_a_backup_taken_while_matches_run_restores_to_an_arena_that_agrees_with_its_logs(arena, tmp_path):
    bots = connect(
        arena.unix,
        [arena.bot(bot) for bot in BOTS],
        capacity=play_pb2.Capacity(matches=AT_ONCE, open_decisions=AT_ONCE),
    )
    arena.ladder("main", *BOTS, options={"turn_limit": "60"}, matches=0)
    ended, backups = threading.Semaphore(0), []
    with ThreadPoolExecutor(len(bots)) as threads:
        for bot in bots:
            threads.submit(play_on, bot, on_end=ended.release)
        for number in range(BACKUPS):
            for _ in range(BETWEEN):
                assert ended.acquire(timeout=60)
            backups.append(take_backup(arena, tmp_path / f"{number}.tar.zst"))
        for bot in bots:
            bot.cut()

    finished = [check_restored(backup, tmp_path / f"restored-{backup.name}") for backup in backups]

    assert all(earlier < later for earlier, later in pairwise([0, *finished]))
