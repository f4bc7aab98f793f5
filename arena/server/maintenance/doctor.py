"""`arena doctor`: all checks that need no running arena."""

import fcntl
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from random import Random

from arena.core.errors import ArenaError
from arena.sandbox.capabilities import find_capabilities
from arena.scheduling.wall_clock import now_us
from arena.server.data_folder import DataFolder
from arena.server.maintenance.checks.finding import CheckResult, Level, fail, ok, warn
from arena.server.maintenance.checks.folder import check_database, check_keys, check_rights, check_schema
from arena.server.maintenance.checks.machine import (
    check_clock,
    check_disk,
    check_port,
    check_quiet,
    check_software,
)
from arena.server.maintenance.checks.results import (
    Progress,
    check_logs,
    check_open_matches,
    check_standings,
    check_versions,
    newest_moment_us,
)
from arena.server.maintenance.checks.sandbox import check_sandbox
from arena.server.settings import Settings
from arena.store.store import Store


@dataclass(frozen=True, slots=True)
class Thoroughness:
    """How much is looked at."""

    deep: bool
    """Every log is played again."""
    progress: Progress


def examine(settings: Settings, how: Thoroughness, *, software: str) -> Iterator[CheckResult]:
    """Yield what the checks find, one after the other; nothing is changed. Blocks.

    `settings`: as the arena would be started.
    """
    folder = DataFolder(settings.data)
    yield check_software(software)
    yield check_quiet(time.sleep, time.monotonic_ns)
    yield from check_sandbox(find_capabilities())
    if not folder.path.is_dir():
        yield warn(
            "data folder",
            f"{folder.path} is not there.",
            "`arena serve` makes it; or name another with --data.",
        )
        yield check_port(settings.host, settings.port)
        return
    runs = is_in_use(folder)
    yield ok("data folder", f"{folder.path}, with {'a running' if runs else 'no running'} arena.")
    if not runs:
        yield check_port(settings.host, settings.port)
    yield check_disk(folder, settings.keep_free_mb)
    yield check_rights(folder)
    yield from _kept(folder, how, runs=runs)


def _kept(folder: DataFolder, how: Thoroughness, *, runs: bool) -> Iterator[CheckResult]:
    """Check database, keys and logs; after one that cannot be read, the rest is left out."""
    if not folder.database.is_file():
        yield warn("database", "There is none yet.", "Start the arena once, or restore a backup.")
        return
    database = check_database(folder)
    yield database
    yield from check_keys(folder)
    if database.level is Level.FAIL:
        return
    try:
        with closing(Store(folder.database_url)) as store:
            schema = check_schema(store)
            yield schema
            if schema.level is Level.OK:
                yield from _results(folder, store, how, runs=runs)
    except ArenaError as error:
        yield fail("storage", error.sentence, "Repair what the sentence names, and check again.")


def _results(folder: DataFolder, store: Store, how: Thoroughness, *, runs: bool) -> Iterator[CheckResult]:
    yield check_clock(now_us(), newest_moment_us(store))
    yield check_open_matches(store, runs=runs)
    yield check_standings(store)
    yield check_versions(folder, store, deep=how.deep)
    yield from check_logs(folder, store, Random(), deep=how.deep, progress=how.progress)


def is_in_use(folder: DataFolder) -> bool:
    """Whether an arena runs on the folder."""
    try:
        with (folder.path / "arena.lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False
