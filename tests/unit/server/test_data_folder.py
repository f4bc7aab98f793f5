"""The data folder: what a crash leaves half-written, and the organiser's token in it (docs/storage.md)."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest

from arena.core.errors import ErrorReason, FailedPreconditionError, UnavailableError
from arena.core.tokens import parse_token
from arena.core.units import SOCKET_PATH_BYTES
from arena.server.app import FIRST_OWNER, open_store
from arena.server.auth.authentication import is_valid
from arena.server.data_folder import DataFolder
from arena.store.accounts.tokens import Role
from arena.store.audit.entries import AuditFilter
from arena.store.store import Store

WASTE = (
    "server.json.unfinished",
    "organiser.token.unfinished",
    "keys/signing.key.unfinished",
    "logs/000/000017.arenalog.unfinished",
    "debug/000/000017.seat0.jsonl.unfinished",
    "backups/arena-0001-20261121T093005Z.db.unfinished",
    "backups/arena-0001-20261121T093005Z.db.unfinished-journal",
)
KEPT = ("organiser.token", "logs/000/000017.arenalog", "backups/arena-20261121T093005Z.tar.zst.unfinished")
"""The last one may be a backup that is being written while the arena starts."""


def test_only_unfinished_files_of_a_crash_are_removed(tmp_path: Path) -> None:
    for name in (*WASTE, *KEPT):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("half")
    folder = DataFolder(tmp_path)
    assert folder.discard_unfinished() == len(WASTE)
    left = [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()]
    assert sorted(left) == sorted(KEPT)
    assert folder.discard_unfinished() == 0


def test_a_secret_is_for_its_owner_alone_and_whole_or_not_there(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.write_secret(folder.organiser_token, "arn_1\n")
    assert folder.organiser_token.read_text() == "arn_1\n"
    assert folder.organiser_token.stat().st_mode & 0o777 == 0o600
    (tmp_path / "file").write_text("")
    with pytest.raises(UnavailableError, match="free some space") as refused:
        folder.write_secret(tmp_path / "file" / "token", "arn_2\n")
    assert refused.value.reason is ErrorReason.STORAGE


def first_token(folder: DataFolder, store: Store) -> tuple[str, bool]:
    """Return the public id of the token in the folder, and whether it is valid."""
    text = parse_token(folder.organiser_token.read_text().strip())
    assert text is not None
    token = store.read(lambda tx: tx.tokens.find(text.id))
    assert token is not None
    return text.id, is_valid(token, store.read(lambda tx: tx.users.get(FIRST_OWNER)), 1 << 60)


def test_a_removed_organiser_token_is_replaced_at_the_next_start(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    store = open_store(folder, folder.database_url)
    before, works = first_token(folder, store)
    assert works
    store.write(lambda tx: tx.users.set_role(FIRST_OWNER, Role.SPECTATOR))
    store.write(lambda tx: tx.users.set_disabled(FIRST_OWNER, True))
    assert first_token(folder, store) == (before, False)
    store.close()
    store = open_store(folder, folder.database_url)
    assert first_token(folder, store) == (before, False)
    store.close()
    folder.organiser_token.unlink()
    store = open_store(folder, folder.database_url)
    after, works = first_token(folder, store)
    assert works
    assert after != before
    leaked = store.read(lambda tx: tx.tokens.find(before))
    assert leaked is not None
    assert leaked.revoked_us is not None
    entries = store.read(lambda tx: tx.audit.page(AuditFilter(), before=None, limit=9))
    assert [entry.about for entry in entries] == [
        (f"tokens/{each}", f"users/{FIRST_OWNER}") for each in (after, before)
    ]
    store.close()


@pytest.mark.parametrize("beyond", [0, 1])
def test_the_socket_is_where_grpc_can_listen(tmp_path: Path, beyond: int) -> None:
    room = SOCKET_PATH_BYTES - len(os.fsencode(tmp_path.resolve() / "x" / "arena.sock")) + 1
    folder = tmp_path / ("x" * (room + beyond))
    folder.mkdir()
    path = DataFolder(folder).socket()
    server = grpc.server(ThreadPoolExecutor(1))
    if beyond:
        assert path is None
        with pytest.raises(RuntimeError):
            server.add_insecure_port(f"unix://{folder.resolve()}/arena.sock")
    else:
        assert server.add_insecure_port(f"unix://{path}")
    server.stop(None)


def refused(folder: DataFolder, url: str | None = None) -> ErrorReason:
    """Return why the folder's database is refused."""
    with pytest.raises(FailedPreconditionError) as caught:
        folder.choose_database(url)
    return caught.value.reason


@pytest.mark.parametrize("text", ["", "arena.db", "sqlite:///arena.db", "\udcff"])
def test_a_file_that_names_no_database_starts_no_new_one(tmp_path: Path, text: str) -> None:
    (tmp_path / "database.url").write_text(text, errors="surrogateescape")
    assert refused(DataFolder(tmp_path)) is ErrorReason.STORAGE


def test_an_arena_that_has_lost_its_database_is_not_begun_anew(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    assert folder.choose_database(None).startswith("sqlite:")
    folder.write_secret(folder.organiser_token, "arn_1\n")
    assert refused(folder) is ErrorReason.STORAGE
    assert refused(folder, "postgresql://ada@db.example/arena") is ErrorReason.STORAGE
    folder.keep_database("postgresql://ada@db.example/arena")
    assert folder.choose_database(None) == "postgresql://ada@db.example/arena"
