"""A solo ladder of an arena that is killed again and again: each board keeps its seed, and counts once."""

import random
from pathlib import Path
from typing import Final

from arena.v1 import match_pb2
from tests.system.crash.campaign import POINTS as ALL_POINTS
from tests.system.crash.campaign import Campaign
from tests.system.crash.killed_arena import BOTS, KilledArena, KillPoint, register

SEED: Final = 5

POINTS: Final = (
    "commit PlanningRound._store, after",
    "commit ResultRecorder.started, after",
    "rename logs/#/#.arenalog, after",
    "commit ResultRecorder._record, before",
    "commit ResultRecorder._record, after",
)


def set_up(arena: KilledArena) -> dict[str, str]:
    """Make the bots, and a solo ladder of them that runs without end; return their tokens."""
    tokens = register(arena)
    arena.ladder("main", *BOTS, game="caravanserai", seat_counts=[1], matches=0)
    return tokens


def test_boards_are_played_to_their_end_on_their_seed_however_often_the_arena_is_killed(
    tmp_path: Path,
) -> None:
    assert set(POINTS) < set(ALL_POINTS)
    campaign = Campaign(tmp_path, set_up)
    draw = random.Random(SEED)
    for point in POINTS:
        campaign.run(KillPoint(point, draw.randint(1, 4)))
    recomputed = campaign.recomputed()
    assert recomputed.identical
    assert recomputed.entries, "some boards are complete"
    endings = {match.ending for match in campaign.told.ended.values()}
    assert endings > {"FORFEIT"}, "some have given up, and some have not"
    assert {match.state for match in campaign.told.ended.values()} == {match_pb2.MATCH_STATE_FINISHED}
