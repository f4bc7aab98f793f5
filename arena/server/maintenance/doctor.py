"""`arena doctor`: all checks that need no running arena; here those of results, logs and ratings."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from random import Random
from typing import Final

from arena.core.errors import ArenaError, DataLossError, InvalidArgumentError
from arena.core.match_record import OPEN_STATES
from arena.match_log.files import LogFiles
from arena.match_log.pruned import prunings
from arena.match_log.verify import VerificationExit, verify
from arena.sandbox.capabilities import find_capabilities
from arena.scheduling.wall_clock import now_us
from arena.server.data_folder import DataFolder
from arena.server.maintenance import checks
from arena.server.maintenance.checks import CheckResult, Level, fail, ok, warn
from arena.server.runtimes import open_runtimes
from arena.server.settings import Settings
from arena.store.ladders.recompute import recompute
from arena.store.matches.log_names import RecordedLog
from arena.store.store import Store, Transaction
from arena.submissions.version_folders import VersionFolders

SAMPLE: Final = 20
"""So many logs are played again unless all are asked for."""

Progress = Callable[[int, int], None]

_SHOWN: Final = 5
_LADDERS: Final = 1_000


def examine(settings: Settings, *, deep: bool, progress: Progress, software: str) -> Iterator[CheckResult]:
    """Yield what the checks find, one after the other; nothing is changed. Blocks.

    `settings`: as the arena would be started; `deep`: every log is played again.
    """
    folder = DataFolder(settings.data)
    yield checks.check_software(software)
    yield checks.check_quiet(time.sleep, time.monotonic_ns)
    machine = find_capabilities()
    yield from checks.check_sandbox(machine)
    yield from checks.check_runtimes(settings, machine)
    if not folder.path.is_dir():
        says = f"{folder.path} is not there."
        yield warn("data folder", says, "`arena serve` creates it. To check another folder, use --data.")
        yield checks.check_port(settings.host, settings.port)
        return
    runs = folder.in_use
    yield ok("data folder", f"{folder.path}, {'in use by an' if runs else 'with no running'} arena.")
    if not runs:
        yield checks.check_port(settings.host, settings.port)
    yield checks.check_disk(folder, settings.keep_free_mb)
    yield checks.check_rights(folder)
    yield from _kept(settings, runs=runs, deep=deep, progress=progress)


def _kept(settings: Settings, *, runs: bool, deep: bool, progress: Progress) -> Iterator[CheckResult]:
    """Check database, keys and logs; after one that cannot be read, the rest is left out."""
    folder = DataFolder(settings.data)
    if not folder.has_database:
        yield warn("database", "There is none yet.", "Start the arena once, or restore a backup.")
        return
    database = checks.check_database(folder)
    yield database
    yield checks.check_keys(folder)
    if database.level is Level.FAIL:
        return
    try:
        with closing(Store(folder.database_url)) as store:
            schema = checks.check_schema(store)
            yield schema
            if schema.level is Level.OK:
                yield checks.check_clock(now_us(), checks.newest_moment_us(store))
                yield check_open_matches(store, runs=runs)
                yield check_standings(store)
                yield check_versions(folder, store, deep=deep)
                with suppress(InvalidArgumentError):  # reported before
                    yield checks.check_needed_runtimes(store, open_runtimes(settings))
                yield from check_logs(folder, store, Random(), deep=deep, progress=progress)
    except ArenaError as error:
        yield fail("storage", error.sentence, "Repair what the sentence names, and check again.")


def check_logs(
    folder: DataFolder, store: Store, draw: Random, *, deep: bool, progress: Progress
) -> Iterator[CheckResult]:
    """Check that every log that a result names is there, and that those looked at verify.

    `draw`: chooses the sample. `deep`: looks at all of them.
    """
    named = store.read(lambda tx: list(tx.logs.all()))
    there = set(LogFiles(folder.logs).matches())
    removed = prunings(folder.logs)
    gone = [each.match for each in named if each.match not in there]
    missing = [match for match in gone if not any(match in one for one in removed)]
    if missing:
        yield fail(
            "logs",
            f"{len(missing)} of {len(named)} logs are not there: of match {_some(missing)}.",
            "Copy them from a backup to the same place; results and ratings do not need them.",
        )
    else:
        pruned = f", but for {len(gone)} that were pruned" if gone else ""
        yield ok("logs", f"All {len(named)} logs are there{pruned}.")
    present = [each for each in named if each.match in there]
    looked_at = present if deep else draw.sample(present, min(SAMPLE, len(present)))
    yield _verified(folder, looked_at, of=len(present), progress=progress)


def check_versions(folder: DataFolder, store: Store, *, deep: bool) -> CheckResult:
    """Check that every submitted version is there. `deep`: every file of them is read."""
    named = store.read(lambda tx: tx.bots.submitted_hashes())
    kept = [version for version in named if (folder.versions / version / "source").is_dir()]
    if deep and kept:
        folders = VersionFolders(folder.versions)
        kept = [version for version in kept if folders.is_whole(version)]
    lost = sorted(set(named) - set(kept))
    if lost:
        return fail(
            "versions",
            f"{len(lost)} of {len(named)} submitted versions are not there, or not whole: {lost[0][:12]} is one.",
            "Copy their folders from a backup to `versions` in the data folder, or let their owners submit them again.",
        )
    return ok("versions", f"All {len(named)} submitted versions are there{' and whole' if deep else ''}.")


def _verified(
    folder: DataFolder, named: Sequence[RecordedLog], *, of: int, progress: Progress
) -> CheckResult:
    logs, keys = LogFiles(folder.logs), checks.public_keys(folder)
    bad, not_replayed = [], 0
    for count, each in enumerate(named, start=1):
        try:
            verdict = verify(logs.read(each.match), keys=keys, name=each.log).exit_code
        except ArenaError:
            verdict = VerificationExit.FAILED
        if verdict is VerificationExit.FAILED:
            bad.append(each.match)
        not_replayed += verdict is VerificationExit.NOT_RESIMULATED
        progress(count, len(named))
    if bad:
        return fail(
            "log contents",
            f"{len(bad)} of {len(named)} logs do not verify: of match {_some(bad)}.",
            "Look at them with `arena log verify`, and copy them from a backup.",
        )
    other = f" ({not_replayed} by other versions of the rules were not played again)" if not_replayed else ""
    return ok("log contents", f"{len(named)} of {of} logs were played again and verify{other}.")


def check_standings(store: Store) -> CheckResult:
    """Check that every ladder's ratings follow from its ledger, and solo scores from the matches."""
    differing, entries = store.read(_recomputed)
    if differing:
        return fail(
            "standings",
            f"The standings of {', '.join(differing)} are not what the ledger, or the matches, say.",
            "Look with `arena ladder recompute`, and restore a backup.",
        )
    return ok("standings", f"Computing {entries} entries again gives all standings to the last bit.")


def _recomputed(tx: Transaction) -> tuple[list[str], int]:
    differing, entries = [], 0
    for ladder in tx.ladders.page(show_hidden=True, show_archived=True, after=None, limit=_LADDERS):
        try:
            again = recompute(tx, ladder.id)
        except DataLossError:
            differing.append(ladder.id)
            continue
        entries += again.entries
        if not again.identical:
            differing.append(ladder.id)
    return differing, entries


def check_open_matches(store: Store, *, runs: bool) -> CheckResult:
    """Count what has not ended. `runs`: whether an arena runs on the folder."""
    open_matches = store.read(lambda tx: sum(tx.tallies.in_state(state) for state in OPEN_STATES))
    if open_matches and not runs:
        return warn(
            "open matches",
            f"{open_matches} matches have not ended.",
            "Start the arena: those that were being played are played again, the others begin.",
        )
    return ok("open matches", f"{open_matches} matches have not ended.")


def _some(matches: Sequence[int]) -> str:
    return ", ".join(str(match) for match in matches[:_SHOWN]) + (", ..." if len(matches) > _SHOWN else "")
