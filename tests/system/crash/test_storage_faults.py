"""A disk that is full, a database that is locked or damaged: the real server and what it says (row 48).

The disk is "full" by RLIMIT_FSIZE: from then on the kernel refuses whatever the server process writes to a file.
"""

import resource
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import grpc
import pytest

from arena.match_log.keys import open_key_ring
from arena.match_log.verify import VerificationExit, verify
from arena.v1 import match_pb2
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.raw_bot import RawBot
from tests.system.play.test_lifecycle import Ladder
from tests.system.play.test_match import SHORT, answer_everything
from tests.unit.server.services.harness import RefusedError

YET = "a match cannot be stored yet"


@pytest.fixture
def ladder(tmp_path: Path) -> Iterator[Ladder]:
    with closing(Ladder(tmp_path / "data")) as two:
        two.dial()
        yield two


def set_room(arena: ArenaProcess, size: int) -> None:
    """From now on the arena can write files of so many bytes."""
    resource.prlimit(arena.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


@contextmanager
def full_disk(arena: ArenaProcess) -> Iterator[None]:
    """Nothing can be written inside."""
    set_room(arena, 1)
    yield
    set_room(arena, resource.RLIM_INFINITY)


def play_to_the_last_answer(bots: list[RawBot]) -> None:
    """Every decision of a short match is answered, one in each of its three turns; nobody waits for the end."""
    for turn in range(3):
        bot = bots[turn % 2]
        bot.answer(bot.hear("decision"))


def hear_the_end(bots: list[RawBot]) -> list[match_pb2.Match]:
    """Return what each bot is told of its match in the end."""
    return [bot.hear("match_ended").match for bot in bots]


def log_of(ladder: Ladder, match: int) -> bytes:
    """Its log as it lies on the disk."""
    return (ladder.data / "logs" / "000" / f"{match:06d}.arenalog").read_bytes()


def refusal(call: Callable[[], object]) -> RefusedError:
    """How the call is refused."""
    with pytest.raises(grpc.RpcError) as refused:
        call()
    return RefusedError(refused.value)  # type: ignore[arg-type]


def test_on_a_full_disk_a_result_is_kept_and_sent_when_there_is_room_again(ladder: Ladder) -> None:
    """Row 48."""
    ladder.arena.ladder("main", "left", "right", options=SHORT)
    bots = ladder.begin()
    with full_disk(ladder.arena):
        play_to_the_last_answer(bots)
        ladder.arena.wait_for(YET)
        assert not any(bot.waits("match_ended") for bot in bots)
        assert ladder.arena.match("matches/1").state == match_pb2.MATCH_STATE_RUNNING
        error = refusal(lambda: ladder.arena.bots.CreateBot(bot_id="late"))
        assert (error.code, error.reason) == (grpc.StatusCode.UNAVAILABLE, "STORAGE")
        assert error.retries[0].retry_delay.seconds == 1
    told = hear_the_end(bots)
    assert told[0].state == match_pb2.MATCH_STATE_FINISHED
    assert told[0] == told[1] == ladder.arena.match("matches/1")
    keys = open_key_ring(ladder.data / "keys").public
    assert verify(log_of(ladder, 1), keys=keys).exit_code is VerificationExit.OK
    assert "Traceback" not in "".join(ladder.arena.log)
    assert not list(ladder.data.rglob("*.unfinished"))


def test_a_result_that_the_arena_could_not_store_before_it_died_is_none_and_its_match_is_played_again(
    ladder: Ladder,
) -> None:
    """Row 48: nobody was told of it."""
    ladder.arena.ladder("main", "left", "right", options=SHORT)
    bots = ladder.begin()
    set_room(ladder.arena, 1)
    play_to_the_last_answer(bots)
    ladder.arena.wait_for(YET)
    ladder.arena.kill()
    assert not any(bot.waits("match_ended") for bot in bots)
    ladder.restart()
    states = {match.name: match.state for match in ladder.matches()}
    assert states["matches/1"] == match_pb2.MATCH_STATE_ABORTED
    assert states["matches/3"] == match_pb2.MATCH_STATE_PENDING


def test_a_match_begins_when_its_beginning_can_be_stored(ladder: Ladder) -> None:
    """Row 48: no bot sees a position of a match that is not stored as running."""
    ladder.arena.ladder("main", "left", "right", options=SHORT)
    waiting = [bot.hear("assigned") for bot in ladder.bots]
    with full_disk(ladder.arena):
        for bot, assigned in zip(ladder.bots, waiting, strict=True):
            bot.say(ready={"assignment": assigned.assignment})
        ladder.arena.wait_for(YET)
        assert not any(bot.waits("match_started") for bot in ladder.bots)
    for bot in ladder.bots:
        bot.hear("match_started")
    seats = [bot for _, bot in sorted(zip([each.seat for each in waiting], ladder.bots, strict=True))]
    assert {ended.match.state for ended in answer_everything(seats)} == {match_pb2.MATCH_STATE_FINISHED}


def test_while_another_program_locks_the_database_a_result_waits_beside_its_log(ladder: Ladder) -> None:
    """Row 48; the arena waits five seconds for a lock before it says anything."""
    ladder.arena.ladder("main", "left", "right", options=SHORT)
    bots = ladder.begin()
    with closing(sqlite3.connect(ladder.data / "arena.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        play_to_the_last_answer(bots)
        ladder.arena.wait_for(YET)
        assert len(log_of(ladder, 1)) > 0
        assert not any(bot.waits("match_ended") for bot in bots)
        other.execute("ROLLBACK")
    assert hear_the_end(bots)[0] == ladder.arena.match("matches/1")


HARMS: dict[int, tuple[Callable[[Path], object], str]] = {
    1: (lambda log: log.unlink(), "is not where it should be"),
    2: (lambda log: log.write_bytes(log.read_bytes()[:-20]), "is damaged"),
    3: (lambda log: log.write_bytes(log.with_name("000004.arenalog").read_bytes()), "is damaged"),
}
"""What is done to the log of each match, and how the arena says it: it is gone, cut off, or that of another match."""


def test_a_log_that_is_gone_or_damaged_is_said_so_and_the_result_stays(ladder: Ladder) -> None:
    ladder.arena.ladder("main", "left", "right", options=SHORT, matches=4)
    for _ in range(4):
        answer_everything(ladder.begin())
    before = ladder.matches()
    for match, (harm, words) in HARMS.items():
        harm(ladder.data / "logs" / "000" / f"{match:06d}.arenalog")
        name = f"matches/{match}"
        for stream in (
            ladder.arena.matches.WatchMatch(name=name, from_start=True),
            ladder.arena.matches.DownloadMatchLog(name=name),
        ):
            error = refusal(lambda stream=stream: list(stream))  # type: ignore[misc]
            assert (error.code, error.reason) == (grpc.StatusCode.DATA_LOSS, "LOG_MISSING")
            assert error.sentence.startswith(f"The log of match {match}")
            assert words in error.sentence
            assert "backup" in error.sentence
            assert str(ladder.data) not in error.sentence
    assert ladder.matches() == before
    ladder.restart()
    assert ladder.matches() == before


def test_a_first_start_on_a_full_disk_is_said_in_one_sentence_and_spoils_nothing(tmp_path: Path) -> None:
    """Row 48."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, before[1]))
    try:
        first = ArenaProcess(tmp_path / "data", alone=True)  # it inherits the limit
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    try:
        assert first.ended() == 1
        assert "free some space" in " ".join("".join(first.log).split())
        assert "Traceback" not in "".join(first.log)
    finally:
        first.close()
    with ArenaProcess(tmp_path / "data") as second:
        second.bot("ann")


def _damage(database: Path) -> None:
    database.write_bytes(b"no database at all" * 100)
    for beside in ("-wal", "-shm"):
        database.with_name(database.name + beside).unlink(missing_ok=True)


def _damage_inside(database: Path) -> None:
    data = bytearray(database.read_bytes())
    data[100:4096] = bytes(4096 - 100)
    database.write_bytes(data)


def _write_by_a_newer_arena(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the folder of an arena that has stopped in good order."""
    data: Path = tmp_path_factory.mktemp("stopped") / "data"
    arena = ArenaProcess(data).wait_open()
    arena.terminate()
    arena.close()
    return data


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (_damage, "database is damaged (file is not a database): stop the arena and restore a backup"),
        (
            _damage_inside,
            "database is damaged (database disk image is malformed): stop the arena and restore",
        ),
        (_write_by_a_newer_arena, "a newer version of the arena wrote it; install that version to use it"),
    ],
)
def test_a_database_that_cannot_be_used_is_said_in_one_sentence_with_what_to_do(
    tmp_path: Path, stopped: Path, harm: Callable[[Path], None], words: str
) -> None:
    shutil.copytree(stopped, tmp_path / "data")
    harm(tmp_path / "data" / "arena.db")
    before = (tmp_path / "data" / "arena.db").read_bytes()
    with closing(ArenaProcess(tmp_path / "data")) as second:
        assert second.ended() == 1
        assert words in " ".join("".join(second.log).split())
        assert "Traceback" not in "".join(second.log)
        assert (tmp_path / "data" / "arena.db").read_bytes() == before


WITHOUT_PRIVILEGES = """
import ctypes
capset = ctypes.CDLL(None, use_errno=True).capset
assert capset(ctypes.byref((ctypes.c_uint32 * 2)(0x20080522, 0)), ctypes.byref((ctypes.c_uint32 * 6)())) == 0
"""
"""Permissions bind a process that runs so even if it is root's."""


NO_FOLDER = "is no folder that it may read and write"


@pytest.mark.parametrize(
    ("is_new", "harm", "why"),
    [
        (False, lambda data: data.chmod(0o500), f"{{data}} {NO_FOLDER}"),
        (False, lambda data: (data / "logs").mkdir(mode=0o500), f"{{data}}/logs {NO_FOLDER}"),
        (False, lambda data: (data / "logs").write_text(""), f"{{data}}/logs {NO_FOLDER}"),
        (
            False,
            lambda data: (data / "arena.db").chmod(0o400),
            "{data}/arena.db is no file that it may read and write",
        ),
        (True, lambda data: data.mkdir(mode=0o500), "Permission denied"),
        (True, lambda data: data.parent.chmod(0o500), "Permission denied"),
        (True, lambda data: data.write_text(""), "File exists"),
    ],
    ids=[
        *("folder read-only", "logs read-only", "file in place of logs", "database read-only"),
        *("new folder read-only", "parent read-only", "file in place of the folder"),
    ],
)
def test_a_data_folder_that_cannot_be_written_is_said_in_one_line_with_what_to_do(
    tmp_path: Path, stopped: Path, is_new: bool, harm: Callable[[Path], object], why: str
) -> None:
    data = tmp_path / "arena" / "data"
    if is_new:
        data.parent.mkdir()
    else:
        shutil.copytree(stopped, data)
    harm(data)
    arena = ArenaProcess(data, before=WITHOUT_PRIVILEGES)
    try:
        assert arena.ended() == 1
        said = why.format(data=data)
        sentence = f"arena: The arena cannot use the data folder {data} ({said}): mend it, or choose another"
        assert "".join(arena.log) == f"{sentence} with --data.\n"
    finally:
        arena.close()
        data.parent.chmod(0o700)
