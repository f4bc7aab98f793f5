"""The replay page: its frames against single pictures, its endings, and text that looks like markup."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from arena.codecs.codec import codec_for
from arena.core.match import MatchState
from arena.match_log.reader import read_log
from arena.match_report.pictures import picture_after
from arena.pictures.picture import Picture, picture_for
from arena.pictures.terminal import TerminalPicture
from arena.viewer.page import replay_page
from arena.viewer.replay import UnfitLogError, replay_of
from engine.game import SPECTATOR
from engine.registry import GAMES
from tests.system.viewer.logs import a_log, with_evaluations

MATCHES = [
    (game, seats) for game, each in GAMES.items() for seats in (each.spec.min_seats, each.spec.max_seats)
]
GOLDEN = Path(__file__).parents[2] / "data" / "logs" / "caravan-4-seats-with-forfeits.arenalog"


class Document(HTMLParser):
    """What a browser would find in a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.scripts: list[str] = []
        self.policy = ""
        self._in_script = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        values = dict(attrs)
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "action", "data")]
        self.policy = self.policy or (values.get("content") or "" if "http-equiv" in values else "")
        if tag == "script":
            self.scripts.append("")
            self._in_script = True

    def handle_endtag(self, tag: str) -> None:
        self._in_script = self._in_script and tag != "script"

    def handle_data(self, data: str) -> None:
        if self._in_script:
            self.scripts[-1] += data


def frames_of(document: dict[str, Any], view: int) -> list[set[tuple[str, float, float, str]]]:
    """Return the parts of each frame of a view, as the page's script puts them together."""
    shown: dict[int, list[Any]] = {}
    frames = []
    for changes in document["views"][view]["changes"]:
        for part, *values in changes:
            if values:
                shown[part] = values
            else:
                del shown[part]
        frames.append(
            {
                (document["ids"][part], x, y, document["bodies"][body])
                for part, (x, y, body, _) in shown.items()
            }
        )
    return frames


def parts_of(picture: Picture) -> set[tuple[str, float, float, str]]:
    return {(part.id, round(part.x, 1), round(part.y, 1), part.body) for part in picture.parts}


@pytest.mark.parametrize(("game", "seats"), MATCHES)
def test_the_last_frame_of_each_ply_is_its_picture_for_each_viewer(game, seats):
    log, codec = a_log(game, seats), codec_for(game)
    document = replay_of(log, codec)
    plies = [frame["ply"] for frame in document["frames"]]
    assert sorted(set(plies)) == list(range(len(log.plies) + 1))
    assert plies == sorted(plies)
    last = {ply: number for number, ply in enumerate(plies)}
    hidden = GAMES[game].spec.hidden_information
    assert len(document["views"]) == (seats + 2 if hidden else 1)
    for number, view in enumerate(document["views"]):
        viewer = number - 1 if 0 < number <= seats else SPECTATOR
        frames = frames_of(document, number)
        assert len(frames) == len(plies)
        for ply in (0, len(log.plies) // 2, len(log.plies)):
            whole = hidden and number == seats + 1
            picture = picture_after(log, GAMES[game], ply, viewer=viewer, whole=whole)
            assert picture is not None
            pieces = {part for part in parts_of(picture) if not marks(part[0], picture)}
            assert pieces <= frames[last[ply]]
            assert view["board"] == picture.board
            assert view["height"] >= picture.height


def marks(part: str, picture: Picture) -> bool:
    """Return whether a part is a mark: a ply with draws is marked in several frames, but in one picture."""
    return next(each for each in picture.parts if each.id == part).layer != 1


def test_turns_begin_at_their_plies_and_strikes_are_marked():
    log = read_log(GOLDEN.read_bytes())
    document = replay_of(log, codec_for("caravan"))
    for turn in document["turns"]:
        first = next(frame for frame in document["frames"] if frame["ply"] == turn["ply"])
        assert first["seat"] == turn["seat"]
    causes = [
        frame.get("cause", "CHOSEN") for frame in document["frames"] if frame["ply"] and "event" not in frame
    ]
    assert causes == [ply.cause.name for ply in log.plies]
    assert [frame["bank_ms"] for frame in document["frames"] if "bank_ms" in frame] == [
        ply.bank_ns / 1e6 for ply in log.plies
    ]
    assert any("event" in frame for frame in document["frames"])


def test_every_kind_of_ending_is_told():
    """Random matches, some of whose bots fail, and some of which the arena fails in."""
    states, terminations = set(), set()
    for game, seats in (("caravan", 3), ("caravanserai", 1), ("wasteland", 2)):
        for source in range(8):
            log = a_log(game, seats, source=source, trouble=0.02)
            page = replay_page(log, codec_for(game))
            states.add(log.result.state)
            for each in log.result.seats:
                terminations.add(each.ending.termination.name)
                if each.ending.forfeited:
                    assert shown(each.ending.sentence) in page
            if log.result.state is not MatchState.FINISHED:
                assert shown(log.result.void_reason) in page
            else:
                assert log.result.ending in page
    assert states == {MatchState.FINISHED, MatchState.ABORTED}
    assert terminations == {"NORMAL", "DISCONNECT", "ILLEGAL_ACTION"}


def shown(text: str) -> str:
    """Return text as the page has it."""
    for character, escaped in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("'", "&#39;"), ('"', "&#34;")):
        text = text.replace(character, escaped)
    return text


@pytest.mark.parametrize(
    "name",
    [
        "</script><script>alert(1)</script>",
        "<!--<script>",
        "\u2028'\"`${x}",
        "\u202eright-to-left",
        "x" * 10_000,
    ],
)
def test_hostile_names_are_text(name):
    log = a_log("caravan", 2)
    holders = tuple(replace(holder, bot=name) for holder in log.setup.seats)
    log = replace(log, setup=replace(log.setup, seats=holders))
    found = Document(replay_page(log, codec_for("caravan")))
    assert found.tags.count("script") == 2
    known = json.loads(found.scripts[0])["seats"][0]["name"]
    assert len(known) <= 32 + len(" (seat 0)")
    assert known.startswith(name[:31].replace("\u202e", "\ufffd"))


def test_a_page_loads_nothing_and_allows_no_script_but_its_own():
    page = replay_page(a_log("ahldarahd", 2), codec_for("ahldarahd"))
    found = Document(page)
    assert all(link.startswith("#ply=") for link in found.links)
    assert "url(" not in page
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", page)
    digest = base64.b64encode(hashlib.sha256(found.scripts[1].encode()).digest()).decode()
    assert found.policy == (f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'")
    assert not re.search(r"\son\w+=", page.split("<script")[0])


@pytest.mark.parametrize("game", [game for game, each in GAMES.items() if each.spec.hidden_information])
def test_hands_are_drawn_in_the_view_of_all_hands_alone(game):
    document = replay_of(a_log(game, 3), codec_for(game))
    public, *_, whole = (frames_of(document, view) for view in range(len(document["views"])))
    pairs = zip(public, whole, strict=True)
    hands = [{part[0] for part in every} - {part[0] for part in seen} for seen, every in pairs]
    assert any(hands) != isinstance(picture_for(game), TerminalPicture)


def test_a_log_of_other_rules_is_refused():
    log = a_log("caravan", 2)
    with pytest.raises(UnfitLogError):
        replay_of(replace(log, setup=replace(log.setup, rules_version=99)), codec_for("caravan"))


def test_a_game_without_scores_has_no_chart_of_them(monkeypatch):
    log = a_log("caravan", 2)
    assert 'data-chart="score"' in replay_page(log, codec_for("caravan"))
    monkeypatch.setattr(type(picture_for("caravan")), "scores", lambda self, observation: ())
    page = replay_page(log, codec_for("caravan"))
    assert 'data-chart="score"' not in page
    assert 'data-chart="bank"' in page


def test_an_evaluation_is_drawn_and_told_at_its_ply_for_all_seats_that_sent_one():
    log = with_evaluations(a_log("caravan", 3), "412 tries", seats=(0, 2))
    page, document = replay_page(log, codec_for("caravan")), replay_of(log, codec_for("caravan"))
    chart = page.partition('data-chart="expected"')[2].partition("</figure>")[0]
    assert [f"curve seat-{seat}" in chart for seat in range(3)] == [True, False, True]
    assert 'data-chart="expected-final"' not in page
    evaluated = [number for number, ply in enumerate(log.plies, 1) if ply.evaluation]
    assert [frame["ply"] for frame in document["frames"] if "evaluation" in frame] == evaluated
    told = [each for turn in document["turns"] for each in turn["expected"]]
    assert [each["ply"] for each in told] == evaluated
    first, ply = told[0], log.plies[evaluated[0] - 1]
    assert ply.evaluation is not None
    own = ply.evaluation.scores_per_mille[ply.seat] / 10
    assert (first["own"], first["line"]) == (f"Expects {own:g} %", "412 tries")
    assert [f"bot-{seat} " in first["all"] for seat in range(3)] == [True] * 3
    assert f'title="{first["all"]}"' in page


def test_the_final_score_that_was_expected_alone_is_drawn():
    page = replay_page(with_evaluations(a_log("caravanserai", 1)), codec_for("caravanserai"))
    assert 'data-chart="expected-final"' in page
    assert 'data-chart="expected"' not in page
    assert "Expects a final score of 3" in page


def test_a_match_without_evaluations_shows_nothing_of_them():
    log = a_log("caravan", 2)
    page = replay_page(log, codec_for("caravan"))
    assert 'data-chart="expected' not in page
    assert "Expects" not in page
    assert not [frame for frame in replay_of(log, codec_for("caravan"))["frames"] if "evaluation" in frame]
