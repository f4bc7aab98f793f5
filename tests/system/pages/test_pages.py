"""The web pages of a real arena, over HTTP: every route, what it refuses, and what no route shows."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from arena.cli.framework.processes import without_arena
from arena.v1 import tournament_pb2
from tests.system.play.arena_process import SLOW, WAIT_S, ArenaProcess

HOSTILE = "<script>alert(1)</script>" + "x" * 150
PLACES = [
    *("", "ladders", "ladders/main", "bots", "bots/ant", "matches", "now", "wall"),
    *("tournaments", "tournaments/cup", "tournaments/open", "wall?tournament=cup", "wall?tournament=open"),
]
"""Pages of the arena of this file, beside its matches."""


CUP = "tournaments/cup"
SUITE = {"name": "mine", "text": f"game caravan\nseats 2\nopen {'5e' * 32}\nshut {'0f' * 32}\n"}
"""A knockout of ant and bee, who never come."""


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaProcess]:
    data = tmp_path_factory.mktemp("pages") / "data"
    with ArenaProcess(data) as process:
        process.bot("ant")
        process.bots.CreateBot(bot_id="bee", description=HOSTILE)
        process.ladders.CreateLadder(ladder_id="main", game="caravan", seat_counts=[2], time_control=SLOW)
        for bot in ("ant", "bee"):
            process.ladders.JoinLadder(name="ladders/main", bot=f"bots/{bot}")
        knockout = {"format": tournament_pb2.Tournament.FORMAT_KNOCKOUT, "game": "caravan", "suite": SUITE}
        process.tournaments.CreateTournament(tournament_id="cup", bots=["bots/ant", "bots/bee"], **knockout)
        swiss = knockout | {"format": tournament_pb2.Tournament.FORMAT_SWISS}
        process.tournaments.CreateTournament(tournament_id="open", bots=["bots/ant", "bots/bee"], **swiss)
        process.tournaments.RunTournament(name=CUP)
        process.wait_for("round planned")
        yield process


@pytest.fixture(scope="module")
def address(arena: ArenaProcess) -> Iterator[str]:
    """Pages that were started with the organiser's token."""
    command = [sys.executable, "-m", "arena.cli.app", "pages", "--data", str(arena.data), "--port", "0"]
    pages = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=without_arena({}))
    try:
        assert pages.stdout is not None
        yield next(word for word in pages.stdout.readline().split() if word.startswith("http")).rstrip(".")
    finally:
        pages.terminate()
        pages.communicate(timeout=WAIT_S)


def get(address: str, place: str, **headers: str) -> tuple[int, str, dict[str, str]]:
    """Return status, body and headers."""
    try:
        with urlopen(Request(address + place, headers=headers), timeout=WAIT_S) as answer:
            return answer.status, answer.read().decode(), {k.lower(): v for k, v in answer.headers.items()}
    except HTTPError as error:
        return error.code, error.read().decode(), {k.lower(): v for k, v in error.headers.items()}


@pytest.mark.parametrize("place", PLACES)
def test_every_page_is_there_without_inline_scripts(address: str, place: str) -> None:
    status, page, headers = get(address, place)
    assert status == 200
    assert "<h1>" in page
    assert "script-src 'self'" in headers["content-security-policy"]
    assert "unsafe-inline" not in headers["content-security-policy"]
    assert get(address, place, **{"If-None-Match": headers["etag"]})[0] == 304


def test_text_of_owners_is_shown_as_text(address: str) -> None:
    for place in ("bots", "bots/bee"):
        page = get(address, place)[1]
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert(1)" in page


@pytest.mark.parametrize(
    ("place", "status"),
    [
        ("nothing", 404),
        ("bots/nobody", 404),
        ("bots/%3Cscript%3E", 404),
        ("matches/1", 404),
        ("matches/0", 404),
        ("matches/..%2f..%2fserver.json", 404),
        ("matches?state=nonsense", 400),
        ("bots?page=nonsense", 400),
        ("files/..%2fsite.py", 404),
        ("live/bots/ant", 404),
        ("ladders/main/secret.csv", 404),
        ("ladders/none/matches.csv", 404),
        ("ladders/main/standings.md", 404),
        ("tournaments/cup/matches.md", 404),
        ("tournaments/cup/secret.csv", 404),
        ("tournaments/none/bracket.csv", 404),
        ("tournaments/none/schedule.md", 404),
        ("tournaments/open/bracket.csv", 404),
        ("tournaments/open/bracket.json", 404),
        ("tournaments/open/bracket.md", 404),
    ],
)
def test_what_is_not_there_is_refused_with_a_page(address: str, place: str, status: int) -> None:
    found, page, _ = get(address, place)
    assert found == status
    assert "<h1>" in page
    assert "Traceback" not in page


def test_downloads_have_the_standings(address: str) -> None:
    rows = get(address, "ladders/main/standings.csv")[1].splitlines()
    assert rows[0].startswith("rank,bot,language,rating")
    listed = json.loads(get(address, "ladders/main/standings.json")[1])
    assert {line["bot"] for line in listed["standings"]} == {"bots/ant", "bots/bee"}
    assert len(rows) == 3


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("cup", {"standings": 2, "crosstable": 2, "bracket": 2, "schedule": 1}),
        ("open", {"standings": 2, "schedule": 0}),
    ],
)
def test_every_part_of_a_tournament_is_linked_and_has_a_row_for_each_line_in_every_form(
    address: str, name: str, parts: dict[str, int]
) -> None:
    page = get(address, f"tournaments/{name}")[1]
    assert ("bracket.md" in page) is ("bracket" in parts)
    for part, lines in parts.items():
        files = {form: get(address, f"tournaments/{name}/{part}.{form}") for form in ("csv", "json", "md")}
        assert all(f'href="/tournaments/{name}/{part}.{form}"' in page for form in files)
        assert {status for status, _, _ in files.values()} == {200}
        types = [headers["content-type"].partition(";")[0] for _, _, headers in files.values()]
        assert types == ["text/csv", "application/json", "text/markdown"]
        assert len(files["md"][1].splitlines()) == 2 + lines
        assert len(files["csv"][1].splitlines()) == 1 + (lines if part != "crosstable" else 0)
        assert json.loads(files["json"][1])


def test_the_page_of_a_tournament_that_has_not_begun_shows_its_first_round(address: str) -> None:
    page = get(address, "tournaments/open")[1]
    assert "<h2>First round</h2>" in page
    assert "1 round with 1 pairing, 2 matches" in page
    assert '<th class="number">points</th>' in page
    assert "<h2>First round</h2>" not in get(address, CUP)[1]


def test_pages_use_the_rights_of_a_spectator_only(arena: ArenaProcess, address: str) -> None:
    made = [
        each for each in arena.tokens.ListTokens().tokens if each.note == "web pages" and not each.revoked
    ]
    assert [each.role for each in made] == [4]
    arena.bots.SetBotHidden(name="bots/bee", hidden=True)
    try:
        deadline_page = ""
        while "bots/bee" in (deadline_page := get(address, "bots")[1]):
            pass  # a page is kept for a time
        assert "bots/ant" in deadline_page
    finally:
        arena.bots.SetBotHidden(name="bots/bee", hidden=False)


def test_the_export_has_the_same_pages_as_files(arena: ArenaProcess, tmp_path: Path) -> None:
    folder = tmp_path / "public"
    command = [
        sys.executable,
        "-m",
        "arena.cli.app",
        "pages",
        "export",
        str(folder),
        "--data",
        str(arena.data),
    ]
    for _ in range(2):  # an earlier export is replaced
        subprocess.run(
            [*command, "--format", "json"], check=True, env=without_arena({}), stdout=subprocess.PIPE
        )
    page = (folder / "ladders" / "main.html").read_text()
    assert 'href="../bots/ant.html"' in page
    assert re.findall("<script[^>]*>", page) == ['<script src="../files/site.js" defer>']
    assert (folder / "index.html").exists()
    assert (folder / "ladders" / "main" / "standings.csv").exists()
    written = {path.name for path in (folder / "tournaments" / "cup").iterdir()}
    parts = ("standings", "crosstable", "bracket", "schedule")
    forms = {f"{part}.{form}" for part in parts for form in ("csv", "json", "md")}
    assert written == forms | {"matches.csv", "matches.json"}
    swiss = {path.name for path in (folder / "tournaments" / "open").iterdir()}
    assert written - swiss == {"bracket.csv", "bracket.json", "bracket.md"}
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.txt").write_text("mine")
    refused = subprocess.run(
        [*command[:5], str(other), *command[6:]], check=False, env=without_arena({}), stderr=subprocess.PIPE
    )
    assert refused.returncode == 1
    assert (other / "mine.txt").read_text() == "mine"


def test_the_page_of_a_tournament_shows_bracket_rounds_and_who_has_withdrawn(
    arena: ArenaProcess, address: str
) -> None:
    _, page, _ = get(address, CUP)
    assert 'class="bracket"' in page
    assert "<h2>Rounds</h2>" in page
    assert "mine, 2 set-ups, SHA-256" in page
    assert "Withdrawn" not in page
    _, wall, _ = get(address, "wall?tournament=cup")
    assert "Next: round 1" in wall
    assert get(address, "wall?tournament=no")[0] == 404
    assert get(address, "wall?tournament=N%20o")[0] == 404
    arena.tournaments.WithdrawFromTournament(name=CUP, bot="bots/bee")
    arena.wait_for("tournament over")
    while "Finished" not in (page := get(address, CUP)[1]):
        pass  # a page is kept for a time
    assert "Withdrawn" in page
    while "The tournament is over." not in get(address, "wall?tournament=cup")[1]:
        pass
