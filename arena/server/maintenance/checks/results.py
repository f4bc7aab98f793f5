"""Checks whether what was played is all there: logs beside results, results beside ratings."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

from arena.core.errors import ArenaError, DataLossError
from arena.core.match_record import OPEN_STATES
from arena.match_log.files import LogFiles
from arena.match_log.keys import PublicKey
from arena.match_log.pruned import prunings
from arena.match_log.verify import VerificationExit, verify
from arena.server.data_folder import DataFolder
from arena.server.maintenance.checks.finding import CheckResult, fail, ok, warn
from arena.server.maintenance.checks.folder import public_keys
from arena.store.ladders.recompute import recompute
from arena.store.matches.log_names import RecordedLog
from arena.store.matches.matches import MatchFilter
from arena.store.store import Store, Transaction
from arena.submissions.version_folders import VersionFolders

SAMPLE: Final = 20
"""So many logs are played again unless all are asked for."""

Progress = Callable[[int, int], None]

_SHOWN: Final = 5
_LADDERS: Final = 1_000


def check_logs(
    folder: DataFolder, store: Store, draw: Random, *, deep: bool, progress: Progress
) -> Iterator[CheckResult]:
    """Check that every log that a result names is there, and that those looked at verify.

    `draw`: chooses the sample. `deep`: looks at all of them.
    """
    named = store.read(lambda tx: list(tx.logs.all()))
    there = set(LogFiles(folder.logs).matches())
    removed = prunings(folder.logs)
    missing = [
        each.match
        for each in named
        if each.match not in there and not any(each.match in one for one in removed)
    ]
    if missing:
        yield fail(
            "logs",
            f"{len(missing)} of {len(named)} logs are not there: of match {_some(missing)}.",
            "Copy them from a backup to the same place; results and ratings do not need them.",
        )
    else:
        gone = sum(1 for each in named if each.match not in there)
        yield ok(
            "logs", f"All {len(named)} logs are there{f', but for {gone} that were pruned' if gone else ''}."
        )
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
    logs, keys = LogFiles(folder.logs), public_keys(folder)
    bad, not_replayed = [], 0
    for count, each in enumerate(named, start=1):
        match _verdict(logs, each, keys):
            case VerificationExit.FAILED:
                bad.append(each.match)
            case VerificationExit.NOT_RESIMULATED:
                not_replayed += 1
        progress(count, len(named))
    if bad:
        return fail(
            "log contents",
            f"{len(bad)} of {len(named)} logs do not verify: of match {_some(bad)}.",
            "Look at them with `arena log verify`, and copy them from a backup.",
        )
    other = f" ({not_replayed} by other versions of the rules were not played again)" if not_replayed else ""
    return ok("log contents", f"{len(named)} of {of} logs were played again and verify{other}.")


def _verdict(logs: LogFiles, named: RecordedLog, keys: Sequence[PublicKey]) -> VerificationExit:
    try:
        return verify(logs.read(named.match), keys=keys, name=named.log).exit_code
    except ArenaError:
        return VerificationExit.FAILED


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
    for ladder in tx.ladders.page(after=None, limit=_LADDERS):
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


def newest_moment_us(store: Store) -> int | None:
    """Return when the newest match was made or has ended, microseconds since 1970 UTC; None if there is none."""
    newest = store.read(lambda tx: tx.matches.page(MatchFilter(), before=None, limit=1))
    return max((each.ended_us or each.created_us for each in newest), default=None)


def _some(matches: Sequence[int]) -> str:
    return ", ".join(str(match) for match in matches[:_SHOWN]) + (", ..." if len(matches) > _SHOWN else "")
