"""kill -9 of the real server at every named point and at moments that are none (docs/storage.md).

CRASH_SEED and CRASH_KILLS, or `make crash SEED=... KILLS=...`, repeat a campaign or make it longer.
"""

import os
from pathlib import Path

from tests.system.crash.campaign import POINTS, SOMETIMES, Campaign, run
from tests.system.crash.killed_arena import KilledArena, KillPoint, set_up

SEED = int(os.environ.get("CRASH_SEED", "1"))
KILLS = int(os.environ.get("CRASH_KILLS", str(len(POINTS) + 2)))

FIRST_START = (
    "fsync keys/#.pub.unfinished, before",
    "rename keys/#.pub, after",
    "rename keys/signing.key, before",
    "rename keys/pages.key, before",
    "commit migration, before",
    "commit open_store, after",
    "rename organiser.token, before",
    "rename organiser.token, after",
)
"""Where the very first start of an arena may die."""


def passed(trace: Path) -> list[str]:
    """Return the points in the order in which they were passed."""
    return trace.read_text().splitlines()


def test_every_point_that_an_arena_passes_is_one_of_the_campaign(
    tmp_path: Path, database: str | None
) -> None:
    """A new commit, fsync or rename has to be named there, and one that is gone has to go."""
    campaign = Campaign(tmp_path, closes_seasons=True, database=database)
    campaign.run(None)  # makes the folders
    for _ in range(2):
        campaign.run(None, trace=tmp_path / "trace")
    assert sorted(set(passed(tmp_path / "trace")) - set(SOMETIMES)) == sorted(POINTS)


def test_a_result_is_sent_after_its_commit_which_comes_after_its_log(tmp_path: Path) -> None:
    """Design section 8: file written, synced, renamed, folder synced; one transaction; then the bots."""
    campaign = Campaign(tmp_path)
    campaign.run(KillPoint("commit ResultRecorder._record, after", 1), trace=tmp_path / "trace")
    first = passed(tmp_path / "trace")
    assert campaign.told.ended == {}
    order = [
        "fsync logs/#/#.arenalog.unfinished, after",
        "rename logs/#/#.arenalog, after",
        "fsync logs/#, after",
        "commit ResultRecorder._record, before",
        "commit ResultRecorder._record, after",
    ]
    places = [first.index(point) for point in order]
    assert places == sorted(places)


def test_nothing_is_lost_however_often_the_arena_dies(tmp_path: Path, database: str | None) -> None:
    campaign = run(tmp_path, SEED, KILLS, database)
    assert len(campaign.told.ended) >= KILLS // 2
    assert len(campaign.told.seasons) >= KILLS // 10


def test_a_first_start_that_dies_is_made_good_by_the_next_one(tmp_path: Path) -> None:
    for number, point in enumerate(FIRST_START):
        data = tmp_path / str(number) / "data"
        data.mkdir(parents=True)
        first = KilledArena(data, KillPoint(point, 1))
        assert not first.open(), point
        first.kill()
        second = KilledArena(data, None)
        assert second.open(), "".join(second.log)
        assert len(set_up(second)) == 3
        second.kill()
        assert not [path for path in data.rglob("*") if "unfinished" in path.name]
