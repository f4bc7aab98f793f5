"""The tables of an arena's database, new or old (docs/storage.md)."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Engine, create_engine, inspect, text
from sqlalchemy.pool import StaticPool

from arena.core.errors import UnavailableError
from arena.core.match import SeedPolicy
from arena.core.pairing.formats.parameters import FormatParameters
from arena.store.accounts.tokens import Role
from arena.store.backends.sqlite import SqliteBackend
from arena.store.schema import METADATA
from arena.store.store import MIGRATIONS, Store
from tests.unit.server.maintenance.old_folder import unpack_old_folder


def tables(connection: Connection) -> set[str]:
    """Return the names of all tables."""
    return set(inspect(connection).get_table_names())


@pytest.fixture
def engine(url: str) -> Engine:
    """Return an engine of the database beside the store's."""
    return create_engine(url)


def migrate_to(version: str, url: str, tmp_path: Path) -> None:
    """Make an empty database with the tables of the first version, and migrate it to this one."""
    old = sqlite3.connect(unpack_old_folder(tmp_path / "old") / "arena.db")
    made = (
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type DESC"
    )
    statements = [sql for (sql,) in old.execute(made)]
    old.close()
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with SqliteBackend(url).open_writer().begin() as connection:
        for statement in (*statements, "INSERT INTO alembic_version VALUES ('0001')"):
            connection.execute(text(statement))
        config.attributes["connection"] = connection
        command.upgrade(config, version)


@pytest.fixture(params=["new", "old"])
def any_store(request: pytest.FixtureRequest, url: str, tmp_path: Path) -> Iterator[Store]:
    """Return a database made with all tables, and one that was migrated from the first version."""
    if request.param == "old":
        migrate_to("0001", url, tmp_path)
    store = Store(url)
    store.migrate()
    yield store
    store.close()


def test_a_database_has_the_tables_of_the_schema(any_store: Store, url: str) -> None:
    with SqliteBackend(url).open_writer().begin() as connection:
        context = MigrationContext.configure(connection, opts={"include_object": is_no_index})
        assert compare_metadata(context, METADATA) == []
        assert tables(connection) == {*METADATA.tables, "alembic_version"}


def is_no_index(_object: object, _name: str | None, kind: str, *_rest: object) -> bool:
    """Indexes are compared by their text: the comparison of tables does not know of descending ones."""
    return kind != "index"


def indexes(engine: Engine) -> dict[str, str]:
    """How each index was made, by name."""
    query = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
    with engine.connect() as connection:
        return {row.name: row.sql for row in connection.exec_driver_sql(query)}


def test_a_database_has_the_indexes_of_the_schema(any_store: Store, url: str) -> None:
    fresh = create_engine("sqlite://", poolclass=StaticPool)
    METADATA.create_all(fresh)
    assert indexes(create_engine(url)) == indexes(fresh)


def test_a_migration_of_an_up_to_date_database_changes_nothing(store: Store, engine: Engine) -> None:
    store.write(lambda tx: tx.users.ensure("ada"))
    with engine.connect() as connection:
        before = connection.exec_driver_sql("SELECT sql FROM sqlite_master ORDER BY name").all()
    store.migrate()
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT sql FROM sqlite_master ORDER BY name").all() == before
        assert connection.execute(text("SELECT id FROM owners")).scalars().all() == ["ada"]


def test_an_empty_file_of_an_earlier_start_that_failed_is_filled(tmp_path: Path) -> None:
    (tmp_path / "arena.db").touch()
    store = Store(f"sqlite:///{tmp_path / 'arena.db'}")
    store.migrate()
    store.write(lambda tx: tx.users.ensure("ada"))
    store.close()


def test_a_file_that_is_no_database_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "arena.db").write_bytes(b"no database at all, but long enough to be taken for one. " * 40)
    store = Store(f"sqlite:///{tmp_path / 'arena.db'}")
    with pytest.raises(UnavailableError, match="not a database"):
        store.migrate()
    store.close()


def test_revision_0007_gives_users_the_roles_of_their_tokens(
    url: str, engine: Engine, tmp_path: Path
) -> None:
    """Revision 0007: roles follow from tokens, the space of versions from what was submitted."""
    migrate_to("0006", url, tmp_path)
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO owners (id) VALUES ('root'), ('ada'), ('bob')"))
        connection.execute(text("INSERT INTO bots VALUES ('ant', 'ada', '', 0, 1)"))
        tokens = "INSERT INTO tokens (id, role, owner, bot, secret_sha256, created_us) VALUES"
        connection.execute(
            text(
                f"{tokens} ('t1', 3, 'root', NULL, x'00', 7), ('t2', 2, 'root', NULL, x'00', 5),"
                " ('t3', 2, 'ada', NULL, x'00', 9)"
            )
        )
        versions = "INSERT INTO bot_versions (bot, label, origin, language, created_us, program) VALUES"
        submitted = {"label": "ab" * 32, "program": '{"bytes":4711}'}
        connection.execute(text(f"{versions} ('ant', :label, 2, '', 1, :program)"), submitted)
        connection.execute(text(f"{versions} ('ant', 'mine', 1, '', 1, NULL)"))
    store = Store(url)
    store.migrate()
    users = store.read(lambda tx: tx.users.page(after=None, limit=9))
    assert [(user.id, user.role, user.created_us, user.disabled) for user in users] == [
        ("ada", Role.OWNER, 9, False),
        ("bob", Role.OWNER, 0, False),
        ("root", Role.ORGANISER, 5, False),
    ]
    assert store.read(lambda tx: tx.tokens.page(owner="root", after=None, limit=9)[0].scopes) == frozenset()
    assert store.read(lambda tx: tx.bots.submitted_sizes("ada")) == {"ab" * 32: 4711}
    store.close()


def test_revision_0009_sets_defaults_of_no_shows_and_challenges(
    url: str, engine: Engine, tmp_path: Path
) -> None:
    """Revision 0009."""
    migrate_to("0008", url, tmp_path)
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO owners VALUES ('ada', 2, 0, '{}', 1)"))
        bots = "INSERT INTO bots (id, owner, description, hidden, created_us) VALUES"
        connection.execute(text(f"{bots} ('ant', 'ada', '', 0, 1)"))
    store = Store(url)
    store.migrate()
    assert not store.read(lambda tx: tx.bots.get("ant")).refuses_challenges
    store.close()
    with engine.connect() as connection:
        columns = {column["name"]: column for column in inspect(connection).get_columns("match_seats")}
        assert columns["no_shows"]["default"] == "'0'"


def test_revision_0010_numbers_the_rounds_of_round_robins(url: str, engine: Engine, tmp_path: Path) -> None:
    """Revision 0010: two rounds of three pairings, and a group of a ladder, which has none."""
    migrate_to("0009", url, tmp_path)
    cup = {
        "id": "cup",
        "owner": "ada",
        "format": 1,
        "game": "caravan",
        "rules_version": 1,
        "options": "{}",
        "time_control": "{}",
        "bots": '["ant","bee","cat"]',
        "seats": 2,
        "rounds": 2,
        "seed_policy": 2,
        "state": 2,
        "pairings": 6,
        "matches": 12,
        "ended_matches": 0,
        "unplayed_matches": 0,
        "secret": bytes(32),
        "commitment": bytes(32),
        "created_us": 1,
    }
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO owners VALUES ('ada', 2, 0, '{}', 1)"))
        names = ", ".join(cup)
        values = ", ".join(f":{name}" for name in cup)
        connection.execute(text(f"INSERT INTO tournaments ({names}) VALUES ({values})"), cup)
        groups = "INSERT INTO match_groups (number, bots, seed_policy, created_us, tournament) VALUES"
        for number in range(1, 7):
            connection.execute(text(f"{groups} ({number}, '[]', 2, 1, 'cup')"))
        connection.execute(text(f"{groups} (NULL, '[]', 2, 1, NULL)"))
    store = Store(url)
    store.migrate()
    pairings = store.read(lambda tx: tx.pairings.page("cup", after=0, limit=99))
    assert [(each.round, each.table, each.stage, each.game) for each in pairings] == [
        (round_number, table, 1, 1) for round_number in (1, 2) for table in (1, 2, 3)
    ]
    row = store.read(lambda tx: tx.tournaments.get("cup"))
    assert (row.current_round, row.withdrawals, row.parameters) == (0, (), FormatParameters())
    assert row.suite is None
    assert row.seed_policies == {SeedPolicy.SHARED}
    store.close()
    with engine.connect() as connection:
        of_ladder = connection.execute(text("SELECT round FROM match_groups WHERE tournament IS NULL"))
        assert of_ladder.scalars().all() == [None]


def test_revision_0011_puts_what_there_was_into_the_first_season(
    url: str, engine: Engine, tmp_path: Path
) -> None:
    """Revision 0011: the ledger is copied as it is, and complete groups of ladders belong to season 1."""
    migrate_to("0010", url, tmp_path)
    groups = (
        "INSERT INTO match_groups (id, ladder, number, bots, seed_policy, created_us, completed_us) VALUES"
    )
    ledger = "SELECT ladder, seq, kind, group_id, body, created_us FROM rating_ledger ORDER BY seq"
    with engine.begin() as connection:
        for statement in (
            "INSERT INTO ladders VALUES ('main', 'caravan', 1, '[2]', '{}', '{}', 1, 1, NULL, 0, 3, 2, 7, NULL)",
            f"{groups} (1, 'main', 1, '[]', 1, 1, 9), (2, 'main', 2, '[]', 1, 1, NULL), (3, NULL, 3, '[]', 1, 1, 9)",
            "INSERT INTO rating_ledger VALUES ('main', 1, 1, 1, 'one', 9), ('main', 2, 2, 1, 'two', 9)",
        ):
            connection.execute(text(statement))
        before = connection.execute(text(ledger)).all()
    store = Store(url)
    store.migrate()
    row = store.read(lambda tx: tx.ladders.get("main"))
    assert (row.season, row.title, row.hidden) == (1, "", False)
    assert store.read(lambda tx: [tx.groups.season_of(group) for group in (1, 2, 3)]) == [1, None, None]
    store.close()
    with engine.connect() as connection:
        assert connection.execute(text(ledger)).all() == before


def test_revision_0014_gives_final_matches_and_ledger_entries_their_places(
    url: str, engine: Engine, tmp_path: Path
) -> None:
    """Revision 0014: by the ends of groups; the clock was set back between two entries, which keep their order."""
    migrate_to("0013", url, tmp_path)
    groups = (
        "INSERT INTO match_groups (id, ladder, number, bots, seed_policy, created_us, completed_us) VALUES"
    )
    matches = (
        "INSERT INTO matches (id, group_id, slot, voids, group_index, attempt, rules_version, state, plies, ladder, "
        "game, options, time_control, void_reason, rated, ending, log, seed_commitment, created_us) VALUES"
    )
    rest = "0, 0, 0, 0, 1, 3, 0, 'main', 'caravan', '{}', '{}', '', 1, '', '', x'00', 1"
    ladder = (
        "INSERT INTO ladders (id, game, rules_version, state, finished_matches, groups_created, ledger_seq, "
        "seat_counts, options, time_control, same_owner, created_us)"
    )
    with engine.begin() as connection:
        for statement in (
            f"{ladder} VALUES ('main', 'caravan', 1, 1, 0, 3, 3, '[2]', '{{}}', '{{}}', 0, 1)",
            *(
                f"{groups} ({group}, 'main', {group}, '[]', 1, 1, {end})"
                for group, end in ((1, 90), (2, 50), (3, "NULL"))
            ),
            *(f"{matches} ({match}, {match}, {rest})" for match in (1, 2, 3)),
            "INSERT INTO rating_ledger VALUES ('main', 1, 1, 2, 'one', 60), ('main', 2, 1, 1, 'two', 40)",
        ):
            connection.execute(text(statement))
    store = Store(url)
    store.migrate()
    store.close()
    with engine.connect() as connection:
        order = connection.execute(text("SELECT match_id, seq FROM export_order ORDER BY position")).all()
        assert [tuple(row) for row in order] == [(2, None), (None, 1), (None, 2), (1, None)]
