"""A solo ladder through many deaths of the arena: each board stays one board, on one seed, and counts once."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

from arena.v1 import match_pb2
from tests.system.crash.campaign import Campaign
from tests.system.crash.mortal import BOTS, LADDER, Death, Life
from tests.system.play.arena_process import SLOW

SEED: Final = 5

POINTS: Final = (
    "commit Ladders._store_group, after",
    "commit MatchManager._begin, after",
    "rename logs/#/#.arenalog, after",
    "commit ResultRecorder._record, before",
    "commit ResultRecorder._record, after",
)


def found(life: Life) -> dict[str, str]:
    """Make the bots, and a solo ladder of them that runs without end."""
    tokens = life.register()
    life.ladder("CreateLadder", ladder_id="main", game="caravanserai", seat_counts=[1], time_control=SLOW)
    for bot in BOTS:
        life.ladder("JoinLadder", name=LADDER, bot=f"bots/{bot}")
    life.ladder("RunLadder", name=LADDER)
    return tokens


def test_boards_are_played_to_their_end_on_their_seed_however_often_the_arena_dies(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path, found)
    draw = random.Random(SEED)
    try:
        for point in POINTS:
            campaign.live(Death(point, draw.randint(1, 4)))
        recomputed = campaign.recomputed()
    finally:
        campaign.close()
    assert recomputed.identical
    assert recomputed.entries, "some boards are complete"
    endings = {match.ending for match in campaign.told.ended.values()}
    assert endings > {"FORFEIT"}, "some have given up, and some have not"
    assert {match.state for match in campaign.told.ended.values()} == {match_pb2.MATCH_STATE_FINISHED}
