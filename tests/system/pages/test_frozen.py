"""While standings are frozen nobody but organisers sees what counts later, on any page or in the API."""

import csv
import json
import re
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from starlette.routing import Route

from arena.pages.answers import Ending
from arena.pages.api_methods import EVENTS, PREFIX, READS
from arena.pages.app import pages_app
from arena.pages.reads import Connection
from arena.v1 import play_pb2, token_pb2
from arena.wire.wording import format_time
from tests.system.pages.pages_process import Answer, PagesProcess, export, first_event
from tests.system.pages.reader import Reader
from tests.system.play.arena_process import ENDLESS, WAIT_S, ArenaProcess
from tests.system.play.raw_bot import RawBot, connect

PAST = Timestamp(seconds=1)
"""A freeze at a time that has passed freezes at once."""
FORMS = ("csv", "json")

PLACES: dict[str, list[str]] = {
    "/sign-in": ["sign-in"],
    "/join": ["join"],
    "/join/{code}": ["join/x"],
    "/sign-out": ["sign-out"],
    "/account": ["account"],
    "/account/team": ["account/team"],
    "/account/bots/{id}": ["account/bots/bee"],
    "/account/bots/{id}/submissions": ["account/bots/bee/submissions"],
    "/account/bots/{id}/submissions/{number}": ["account/bots/bee/submissions/1"],
    "/bots/{id}/challenge": ["bots/ant/challenge", "bots/bee/challenge"],
    "/bots/{id}/play": ["bots/ant/play", "bots/bee/play"],
    "/play": ["play"],
    "/play/end": ["play/end"],
    "/play/board/": ["play/board/"],
    "/play/board/{file}": ["play/board/state"],
    "/play/board/do": ["play/board/do"],
    "/organiser": ["organiser"],
    "/organiser/users": ["organiser/users"],
    "/organiser/queue/{id}": ["organiser/queue/main"],
    "/organiser/faults": ["organiser/faults"],
    "/organiser/audit": ["organiser/audit"],
    "/organiser/audit/{number}": ["organiser/audit/1"],
    "/": [""],
    "/ladders": ["ladders"],
    "/ladders/{id}": ["ladders/main"],
    "/ladders/{id}/{file}": [
        f"ladders/main/{what}.{form}" for what in ("standings", "matches") for form in FORMS
    ],
    "/ladders/{id}/seasons/{number}": ["ladders/main/seasons/1"],
    "/bots": ["bots"],
    "/bots/{id}": ["bots/ant", "bots/bee"],
    "/matches": [
        "matches",
        "matches?ladder=main",
        "matches?bot=bee",
        "matches?state=running",
        "matches?state=finished",
    ],
    "/matches/{number}.arenalog": ["{open}.arenalog"],
    "/matches/{number}": ["{before}", "{open}"],
    "/matches/{number}/replay": ["{before}/replay", "{open}/replay"],
    "/tournaments": ["tournaments"],
    "/tournaments/{id}": ["tournaments/none"],
    "/tournaments/{id}/{file}": ["tournaments/none/matches.csv"],
    "/now": ["now"],
    "/wall": ["wall", "wall?ladder=main"],
    "/live/{place:path}": ["live/now", "live/ladders/main", "live/wall/main", "live/{open}"],
    "/files/{name}": ["files/site.css"],
    "/favicon.ico": ["favicon.ico"],
}
"""By route: places. Words in braces are matches: one before the freeze, one in play at it."""

IDS = {"games": "caravan", "bots": "ant", "ladders": "main", "users": "alice", "auditEntries": "1"}
"""By collection of the API: something that is there."""

SHOWN_TO_ORGANISERS = tuple(
    f"v1/{place}"
    for place in (
        *("ladders/main/standings", "ladders/main/fit", "ladders/main/ratings?bot=bots/bee"),
        *("bots/ant/record", "bots/bee/standings", "matches?ladder=ladders/main", "{open}", "events"),
    )
)

COUNTERS = (
    (r'"(finished_matches|remaining_matches|matches_last_hour)":"?\d+"?', "numbers of matches"),
    (r"\d+ match(es)? finished, 1 in play, \d+ to come", "the same on the page of the ladder"),
    (r'<td class="number">\d+</td><td class="number extra">1</td><td>', "the same in lists of ladders"),
    (r'<td class="number">2</td><td class="number">\d+</td>', "the same on the page of an own bot"),
    (r'"(end|cursor)":"\d+"', "how many positions the feed has"),
    (r'"last_use_time":"[^"]*"', "when a token was used"),
    (r'name="csrf" value="[^"]*"', "of the session"),
)
"""What may change after the freeze: how much was played. Each of them with its reason."""


Recorded = dict[tuple[str, str], tuple[int, str]]
"""By reader and place: status and text."""


@dataclass
class Frozen:
    """An arena with the ladder `main`, which was played on after its standings froze."""

    arena: ArenaProcess
    pages: PagesProcess
    fresh: PagesProcess
    """Pages that nobody has read before the end, so that they keep nothing."""
    alice: str
    """The token of the owner of bee."""
    organiser: str
    matches: dict[str, str] = field(default_factory=dict)
    """By the word in braces of a place."""
    at_the_freeze: Recorded = field(default_factory=dict)
    of_organisers: dict[str, tuple[int, str]] = field(default_factory=dict)

    def places(self) -> list[str]:
        """Return all places of the pages."""
        return [place.format(**self.matches) for places in PLACES.values() for place in places]

    def page(self, reader: Reader) -> dict[str, tuple[int, str]]:
        """Return what a reader gets at every place of the pages."""
        return {place: normal(reader.get(place)) for place in self.places()}

    def api(self, pages: PagesProcess, token: str) -> dict[str, tuple[int, str]]:
        """Return what a program gets at every place of the API."""
        own = {"Authorization": f"Bearer {token}"} if token else {}
        return {place: normal(pages.get(place, **own)) for place in api_places(self.matches["open"])}

    def recorded(self, pages: PagesProcess) -> Recorded:
        """Return what a visitor, an owner who is signed in, and programs get everywhere."""
        asked = {
            "visitor": lambda: self.page(Reader(pages)),
            "owner": lambda: self.page(Reader(pages, self.alice)),
            "program": lambda: self.api(pages, ""),
            "program of the owner": lambda: self.api(pages, self.alice),
        }
        with ThreadPoolExecutor(len(asked)) as threads:
            found = zip(asked, threads.map(lambda ask: ask(), asked.values()), strict=True)
            return {(who, place): said for who, of_who in found for place, said in of_who.items()}

    def of_organiser(self) -> dict[str, tuple[int, str]]:
        """Return what an organiser gets at places of the API that show what was played."""
        own = {"Authorization": f"Bearer {self.organiser}"}
        return {
            place: normal(self.pages.get(place.format(**self.matches), **own))
            for place in SHOWN_TO_ORGANISERS
        }


def begin(winner: RawBot, loser: RawBot) -> tuple[str, int]:
    """Let the next match begin; return it, and the assignment of the loser's seat."""
    winner.take_seat()
    seat = loser.take_seat()
    winner.hear("match_started")
    loser.hear("match_started")
    return seat.match, seat.assignment


def end(winner: RawBot, loser: RawBot, assignment: int) -> None:
    """Let a match that has begun end: its loser resigns."""
    loser.say(resign=play_pb2.Resign(assignment=assignment))
    winner.hear("match_ended")
    loser.hear("match_ended")


def play(winner: RawBot, loser: RawBot, matches: int) -> list[str]:
    """Play matches; return them."""
    played = []
    for _ in range(matches):
        match, assignment = begin(winner, loser)
        end(winner, loser, assignment)
        played.append(match)
    return played


def normal(answer: Answer) -> tuple[int, str]:
    """Return the status, and the text without counters."""
    text = answer.body.decode(errors="replace")
    for pattern, _ in COUNTERS:
        text = re.sub(pattern, "", text)
    return answer.status, text


def api_places(match: str) -> list[str]:
    """Return a place of each method of the API, without its first slash."""
    ids = IDS | {"matches": match.removeprefix("matches/")}
    places = [method.path.format(id=ids.get(method.path.split("/")[1], "none"), number=1) for method in READS]
    listed = ["/matches?ladder=ladders/main", "/bots/bee/record", "/ladders/main/ratings?bot=bots/bee"]
    events = [EVENTS.path, f"{EVENTS.path}?ladder=ladders/main", f"{EVENTS.path}?bot=bots/bee"]
    return [f"{PREFIX}{place}".removeprefix("/") for place in (*places, *listed, *events)]


def two_pages(data: Path) -> Iterator[PagesProcess]:
    """Start two processes at the same time."""
    with ThreadPoolExecutor(2) as threads:
        return threads.map(lambda _: PagesProcess("--data", str(data)), range(2))


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Frozen]:
    """Play, freeze while a match is played, record what everybody gets, and play on until the other bot is first."""
    data = tmp_path_factory.mktemp("frozen") / "data"
    with ExitStack() as opened:
        arena = opened.enter_context(ArenaProcess(data))
        pages, fresh = map(opened.enter_context, two_pages(data))
        alice = arena.tokens.CreateToken(role=token_pb2.ROLE_OWNER, owner="owners/alice").secret
        arena.bots.CreateBot(bot_id="bee", owner="owners/alice")
        of_bee = arena.tokens.CreateToken(role=token_pb2.ROLE_BOT, bot="bots/bee").secret
        ant, bee = connect(arena.unix, [arena.bot("ant"), of_bee])
        for bot in (ant, bee):
            opened.callback(bot.cut)
        made = Frozen(arena, pages, fresh, alice, (data / "organiser.token").read_text().strip())
        arena.ladder("main", "ant", "bee", matches=100)
        made.matches["before"] = play(ant, bee, 2)[0]
        made.matches["open"], assignment = begin(bee, ant)
        arena.ladders.SetLadderFreeze(name="ladders/main", freeze_time=PAST)
        made.at_the_freeze = made.recorded(pages)
        made.of_organisers = made.of_organiser()
        end(bee, ant, assignment)
        made.matches["later"] = play(bee, ant, 9)[-1]
        begin(bee, ant)
        yield made


def test_every_route_has_places() -> None:
    routes = pages_app(Connection("", None), Ending()).routes
    assert {route.path for route in routes if isinstance(route, Route)} == PLACES.keys()


def changed(before: Mapping[Any, object], now: Mapping[Any, object]) -> set[Any]:
    """Return the places at which what is there has changed."""
    return {place for place in before if before[place] != now.get(place)}


def test_nothing_changes_for_others_than_organisers_after_the_freeze(frozen: Frozen) -> None:
    assert changed(frozen.at_the_freeze, frozen.recorded(frozen.fresh)) == set()


def test_no_place_fails(frozen: Frozen) -> None:
    said = {place: status for (who, place), (status, _) in frozen.at_the_freeze.items() if who == "visitor"}
    assert {place for place, status in said.items() if status >= 500} == set()
    refused = {f"{frozen.matches['open']}{part}" for part in ("", "/replay", ".arenalog")}
    assert {place for place, status in said.items() if status == 409} == refused | {
        f"live/{frozen.matches['open']}"
    }
    api = {status for (who, _), (status, _) in frozen.at_the_freeze.items() if who.startswith("program")}
    assert api <= {200, 401, 403, 404, 409, 400}


def test_pages_that_are_kept_do_not_change_either(frozen: Frozen) -> None:
    kept = {("visitor", place): said for place, said in frozen.page(Reader(frozen.pages)).items()}
    assert {place for place in kept if kept[place] != frozen.at_the_freeze[place]} == set()


def test_an_organiser_sees_in_the_api_what_was_played(frozen: Frozen) -> None:
    assert changed(frozen.of_organisers, frozen.of_organiser()) == set(SHOWN_TO_ORGANISERS)


def test_what_is_of_a_frozen_match_is_refused_with_the_reason(frozen: Frozen) -> None:
    for match in (frozen.matches["open"], frozen.matches["later"]):
        for place in (match, f"{match}/replay", f"{match}.arenalog", f"live/{match}"):
            answer = frozen.pages.get(place)
            assert (answer.status, "The standings are frozen" in answer.text) == (409, True), place
        answer = frozen.pages.get(f"{PREFIX.removeprefix('/')}/{match}")
        assert (answer.status, json.loads(answer.body)["error"]["reason"]) == (409, "STANDINGS_FROZEN")


def test_an_organiser_who_is_signed_in_sees_the_same_public_pages_and_leaves_nothing_in_them(
    frozen: Frozen,
) -> None:
    organiser, visitor = Reader(frozen.pages, frozen.organiser), Reader(frozen.pages)
    later = frozen.matches["later"]
    assert f'href="/{later}"' in organiser.get("organiser/faults").text
    assert visitor.get("organiser/faults").status == 303
    assert [reader.get(later).status for reader in (organiser, visitor)] == [409, 409]
    for place in ("ladders/main", "wall?ladder=main", "matches", "bots/bee"):
        for reader in (organiser, visitor):
            assert f"/{later}" not in reader.get(place).text
    csv_file = "ladders/main/standings.csv"
    assert normal(organiser.get(csv_file)) == frozen.at_the_freeze["visitor", csv_file]


@pytest.mark.parametrize(
    "place",
    ["", "ladders", "ladders/main", "bots/bee", "matches", "matches?ladder=main", "now", "wall?ladder=main"],
)
def test_every_page_about_a_ladder_says_that_its_standings_are_frozen(frozen: Frozen, place: str) -> None:
    frozen_at = frozen.arena.ladders.GetLadder(name="ladders/main").ladder.freeze_time
    page = frozen.fresh.get(place).text
    assert "frozen" in page
    assert format_time(frozen_at) in page


def test_exported_pages_have_nothing_of_a_frozen_match(frozen: Frozen, tmp_path: Path) -> None:
    done = export(tmp_path / "public", "--data", str(frozen.arena.data))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "public" / f"{frozen.matches['before']}.html").exists()
    assert not (tmp_path / "public" / f"{frozen.matches['later']}.html").exists()
    exported = (tmp_path / "public" / "ladders" / "main" / "standings.csv").read_text()
    assert ("visitor", "ladders/main/standings.csv") in frozen.at_the_freeze
    assert exported.split() == frozen.at_the_freeze["visitor", "ladders/main/standings.csv"][1].split()


@pytest.mark.parametrize("seats", [1, 2])
def test_a_bot_that_joined_after_the_freeze_has_a_page_without_a_rank(frozen: Frozen, seats: int) -> None:
    ladder, bot = f"quiet-{seats}", f"late-{seats}"
    frozen.arena.ladders.CreateLadder(ladder_id=ladder, game="caravanserai", seat_counts=[seats])
    frozen.arena.ladders.SetLadderFreeze(name=f"ladders/{ladder}", freeze_time=PAST)
    frozen.arena.bots.CreateBot(bot_id=bot)
    frozen.arena.ladders.JoinLadder(name=f"ladders/{ladder}", bot=f"bots/{bot}")
    page = frozen.pages.get(f"bots/{bot}")
    row = page.text.rpartition(f'href="/ladders/{ladder}"')[2].partition("</tr>")[0]
    assert (page.status, row.count(">-")) == (200, 2)
    for place in (
        f"ladders/{ladder}",
        f"wall?ladder={ladder}",
        f"live/wall/{ladder}",
        f"ladders/{ladder}/standings.csv",
    ):
        assert frozen.pages.get(place).status == 200
    assert "The standings are frozen" in frozen.pages.get(f"wall?ladder={ladder}").text


class Stream:
    """A stream of events that a browser has opened."""

    def __init__(self, pages: PagesProcess, place: str) -> None:
        self._connection = pages.connect()
        self._connection.request("GET", f"/{place}")
        self._answer = self._connection.getresponse()

    def until(self, words: str) -> str:
        """Return the first event that has these words."""
        give_up = time.monotonic() + WAIT_S
        while words not in (event := first_event(self._answer).decode()):
            assert event or not self._answer.closed, f"the stream ended without {words}"
            assert time.monotonic() < give_up, f"no {words} came"
        return event

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def wait_until_closed(pages: PagesProcess, place: str) -> None:
    """Wait until a place that was shown just before the freeze is closed: a page may be two seconds old."""
    until = time.monotonic() + WAIT_S
    while (status := pages.get(place).status) != 409:
        assert status == 200
        assert time.monotonic() < until
        time.sleep(0.1)


def test_the_wall_shows_each_rank_as_it_is_revealed_and_a_match_in_play_is_closed(frozen: Frozen) -> None:
    arena, pages = frozen.arena, frozen.pages
    cow, dog = connect(arena.unix, [arena.bot("cow"), arena.bot("dog")])
    with ExitStack() as opened:
        for bot in (cow, dog):
            opened.callback(bot.cut)
        arena.ladder("cup", "cow", "dog", matches=8, time_control=ENDLESS)
        *_, ended = play(cow, dog, 3)
        match, assignment = begin(cow, dog)  # of the same group
        assert pages.get(f"{ended}/replay").status == 200
        watched, wall = Stream(pages, f"live/{match}"), Stream(pages, "live/wall/cup")
        for stream in (watched, wall):
            opened.callback(stream.close)
        assert "In play: 1" in wall.until("event: part")
        arena.ladders.SetLadderFreeze(name="ladders/cup", freeze_time=PAST)
        assert "<svg" not in watched.until('class="freeze"')
        watched.until("event: end")
        at_the_freeze = wall.until("The standings are frozen")
        for part in ("", "/replay", ".arenalog"):
            wait_until_closed(pages, f"{ended}{part}")
        end(cow, dog, assignment)
        play(dog, cow, 4)
        arena.ladders.RevealLadderRanks(name="ladders/cup")

        first = wall.until("being revealed")
        assert re.findall("at the freeze: [0-9]", first) == [
            "at the freeze: 2"
        ]  # of the winner, who was second
        assert re.findall(
            '<tr class="final newest"><td class="number strong">([0-9])</td><td><bdi>([a-z]+)', first
        ) == [("2", "cow")]
        assert "In play" not in first + at_the_freeze
        page = Reader(pages).get("ladders/cup").text
        assert '?<span class="quiet extra">at the freeze: 2</span>' in page.replace("? <", "?<")
        rows = list(csv.DictReader(pages.get("ladders/cup/standings.csv").text.splitlines()))
        assert [(row["bot"], row["rank"], row["frozen"]) for row in rows] == [
            ("dog", "2", "1"),
            ("cow", "2", "0"),
        ]
        wait_until_closed(pages, match)

        arena.ladders.RevealLadderRanks(name="ladders/cup")
        last = wall.until("Finished: 8")
        assert re.findall(r'<td class="number">(\d)</td><td><bdi>([a-z]+)', last) == [
            ("1", "dog"),
            ("2", "cow"),
        ]
    assert frozen.fresh.get(match).status == 200
