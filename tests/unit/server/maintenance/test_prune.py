"""Retention of logs: old ones go, results and ratings stay (docs/operations.md)."""

import fcntl
import os
from contextlib import closing
from pathlib import Path

import pytest

from arena.core.errors import ArenaError, DataLossError, ErrorReason
from arena.match_log.files import LogFiles
from arena.match_log.pruned import Pruning, note_pruning, prunings, ranges_of
from arena.server.data_folder import DataFolder
from arena.server.maintenance.prune import Pruned, Retention, prune
from arena.store.ladders.recompute import recompute
from arena.store.store import Store
from tests.unit.server.maintenance.old_folder import FINISHED, rows

NOW_US = 1_795_253_405_000_000  # 2026-11-21 09:30:05Z, by `date -u -d @1795253405`
ALL = 2**62


@pytest.fixture
def folder(folder: DataFolder) -> DataFolder:
    """Add debug lines of match 7; the ten logs are those of four groups."""
    lines = folder.debug_lines / "000"
    lines.mkdir(parents=True)
    for name in ("000007.seat0.jsonl", "000007.seat1.jsonl", "000013.seat0.jsonl"):
        (lines / name).write_text("{}\n")
    return folder


def left(folder: DataFolder) -> tuple[int, ...]:
    """Return the matches with logs."""
    return tuple(LogFiles(folder.logs).matches())


def pruned(folder: DataFolder, store: Store, retention: Retention, dry_run: bool = False) -> Pruned:
    """Return what pruning gives."""
    return prune(folder, store, retention, now_us=NOW_US, dry_run=dry_run)


def ended_us(folder: DataFolder, match: int) -> int:
    """Return when the group of a match had ended."""
    query = (
        "SELECT completed_us FROM match_groups JOIN matches ON group_id = match_groups.id WHERE matches.id ="
    )
    [(completed_us,)] = rows(folder.database, f"{query} {match}")
    assert isinstance(completed_us, int)
    return completed_us


def test_logs_go_by_the_end_of_their_group_and_the_newest_stay_however_old(folder, store):
    assert left(folder) == FINISHED
    # Group 1 is matches 1 and 2; group 3, which ended next, is matches 7 and 10.
    assert pruned(folder, store, Retention(ended_us(folder, 1))).matches == ()
    assert pruned(folder, store, Retention(ended_us(folder, 1) + 1)).matches == (1, 2)
    assert pruned(folder, store, Retention(ALL, keep_last=3)).matches == (3, 7, 8, 9, 10)
    assert left(folder) == (11, 12, 13)
    assert pruned(folder, store, Retention(ALL, keep_last=99)).matches == ()


def test_the_log_of_a_match_whose_group_is_still_open_stays(folder, store):
    rows(folder.database, "UPDATE match_groups SET completed_us = NULL WHERE id = 1")

    pruned(folder, store, Retention(ALL))

    assert left(folder) == (1, 2)


def test_a_dry_run_says_the_same_and_changes_nothing(folder, store):
    said = pruned(folder, store, Retention(ALL, keep_last=3), dry_run=True)

    assert left(folder) == FINISHED
    assert prunings(folder.logs) == ()
    sizes = (path.stat().st_size for path in folder.path.glob("[ld]*/000/*") if int(path.name[:6]) <= 10)
    assert said == Pruned((1, 2, 3, 7, 8, 9, 10), sum(sizes))
    assert pruned(folder, store, Retention(ALL, keep_last=3)) == said


def test_debug_lines_go_with_the_log(folder, store):
    pruned(folder, store, Retention(ALL, keep_last=1))

    assert [path.name for path in (folder.debug_lines / "000").iterdir()] == ["000013.seat0.jsonl"]


def test_the_error_of_a_pruned_log_says_when_it_was_pruned(folder, store):
    pruned(folder, store, Retention(ALL, keep_last=3))

    with pytest.raises(DataLossError) as caught:
        LogFiles(folder.logs).read(7)
    assert caught.value.reason is ErrorReason.LOG_MISSING
    assert caught.value.metadata == {"pruned": "2026-11-21"}
    with pytest.raises(DataLossError, match="not where it should"):
        LogFiles(folder.logs).read(4)


def test_a_damaged_record_of_prunings_is_no_reason_to_fail_otherwise(folder, store):
    pruned(folder, store, Retention(ALL))
    (folder.logs / "pruned.jsonl").write_text("{")

    with pytest.raises(DataLossError, match="not where it should"):
        LogFiles(folder.logs).read(7)
    with pytest.raises(DataLossError, match=r"pruned\.jsonl, is damaged"):
        prunings(folder.logs)


def test_pruning_changes_no_results_and_ratings(folder, store):
    before = store.read(lambda tx: (tx.entries.all("main"), [tx.matches.get(match) for match in FINISHED]))

    pruned(folder, store, Retention(ALL))

    after = store.read(lambda tx: (tx.entries.all("main"), [tx.matches.get(match) for match in FINISHED]))
    assert after == before
    assert store.read(lambda tx: recompute(tx, "main")).identical


def test_logs_may_be_moved_to_a_folder_instead(folder, store, tmp_path):
    logs = {match: LogFiles(folder.logs).read(match) for match in FINISHED}

    pruned(folder, store, Retention(ALL, archive=tmp_path / "old" / "logs"))

    assert left(folder) == ()
    assert {match: LogFiles(tmp_path / "old" / "logs").read(match) for match in FINISHED} == logs
    with pytest.raises(DataLossError, match="moved to logs"):
        LogFiles(folder.logs).read(7)


def test_without_a_writable_archive_nothing_is_pruned(folder, store, tmp_path):
    (tmp_path / "old").write_text("a file where the folder should be")

    with pytest.raises(ArenaError, match="could not be pruned"):
        pruned(folder, store, Retention(ALL, archive=tmp_path / "old"))

    assert left(folder) == FINISHED


def test_prunings_are_recorded_before_files_are_removed(folder, store, monkeypatch):
    def refuse(self: Path, missing_ok: bool = False) -> None:
        raise OSError(5, "Input/output error", str(self))

    with monkeypatch.context() as broken:
        broken.setattr(Path, "unlink", refuse)
        with pytest.raises(ArenaError, match="on record"):
            pruned(folder, store, Retention(ALL))

    assert all(match in prunings(folder.logs)[0] for match in FINISHED)
    assert pruned(folder, store, Retention(ALL)).matches == FINISHED


def test_a_folder_is_pruned_by_one_process_at_a_time(folder, store):
    handle = os.open(folder.logs, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        with pytest.raises(ArenaError, match="being pruned already"):
            pruned(folder, store, Retention(ALL))
    finally:
        os.close(handle)


def test_an_arena_without_logs_has_nothing_to_prune(tmp_path):
    folder = DataFolder(tmp_path)
    with closing(Store(folder.database_url)) as store:
        store.migrate()
        assert pruned(folder, store, Retention(ALL)) == Pruned((), 0)


def test_ids_are_kept_as_rows_without_gaps(tmp_path):
    assert ranges_of([]) == ()
    assert ranges_of([7, 3, 1, 2, 9, 8, 3]) == ((1, 3), (7, 9))
    first, second = Pruning(5, ((1, 3), (7, 9)), ""), Pruning(6, ((4, 4),), "/old")
    note_pruning(tmp_path, first)
    note_pruning(tmp_path, second)
    assert prunings(tmp_path) == (first, second)
    assert [match for match in range(12) if match in first] == [1, 2, 3, 7, 8, 9]
