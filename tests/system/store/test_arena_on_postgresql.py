"""`arena serve --database`: an arena whose database is on a PostgreSQL server."""

import json
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import grpc
import psycopg
import pytest

from arena.store.backends.postgresql import ARENA_LOCK
from arena.v1 import match_pb2
from tests.system.crash.audit import Audit
from tests.system.crash.test_storage_faults import YET, hear_the_end, play_to_the_last_answer, refusal
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.raw_bot import connect
from tests.system.play.test_lifecycle import Ladder
from tests.system.play.test_match import SHORT
from tests.system.store.playing import play_a_group
from tests.system.store.postgresql_server import running
from tests.unit.cli.programs import finish, start


@pytest.fixture
def arena(url: str, tmp_path: Path) -> Iterator[ArenaProcess]:
    with ArenaProcess(tmp_path / "data", "--database", url) as process:
        yield process


def test_an_arena_keeps_its_matches_and_ratings_on_the_server_over_a_kill(
    arena: ArenaProcess, tmp_path: Path
) -> None:
    played = play_a_group(arena)
    assert {match.state for match in played} == {match_pb2.MATCH_STATE_FINISHED}
    assert not (arena.data / "arena.db").exists()
    arena.kill()
    with ArenaProcess(arena.data) as again:  # the folder names the database
        assert [again.match(match.name) for match in played] == played
        assert len(again.ladders.ListStandings(name="ladders/main").standings) == 2
        code, out, err = finish(start("ladder", "recompute", "main", "--data", str(again.data)))
        assert code == 0, out + err


def test_a_result_waits_for_a_server_that_crashed_and_returns(tmp_path: Path) -> None:
    """Row 48: the database cannot be used."""
    with (
        tempfile.TemporaryDirectory(prefix="arena-pg-") as folder,
        running(Path(folder)) as server,
        closing(Ladder(tmp_path / "data", "--database", server.url)) as ladder,
    ):
        ladder.dial()
        ladder.arena.ladder("main", "left", "right", options=SHORT)
        bots = ladder.begin()
        server.stop("immediate")
        play_to_the_last_answer(bots)
        ladder.arena.wait_for(YET)
        error = refusal(lambda: ladder.arena.bots.CreateBot(bot_id="late"))
        assert (error.code, error.reason) == (grpc.StatusCode.UNAVAILABLE, "STORAGE")
        assert not any(bot.waits("match_ended") for bot in bots)
        server.start()
        told = hear_the_end(bots)
        assert told[0].state == match_pb2.MATCH_STATE_FINISHED
        assert told[0] == told[1] == ladder.arena.match("matches/1")
        assert "Traceback" not in "".join(ladder.arena.log)


_IMPATIENT = "import arena.store.backends.postgresql as p; p.ANSWERS_WITHIN_S = 2.0"


def test_a_server_that_accepts_and_never_answers_keeps_nobody_waiting(tmp_path: Path) -> None:
    with (
        tempfile.TemporaryDirectory(prefix="arena-pg-") as folder,
        running(Path(folder)) as server,
        ArenaProcess(tmp_path / "data", "--database", server.url, before=_IMPATIENT) as arena,
    ):
        arena.bots.CreateBot(bot_id="early")
        with server.frozen():
            error = refusal(lambda: arena.bots.CreateBot(bot_id="late"))
            assert (error.code, error.reason) == (grpc.StatusCode.UNAVAILABLE, "STORAGE")
        arena.bots.CreateBot(bot_id="later")
        with server.frozen():
            assert arena.terminate() == 0
        assert "Traceback" not in "".join(arena.log)


_LOSES_ANSWERS = """
from itertools import count
from pathlib import Path
import psycopg
from sqlalchemy.engine.default import DefaultDialect

commits, real = count(1), DefaultDialect.do_commit

def do_commit(dialect, connection):
    writes = connection.cursor().execute("SHOW transaction_read_only").fetchone()[0] == "off"
    real(dialect, connection)
    if writes and Path({flag!r}).exists() and next(commits) % 3 == 0:
        connection.driver_connection.close()
        raise psycopg.OperationalError("the connection broke")

DefaultDialect.do_commit = do_commit
"""
"""Every third commit is made, and the connection breaks before the arena hears of it."""


def test_what_was_committed_counts_once_although_the_arena_did_not_hear_of_it(
    url: str, tmp_path: Path
) -> None:
    flag, data, matches = tmp_path / "loses-answers", tmp_path / "data", 8
    before = _LOSES_ANSWERS.format(flag=str(flag))
    with ArenaProcess(data, "--database", url, before=before) as arena:
        bots = connect(arena.unix, [arena.bot(name) for name in ("left", "right")])
        arena.ladder("main", "left", "right", options=SHORT, matches=matches)
        flag.touch()
        with ThreadPoolExecutor(len(bots)) as pool:
            list(pool.map(lambda bot: bot.play_matches(matches), bots))
        flag.unlink()
        told = {each.name: each for each in arena.matches.ListMatches(page_size=100).matches}
        assert arena.terminate() == 0
        assert sum(YET in line for line in arena.log) >= matches // 3
        assert "Traceback" not in "".join(arena.log)
    assert [each.state for each in told.values()] == [match_pb2.MATCH_STATE_FINISHED] * matches
    Audit(data).check(told)


def test_two_arenas_on_one_database_refuse(arena: ArenaProcess, url: str, tmp_path: Path) -> None:
    code, _, err = finish(start("serve", "--data", str(tmp_path / "two"), "--port", "0", "--database", url))
    assert code == 1
    assert "another arena" in err.lower()
    assert not (tmp_path / "two" / "database.url").exists()


def test_a_database_of_another_data_folder_is_refused(arena: ArenaProcess, url: str, tmp_path: Path) -> None:
    assert arena.terminate() == 0
    code, _, err = finish(start("serve", "--data", str(tmp_path / "two"), "--port", "0", "--database", url))
    assert code == 1
    assert "another data folder" in err


def test_the_doctor_reads_the_database_and_a_backup_names_pg_dump(arena: ArenaProcess) -> None:
    _, out, _ = finish(start("doctor", "--data", str(arena.data), "--format", "json"))
    levels = {each["check"]: each["level"] for each in json.loads(out)["findings"]}
    assert (levels["database"], levels["schema"]) == ("ok", "ok")
    code, _, err = finish(
        start("data", "backup", str(arena.data.parent / "backup"), "--data", str(arena.data))
    )
    assert code == 1
    assert "pg_dump" in err


_LOOKS_OFTEN = "import arena.hosting.admission.admission as a; a._LOOK_S = 0.05"


def test_an_arena_outlives_an_outage_that_its_own_looks_meet(tmp_path: Path) -> None:
    with (
        tempfile.TemporaryDirectory(prefix="arena-pg-") as folder,
        running(Path(folder)) as server,
        ArenaProcess(tmp_path / "data", "--database", server.url, before=_LOOKS_OFTEN) as arena,
    ):
        server.stop()
        arena.wait_for("abandoned uploads cannot be looked for")
        error = refusal(lambda: arena.bots.CreateBot(bot_id="early"))
        assert (error.code, error.reason) == (grpc.StatusCode.UNAVAILABLE, "STORAGE")
        assert folder not in error.sentence, "what strangers need not know"
        server.start()
        assert arena.bot("late")


def test_an_arena_waits_for_its_lock_when_another_session_took_it(arena: ArenaProcess, url: str) -> None:
    with psycopg.connect(url, autocommit=True) as other:
        held = threading.Thread(target=other.execute, args=(f"SELECT pg_advisory_lock({ARENA_LOCK})",))
        held.start()
        waits = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        with psycopg.connect(url, autocommit=True) as looking:
            while looking.execute(waits).fetchone() is None:
                pass
            looking.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted"
            )
        held.join()
        error = refusal(lambda: arena.bots.CreateBot(bot_id="early"))
        assert (error.code, error.reason) == (grpc.StatusCode.UNAVAILABLE, "STORAGE")
    assert arena.bot("late")


@pytest.mark.parametrize(
    "set_up",
    [
        "CREATE VIEW customers AS SELECT 1 AS one",
        "CREATE SEQUENCE matches_id_seq",
        "ALTER DATABASE {name} SET default_transaction_read_only = on",
    ],
)
def test_a_database_that_is_in_use_or_only_read_is_refused_and_may_be_replaced(
    url: str, tmp_path: Path, set_up: str
) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(set_up.format(name=connection.info.dbname).encode())
    data = tmp_path / "data"
    code, _, err = finish(start("serve", "--data", str(data), "--port", "0", "--database", url))
    assert code == 1
    assert "Internal error" not in err
    assert not (data / "database.url").exists()


def test_an_arena_that_may_not_write_any_more_is_not_opened(arena: ArenaProcess, url: str) -> None:
    assert arena.terminate() == 0
    with psycopg.connect(url) as connection:
        name = connection.info.dbname
        connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on".encode())
    code, _, err = finish(start("serve", "--data", str(arena.data), "--port", "0"))
    assert (code, "read-only" in err) == (1, True), err
