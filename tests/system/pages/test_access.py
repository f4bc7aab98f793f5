"""Nobody sees in pages what only others may see: every route, for every caller, and every exported file."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.routing import Mount, Route

from arena.codecs.codec import codec_for
from arena.pages.answers import Ending
from arena.pages.api_methods import PREFIX
from arena.pages.app import pages_app
from arena.pages.reads import Connection
from arena.pictures.picture import picture_for
from arena.v1 import games_pb2
from tests.system.pages.conftest import World
from tests.system.pages.pages_process import PagesProcess

PLACES: dict[str, list[tuple[str, int]]] = {
    "/sign-in": [("sign-in", 200)],
    "/join": [("join", 200)],
    "/join/{code}": [("join/x", 400)],
    "/sign-out": [("sign-out", 405)],
    "/account": [("account", 303)],
    "/account/team": [("account/team", 303)],
    "/account/bots/{id}": [("account/bots/cow", 303)],
    "/account/bots/{id}/submissions": [("account/bots/cow/submissions", 405)],
    "/account/bots/{id}/submissions/{number}": [("account/bots/cow/submissions/1", 303)],
    "/bots/{id}/challenge": [("bots/cow/challenge", 303)],
    "/bots/{id}/play": [("bots/cow/play", 303)],
    "/play": [("play", 303)],
    "/play/end": [("play/end", 405)],
    "/play/board/": [("play/board/", 404)],
    "/play/board/{file}": [("play/board/state", 404), ("play/board/x", 404)],
    "/play/board/do": [("play/board/do", 404)],
    "/organiser": [("organiser", 303)],
    "/organiser/users": [("organiser/users", 303)],
    "/organiser/queue/{id}": [("organiser/queue/live", 303)],
    "/organiser/faults": [("organiser/faults", 303)],
    "/organiser/audit": [("organiser/audit", 303)],
    "/organiser/audit/{number}": [("organiser/audit/1", 303)],
    "/": [("", 200)],
    "/ladders": [("ladders", 200)],
    "/ladders/{id}": [("ladders/open", 200), ("ladders/sealed", 200), ("ladders/live", 200)],
    "/ladders/{id}/{file}": [
        (f"ladders/{ladder}/{what}.{form}", 200)
        for ladder in ("open", "sealed", "live")
        for what in ("standings", "matches")
        for form in ("csv", "json")
    ],
    "/ladders/{id}/seasons/{number}": [("ladders/open/seasons/1", 404)],
    "/bots": [("bots", 200)],
    "/bots/{id}": [(f"bots/{bot}", 200) for bot in ("ant", "bee", "cow", "hid")],
    "/matches": [
        ("matches", 200),
        ("matches?bot=bee", 200),
        ("matches?ladder=sealed", 200),
        ("matches?state=pending", 200),
    ],
    "/matches/{number}.arenalog": [
        ("{public}.arenalog", 200),
        ("{sealed}.arenalog", 409),
        ("{sealed_running}.arenalog", 409),
        ("{running}.arenalog", 409),
        ("{waiting}.arenalog", 409),
    ],
    "/matches/{number}": [
        ("{public}", 200),
        ("{sealed}", 200),
        ("{sealed_running}", 200),
        ("{running}", 200),
        ("{waiting}", 200),
        ("{void}", 200),
    ],
    "/matches/{number}/replay": [
        ("{public}/replay", 200),
        ("{sealed}/replay", 409),
        ("{sealed_running}/replay", 409),
        ("{running}/replay", 409),
        ("{waiting}/replay", 409),
    ],
    "/tournaments": [("tournaments", 200)],
    "/tournaments/{id}": [("tournaments/later", 200)],
    "/tournaments/{id}/{file}": [
        (f"tournaments/later/{what}.{form}", 200)
        for what in ("standings", "crosstable", "matches")
        for form in ("csv", "json")
    ],
    "/now": [("now", 200)],
    "/wall": [("wall", 200), ("wall?ladder=sealed", 200)],
    "/live/{place:path}": [
        ("live/now", 200),
        ("live/ladders/sealed", 200),
        ("live/wall/live", 200),
        ("live/wall-of-tournament/later", 200),
        ("live/tournaments/later", 200),
        ("live/{running}", 200),
        ("live/{sealed}", 200),
        ("live/{sealed_running}", 200),
        ("live/{public}", 200),
    ],
    "/files/{name}": [("files/site.css", 200), ("files/site.js", 200)],
    "/favicon.ico": [("favicon.ico", 204)],
}
"""By route: places, and their status. Words in braces are matches of the world."""

TOKEN = re.compile(rb"arn_[0-9a-f]")
CALLERS = ("organiser", "alice", "spectator")
"""Whose token the pages were given."""


@pytest.fixture(scope="module")
def callers(world: World, pages: PagesProcess) -> Iterator[dict[str, PagesProcess]]:
    server = ("--server", world.arena.unix)
    with (
        PagesProcess(*server, ARENA_TOKEN=world.alice) as alice,
        PagesProcess(*server, ARENA_TOKEN=world.spectator) as spectator,
    ):
        yield {"organiser": pages, "alice": alice, "spectator": spectator}


def _named(place: str, world: World) -> str:
    matches = ("public", "sealed", "sealed_running", "running", "waiting", "void")
    return place.format(**{name: getattr(world, name) for name in matches})


def test_every_route_has_places() -> None:
    routes = pages_app(Connection("", None), Ending()).routes
    [api] = [route for route in routes if not isinstance(route, Route)]
    assert isinstance(api, Mount)
    assert api.path == PREFIX  # test_http_api.py
    assert {route.path for route in routes if isinstance(route, Route)} == PLACES.keys()


@pytest.mark.parametrize("route", PLACES)
@pytest.mark.parametrize("caller", CALLERS)
def test_no_route_shows_a_secret(
    world: World, callers: dict[str, PagesProcess], caller: str, route: str
) -> None:
    """Whatever rights a reader sends, they see no more: the answer does not depend on what they send."""
    organiser = (world.arena.data / "organiser.token").read_text().strip()
    for place, status in PLACES[route]:
        asked = _named(place, world)
        for headers in ({}, {"Authorization": f"Bearer {organiser}", "Cookie": f"token={organiser}"}):
            answer = callers[caller].get(asked, **headers)
            assert answer.status == status, (asked, answer.text[:2000])
            assert world.secrets.found_in(answer.all) == set(), asked
            assert not TOKEN.search(answer.all), asked
            assert b"Traceback" not in answer.all


@pytest.mark.parametrize("caller", CALLERS)
def test_a_match_that_has_not_begun_has_no_bots(
    world: World, callers: dict[str, PagesProcess], caller: str
) -> None:
    served = callers[caller]
    assert 'href="/matches/' not in served.get("matches?bot=cow&state=pending").text
    assert 'href="/bots/' not in served.get(world.waiting).text
    rows = list(csv.DictReader(served.get("ladders/live/matches.csv").text.splitlines()))
    assert {row["bot"] for row in rows if row["state"] == "running"} == {"cow", "dog", "eel"}
    assert {row["bot"] for row in rows if row["state"] == "pending"} == {""}


@pytest.mark.parametrize("caller", CALLERS)
def test_a_hidden_bot_is_listed_nowhere(callers: dict[str, PagesProcess], caller: str) -> None:
    listed = callers[caller].get("bots").text
    assert 'href="/bots/ant"' in listed
    assert "/hid" not in listed


def test_a_sealed_match_has_neither_position_nor_turns(world: World, pages: PagesProcess) -> None:
    for match in (world.sealed, world.sealed_running):
        event = pages.get(f"live/{match}").text
        assert "<svg" not in event
        assert "<li" not in event
        assert "/replay" not in pages.get(match).text


def test_a_match_in_play_shows_no_hand(world: World, pages: PagesProcess) -> None:
    view = games_pb2.Observation.FromString(world.decision.view.SerializeToString())
    own = codec_for("ahldarahd").decode_observation(view)
    assert any(part.id.startswith("hand-") for part in picture_for("ahldarahd").draw(own).parts)
    event = ""
    while "<svg" not in event:  # the first events come before the arena has sent the position
        event = pages.get(f"live/{world.running}").text
    assert 'id="backs-' in event
    assert 'id="hand-' not in event


def test_exported_files_have_no_secret(world: World, exported: Path) -> None:
    files = [file for file in exported.rglob("*") if file.is_file()]
    assert f"{world.public}.arenalog" in {str(file.relative_to(exported)) for file in files}
    for file in files:
        assert world.secrets.found_in(file.read_bytes()) == set(), file
        assert not TOKEN.search(file.read_bytes()), file
        assert b"/sign-in" not in file.read_bytes(), file
        assert b"<!--slot" not in file.read_bytes(), file
    for match in (world.sealed, world.sealed_running, world.running, world.waiting):
        assert not (exported / f"{match}.arenalog").exists()
        assert not (exported / match / "replay.html").exists()
        assert (exported / f"{match}.html").exists()
    assert "hid" not in (exported / "bots.html").read_text()
    assert not (exported / "bots" / "hid.html").exists()
