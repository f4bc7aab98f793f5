"""`arena data move`: an arena's database goes from its file to a PostgreSQL server."""

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg

from tests.system.play.arena_process import ArenaProcess
from tests.system.store.playing import play_a_group
from tests.unit.cli.programs import finish, start


def move(data: Path, url: str) -> tuple[int, str]:
    """Exit code and words of the command."""
    code, out, err = finish(start("data", "move", "--to", url, "--data", str(data)))
    return code, out + err


def test_a_moved_arena_has_the_same_matches_and_continues_their_numbers(tmp_path: Path, url: str) -> None:
    data = tmp_path / "data"
    with ArenaProcess(data) as arena:
        played = play_a_group(arena)
        standings = arena.ladders.ListStandings(name="ladders/main").standings
        code, said = move(data, url)
        assert code == 1, said
        assert not (data / "database.url").exists(), "an arena runs on the folder"
        assert arena.terminate() == 0
    with closing(sqlite3.connect(data / "arena.db")) as database, database:
        database.execute("UPDATE bots SET description = 'a' || char(0) || 'b' WHERE id = 'main-left'")
    code, said = move(data, url)
    assert code == 0, said
    assert not (data / "arena.db").exists()
    with ArenaProcess(data) as arena:
        assert [arena.match(match.name) for match in played] == played
        assert arena.ladders.ListStandings(name="ladders/main").standings == standings
        assert arena.bots.GetBot(name="bots/main-left").bot.description == "a\u2400b"
        more = play_a_group(arena, "other")
        assert sorted(match.name for match in (*played, *more)) == [f"matches/{n}" for n in range(1, 5)]
    code, said = move(data, url)
    assert (code, "already" in said) == (1, True), said


def test_a_database_that_is_not_empty_is_left_alone(tmp_path: Path, url: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("INSERT INTO alembic_version VALUES ('0001')")
    data = tmp_path / "data"
    with ArenaProcess(data) as arena:
        assert arena.terminate() == 0
    code, said = move(data, url)
    assert (code, "not empty" in said) == (1, True), said
    assert (data / "arena.db").exists()
    assert not (data / "database.url").exists()
