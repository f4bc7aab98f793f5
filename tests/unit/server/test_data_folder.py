"""The data folder: what a crash leaves half-written goes at the next start (docs/storage.md)."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.core.errors import ErrorReason, UnavailableError
from arena.server.data_folder import DataFolder

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


def test_what_a_crash_has_left_half_written_goes_and_nothing_else(tmp_path: Path) -> None:
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
