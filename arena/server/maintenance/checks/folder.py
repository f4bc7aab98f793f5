"""Checks of the data folder: who may read it, and whether database and keys are whole."""

import stat
from collections.abc import Iterator
from typing import Final

from arena.core.errors import ArenaError
from arena.match_log.keys import PUBLIC_SUFFIX, SIGNING_FILE, PublicKey, SigningKey, read_public_key
from arena.server.data_folder import DataFolder
from arena.server.maintenance.checks.finding import CheckResult, fail, ok, warn
from arena.store.sqlite_copy import flaws_of
from arena.store.store import Store, is_older, newest_version

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_RESTORE: Final = "Stop the arena and restore a backup with `arena data restore`."


def check_rights(folder: DataFolder) -> CheckResult:
    """Check that secrets can be read by their owner alone."""
    secrets = [path for path in (folder.organiser_token, *folder.keys.glob("*.key")) if path.exists()]
    closed = not folder.path.stat().st_mode & _OTHERS
    open_files = [
        path for path in (*secrets, folder.database) if path.exists() and path.stat().st_mode & _OTHERS
    ]
    exposed = [path for path in open_files if not closed or path in secrets]
    if exposed:
        names = ", ".join(str(path.relative_to(folder.path)) for path in exposed)
        closing = " ".join(map(str, (folder.path, *exposed)))
        return warn(
            "rights",
            f"Others on this machine may read {names}.",
            f"Run `chmod go= {closing}`; if they were read, make new tokens and move the signing key away.",
        )
    return ok("rights", "Nobody else on this machine may read keys, token or database.")


def check_database(folder: DataFolder) -> CheckResult:
    """Check that SQLite finds the database whole."""
    flaws = flaws_of(folder.database)
    if flaws:
        return fail("database", f"The database is damaged: {flaws[0]}.", _RESTORE)
    return ok("database", "SQLite finds nothing wrong with the database.")


def check_schema(store: Store) -> CheckResult:
    """Check that this arena can use the database."""
    found, ours = store.version(), newest_version()
    if found == ours:
        return ok("schema", f"The tables have version {ours}, as this arena has them.")
    if found is None:
        return fail("schema", "The database has no tables.", "Start the arena once, or restore a backup.")
    if is_older(found):
        return warn(
            "schema",
            f"The tables have version {found}.",
            f"`arena serve` brings them to {ours} and keeps a copy.",
        )
    return fail(
        "schema",
        f"The tables have version {found}, and this arena knows them up to {ours}.",
        "Install the newer version of the arena that wrote them.",
    )


def check_keys(folder: DataFolder) -> Iterator[CheckResult]:
    """Whether the keys can be read that logs are signed with and checked by."""
    try:
        signing = SigningKey.from_pem((folder.keys / SIGNING_FILE).read_bytes()).public
        public = public_keys(folder)
    except (OSError, ValueError, ArenaError) as error:
        yield fail("keys", f"A key in {folder.keys} cannot be read: {error}", "Restore keys/ from a backup.")
        return
    if signing not in public:
        yield warn(
            "keys",
            f"The public key {signing.key_id} has no file.",
            "Start the arena once: it writes it again.",
        )
        return
    yield ok("keys", f"Logs are signed with key {signing.key_id}; public keys that are there: {len(public)}.")


def public_keys(folder: DataFolder) -> list[PublicKey]:
    """Return the keys that the folder's logs are checked with. Raises InvalidArgumentError if one cannot be read."""
    return [read_public_key(path) for path in sorted(folder.keys.glob(f"*{PUBLIC_SUFFIX}"))]
