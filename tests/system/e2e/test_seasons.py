"""A season closed on a data folder of an older arena, killed around the commit of the close: docs/seasons.md."""

from pathlib import Path

import grpc
import pytest

from arena.cli.season.verification import verify_seasons
from arena.core.seasons import read_document
from arena.match_log.keys import open_key_ring
from tests.system.play.arena_process import ArenaProcess
from tests.unit.server.maintenance.old_folder import STANDINGS, unpack_old_folder

MAIN = "ladders/main"
REQUEST = {"ladder": MAIN, "request_id": "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"}
COMMIT = "commit ServiceContext.create_once"


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_close_killed_around_its_commit_has_happened_as_a_whole_or_not_at_all(
    tmp_path: Path, moment: str
) -> None:
    data = unpack_old_folder(tmp_path / "data")
    kill_at = {"data": str(data), "point": f"{COMMIT}, {moment}", "passage": 1, "trace": None}
    with ArenaProcess(data, kill_at=kill_at) as killed:
        with pytest.raises(grpc.RpcError):
            killed.seasons.CloseSeason(**REQUEST)
        killed.ended()
    with ArenaProcess(data) as arena:
        assert len(arena.seasons.ListSeasons(ladder=MAIN).seasons) == (moment == "after")
        assert arena.ladders.GetLadder(name=MAIN).ladder.season == (2 if moment == "after" else 1)
        assert arena.ladders.RecomputeLadder(name=MAIN).identical

        season = arena.seasons.CloseSeason(**REQUEST).season

        assert season.number == 1
        assert arena.seasons.GetSeason(name=season.name).season == season
        lines = [(line.bot, line.value_milli, line.matches) for line in read_document(season.document).lines]
        assert lines == [line for line in STANDINGS if line[2]]
        answer = arena.ladders.RecomputeLadder(name=MAIN)
        assert (answer.identical, answer.entries) == (True, 5)
        (verdict,) = verify_seasons([season], open_key_ring(data / "keys").public)
        assert not verdict.problem
        with pytest.raises(grpc.RpcError):
            arena.seasons.CloseSeason(ladder=MAIN)  # nothing has been played in season 2
