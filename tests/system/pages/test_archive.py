"""Archived ladders and tournaments on pages: in no list unless asked for, and found by their addresses."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.v1 import tournament_pb2
from tests.system.pages.pages_process import PagesProcess, export
from tests.system.play.arena_process import ArenaProcess


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaProcess]:
    """Yield an arena with a ladder and a tournament that are archived, and others that are not."""
    with ArenaProcess(tmp_path_factory.mktemp("archive") / "data") as process:
        for bot in ("ant", "bee"):
            process.bots.CreateBot(bot_id=bot)
        for name in ("old", "new"):
            process.ladders.CreateLadder(ladder_id=f"{name}-ladder", game="caravan", seat_counts=[2])
            process.tournaments.CreateTournament(
                tournament_id=f"{name}-cup",
                format=tournament_pb2.Tournament.FORMAT_ROUND_ROBIN,
                game="caravan",
                bots=["bots/ant", "bots/bee"],
                seats=2,
            )
        process.ladders.SetLadderArchived(name="ladders/old-ladder", archived=True)
        process.tournaments.SetTournamentArchived(name="tournaments/old-cup", archived=True)
        yield process


def test_lists_leave_archived_ones_out_unless_asked_and_their_pages_and_files_stay(
    arena: ArenaProcess, tmp_path: Path
) -> None:
    with PagesProcess("--data", str(arena.data)) as pages:
        for place in ("", "ladders", "tournaments", "wall", "ladders?archived=0", "ladders?archived=x"):
            assert "old-" not in pages.get(place).text, place
        for place, name in (("ladders", "old-ladder"), ("tournaments", "old-cup")):
            assert f"/{place}/{name}" in pages.get(f"{place}?archived=1").text
            assert f"/{place}?archived=1" in pages.get(place).text
            page = pages.get(f"{place}/{name}")
            assert (page.status, "rchived" in page.text) == (200, True)
            assert pages.get(f"{place}/{name}/standings.csv").status == 200
            assert name not in pages.get(f"v1/{place}").text
            assert name in pages.get(f"v1/{place}?show_archived=true").text
    folder = tmp_path / "pages"
    done = export(folder, "--data", str(arena.data))
    assert done.returncode == 0, done.stderr
    assert (folder / "ladders" / "old-ladder.html").exists()
    assert (folder / "tournaments" / "old-cup.html").exists()
    assert "old-" not in (folder / "index.html").read_text()
    assert "ladders/old-ladder.html" in (folder / "ladders.html").read_text()
