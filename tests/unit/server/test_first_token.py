"""The operator of an arena's machine always has a way back in (docs/accounts.md)."""

from __future__ import annotations

from pathlib import Path

from arena.core.tokens import parse_token
from arena.server.app import FIRST_OWNER, open_store
from arena.server.auth.authentication import is_valid
from arena.server.data_folder import DataFolder
from arena.store.accounts.tokens import Role
from arena.store.audit.entries import AuditFilter
from arena.store.store import Store


def first_token(folder: DataFolder, store: Store) -> tuple[str, bool]:
    """Return the public id of the token in the folder, and whether it is valid."""
    text = parse_token(folder.organiser_token.read_text().strip())
    assert text is not None
    token = store.read(lambda tx: tx.tokens.get(text.id))
    assert token is not None
    return text.id, is_valid(token, store.read(lambda tx: tx.users.get(FIRST_OWNER)), 1 << 60)


def test_a_removed_organiser_token_is_replaced_at_the_next_start(
    tmp_path: Path,
) -> None:
    folder = DataFolder(tmp_path)
    store = open_store(folder)
    before, works = first_token(folder, store)
    assert works
    store.write(lambda tx: tx.users.set_role(FIRST_OWNER, Role.SPECTATOR))
    store.write(lambda tx: tx.users.set_disabled(FIRST_OWNER, True))
    assert first_token(folder, store) == (before, False)
    store.close()
    store = open_store(folder)
    assert first_token(folder, store) == (before, False)
    store.close()
    folder.organiser_token.unlink()
    store = open_store(folder)
    after, works = first_token(folder, store)
    assert works
    assert after != before
    leaked = store.read(lambda tx: tx.tokens.get(before))
    assert leaked is not None
    assert leaked.revoked_us is not None
    entries = store.read(lambda tx: tx.audit.page(AuditFilter(), before=None, limit=9))
    assert [entry.about for entry in entries] == [
        (f"tokens/{each}", f"users/{FIRST_OWNER}") for each in (after, before)
    ]
    store.close()
