"""`arena season`: what is asked, shown and verified. docs/seasons.md."""

import json
from base64 import b64encode
from dataclasses import replace

import pytest

from arena.cli.season import commands
from arena.core.seasons import FinalLine, FinalStandings, document_sha256, ranked, signed_message
from arena.match_log.keys import SigningKey
from arena.v1 import ladder_pb2, match_pb2, season_pb2
from tests.unit.cli.fake_arena import Answer
from tests.unit.cli.screens import Screens, check_screens

KEY = SigningKey.from_pem(
    b"-----BEGIN PRIVATE KEY-----\n"
    + b64encode(bytes.fromhex("302e020100300506032b657004220420") + bytes(range(32)))
    + b"\n-----END PRIVATE KEY-----\n"
)
MORNING_US = 1_795_254_000_000_000
LINES = (
    FinalLine(0, "ant", "1", False, 1_612_499, 387_501, 12, 17, 0),
    FinalLine(0, "bee", "ab" * 32, False, 1_500_000, 120_250, 12, 20, 2),
    FinalLine(0, "cat", "1", True, 1_550_000, 1_960, 12, 18, 0),
)
FIRST = FinalStandings(
    ladder="main",
    game="caravan",
    rules_version=1,
    solo=False,
    season=1,
    start_us=MORNING_US,
    close_us=MORNING_US + 3_600_000_000,
    keep_percent=75,
    ledger_seq=9,
    previous_sha256="",
    lines=ranked(LINES),
)
SECOND = replace(FIRST, season=2, previous_sha256=document_sha256(FIRST.document()), ledger_seq=20)
SOLO = replace(
    FIRST,
    ladder="boards",
    game="caravanserai",
    solo=True,
    keep_percent=0,
    ledger_seq=0,
    lines=ranked([FinalLine(0, "ant", "1", False, 31_500, None, 1, 1, 0)]),
)


def season(standings: FinalStandings, key: SigningKey = KEY, document: str = "") -> season_pb2.Season:
    document = document or standings.document()
    made = season_pb2.Season(
        name=f"ladders/{standings.ladder}/seasons/{standings.season}",
        number=standings.season,
        keep_percent=standings.keep_percent,
        bots=len(standings.lines),
        document=document,
        key_id=key.public.key_id,
        signature=key.sign(signed_message(document)),
    )
    made.start_time.FromMicroseconds(standings.start_us)
    made.close_time.FromMicroseconds(standings.close_us)
    return made


def of(*seasons: season_pb2.Season) -> dict[str, Answer]:
    """Return the answers of an arena with these seasons."""
    by_name = {each.name: each for each in seasons}
    newest = sorted(seasons, key=lambda each: -each.number)
    return {
        "GetSeason": lambda request: season_pb2.GetSeasonResponse(season=by_name[request.name]),
        "ListSeasons": season_pb2.ListSeasonsResponse(seasons=newest),
        "ListLogKeys": match_pb2.ListLogKeysResponse(
            keys=[match_pb2.LogKey(key_id=KEY.public.key_id, public_key=KEY.public.raw)]
        ),
        "CloseSeason": season_pb2.CloseSeasonResponse(season=newest[0]),
    }


DIVISIONS: dict[str, Answer] = {
    "CloseSeason": season_pb2.CloseSeasonResponse(
        season=season(FIRST),
        lower_seasons=[season(replace(FIRST, ladder="second", lines=ranked(LINES[:1])))],
        moves=[
            season_pb2.SeasonMove(bot="bots/ant", from_ladder="ladders/second", to_ladder="ladders/main"),
            season_pb2.SeasonMove(bot="bots/bee", from_ladder="ladders/main", to_ladder="ladders/second"),
        ],
    )
}
BOTH = of(season(FIRST), season(SECOND))
SCREENS: Screens = {
    "seasons": {
        "closed": ("season close main", of(season(FIRST))),
        "divisions": ("season close main --lower second --swap 2", DIVISIONS),
        "listed": ("season list main", BOTH),
        "none": ("season list main", {"ListSeasons": ""}),
        "shown": ("season show main 1", BOTH),
        "solo": ("season show boards", of(season(SOLO))),
        "verified": ("season verify main", BOTH),
    }
}


@pytest.mark.parametrize("name", SCREENS)
def test_what_is_printed_of_seasons(fake, ask, name):
    check_screens(name, SCREENS, fake, ask)


@pytest.mark.parametrize(("more", "expected"), [("", None), (" --keep 0", 0), (" --keep 40", 40)])
def test_a_close_says_what_ratings_keep_only_if_asked(fake, ask, more, expected):
    fake.answers |= of(season(FIRST))
    assert ask(*f"season close main{more}".split()).exit_code == 0
    [request] = fake.requests("CloseSeason")
    assert request.ladder == "ladders/main"
    assert (request.keep_percent if request.HasField("keep_percent") else None) == expected
    assert len(request.request_id) == 36


@pytest.mark.parametrize(
    ("terminal", "typed", "closes"),
    [(True, "y", True), (True, "n", False), (True, "", False), (True, "--yes", True), (False, "", True)],
)
def test_a_close_on_a_terminal_is_asked_for_first(fake, ask, monkeypatch, terminal, typed, closes):
    more, typed = (typed, "") if typed == "--yes" else ("", f"{typed}\n")
    monkeypatch.setattr(commands, "has_terminal", lambda: terminal)
    ladders = {"ladders/main": 1, "ladders/second": 4}
    fake.answers |= of(season(FIRST)) | {
        "GetLadder": lambda request: ladder_pb2.GetLadderResponse(
            ladder=ladder_pb2.Ladder(name=request.name, season=ladders[request.name])
        )
    }
    shown = ask(*f"season close main --lower second --swap 1 {more}".split(), typed=typed)
    assert bool(fake.requests("CloseSeason")) is closes
    assert (shown.exit_code == 0) is closes
    asked = terminal and not more
    assert ("season 1 of main and season 4 of second" in shown.stderr) is asked


def test_divisions_are_closed_together(fake, ask):
    fake.answers |= of(season(FIRST))
    command = "season close main --lower second --lower third --swap 2"
    assert ask(*command.split()).exit_code == 0
    [request] = fake.requests("CloseSeason")
    assert (request.lower_ladders, request.swap) == (["ladders/second", "ladders/third"], 2)
    for alone in ("--lower second", "--swap 2"):
        assert ask("season", "close", "main", *alone.split()).exit_code == 2


def test_a_season_is_closed_as_an_event_file_has_it(fake, ask, tmp_path):
    fake.answers |= of(season(FIRST))
    file = tmp_path / "league.toml"
    file.write_text("[season.main]\nlower = ['second', 'third']\nswap = 2\nkeep = 40\n[season.other]\n")
    assert ask("season", "close", "main", "--event", str(file)).exit_code == 0
    assert ask("season", "close", "other", "--event", str(file)).exit_code == 0
    divided, single = fake.requests("CloseSeason")
    assert (divided.ladder, divided.lower_ladders) == ("ladders/main", ["ladders/second", "ladders/third"])
    assert (divided.keep_percent, divided.swap, len(divided.request_id)) == (40, 2, 36)
    assert (single.ladder, single.lower_ladders, single.HasField("keep_percent")) == (
        "ladders/other",
        [],
        False,
    )
    for refused in ("main --keep 50", "main --lower second --swap 2", "second"):
        assert ask("season", "close", *refused.split(), "--event", str(file)).exit_code == 2
    assert len(fake.requests("CloseSeason")) == 2


def test_the_newest_season_is_shown_unless_one_is_named(fake, ask):
    fake.answers |= BOTH
    shown = json.loads(ask("season", "show", "main", "--format", "json").stdout)
    assert shown["name"] == "ladders/main/seasons/2"
    assert shown["document"] == SECOND.document()


def verified(ask, *arguments: str) -> dict[str, bool]:
    result = ask("season", "verify", *arguments, "--format", "json")
    verdicts = {each["season"]: each["verified"] for each in json.loads(result.stdout)["seasons"]}
    assert result.exit_code == (0 if all(verdicts.values()) else 1)
    return verdicts


TAMPERED = replace(FIRST, lines=ranked([replace(LINES[0], value_milli=1), *LINES[1:]])).document()
UNRANKED = replace(FIRST, lines=LINES).document()
SPACED = FIRST.document().replace(",", ", ")
FORGED = {
    "another key": season(FIRST, SigningKey.new()),
    "a document changed after it was signed": season_pb2.Season.FromString(season(FIRST).SerializeToString()),
    "ranks that do not follow": season(FIRST, document=UNRANKED),
    "no canonical form": season(FIRST, document=SPACED),
    "no JSON": season(FIRST, document="{"),
    "another season": season(replace(FIRST, season=3), document=FIRST.document()),
    "one before the first": season(replace(FIRST, previous_sha256="ab" * 32)),
}
FORGED["a document changed after it was signed"].document = TAMPERED


@pytest.mark.parametrize("forged", FORGED)
def test_a_forged_season_is_not_verified(fake, ask, forged):
    fake.answers |= of(FORGED[forged])
    assert list(verified(ask, "main").values()) == [False]


def test_a_chain_in_which_a_document_was_replaced_is_not_verified(fake, ask):
    other = replace(FIRST, close_us=FIRST.close_us + 1)
    fake.answers |= of(season(other), season(SECOND))
    assert verified(ask, "main") == {"main, season 1": True, "main, season 2": False}


def test_a_season_in_a_file_is_verified_with_a_key_in_a_file_without_an_arena(fake, ask, tmp_path):
    fake.answers |= BOTH
    file, key = tmp_path / "season.json", tmp_path / "arena.pub"
    file.write_text(ask("season", "show", "main", "--format", "json").stdout)
    key.write_bytes(KEY.public.pem())
    fake.answers.clear()
    assert verified(ask, str(file), "--key", str(key)) == {"main, season 2": True}
    key.write_bytes(SigningKey.new().public.pem())
    assert verified(ask, str(file), "--key", str(key)) == {"main, season 2": False}


@pytest.mark.parametrize("content", ["", "[]", '{"name": 3}', "\udcff"])
def test_a_file_without_a_season_is_refused(ask, tmp_path, content):
    file = tmp_path / "season.json"
    file.write_bytes(content.encode("utf-8", "surrogateescape"))
    result = ask("season", "verify", str(file))
    assert (result.exit_code, result.stdout) == (1, "")
    assert "arena season show" in result.stderr


def test_a_ladder_without_closed_seasons_has_nothing_to_show_or_verify(fake, ask):
    fake.answers |= {**BOTH, "ListSeasons": ""}
    for command in ("show", "verify"):
        assert ask("season", command, "main").exit_code == 1


@pytest.mark.parametrize("arguments", ["", "--rating 1500 --remove", "--rating 5000", "--rating nan"])
def test_an_anchor_needs_one_rating_or_its_removal(fake, ask, arguments):
    assert ask(*f"ladder anchor main greedy {arguments}".split()).exit_code == 2
    assert fake.requests("SetLadderAnchor") == []
