"""A season closed on a data folder of an older arena, killed around the commit of the close: docs/seasons.md."""

from pathlib import Path

import grpc
import pytest

from arena.cli.season.verification import verify_seasons
from arena.core.seasons import read_document
from arena.match_log.keys import open_key_ring
from arena.pages.export import export_pages
from arena.pages.reads import Connection
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


def test_the_pages_show_closed_seasons_anchors_and_titles_but_no_hidden_ladder(tmp_path: Path) -> None:
    data, folder = unpack_old_folder(tmp_path / "data"), tmp_path / "pages"
    with ArenaProcess(data) as arena:
        arena.ladders.CreateLadder(ladder_id="secret", game="caravan")
        arena.ladders.SetLadderHidden(name="ladders/secret", hidden=True)
        arena.ladders.RenameLadder(name=MAIN, title="Spring <b>term</b>")
        arena.ladders.SetLadderAnchor(name=MAIN, bot="bots/cedar", rating_milli=1_500_000)
        arena.seasons.CloseSeason(**REQUEST)
        token = (data / "organiser.token").read_text().strip()
        export_pages(Connection(arena.unix, token), folder, matches=0)
    ladder = (folder / "ladders" / "main.html").read_text()
    season = (folder / "ladders" / "main" / "seasons" / "1.html").read_text()
    assert "Spring &lt;b&gt;term&lt;/b&gt;" in ladder
    assert 'href="main/seasons/1.html"' in ladder
    assert 'href="../../../bots/amber.html"' in season
    for page in (ladder, season):
        assert page.count(">fixed<") == 1
    assert "secret" not in (folder / "index.html").read_text()
    assert not (folder / "ladders" / "secret.html").exists()
