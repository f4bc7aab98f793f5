"""Matches and positions in a notebook."""

from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from arena.codecs.codec import codec_for
from arena.match_log.reader import UnreadableLogError, read_log
from arena.match_report.pictures import picture_after
from arena.viewer import Replay
from arena.viewer.page import replay_page
from arena.viewer.replay import UnfitLogError
from engine.registry import GAMES
from tests.system.viewer.logs import a_log

LOG = Path(__file__).parents[2] / "data" / "logs" / "caravan-2-seats.arenalog"


class Tags(HTMLParser):
    """The tags of markup with their attributes."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("name", [LOG, str(LOG), read_log(LOG.read_bytes())], ids=["path", "name", "log"])
def test_a_notebook_shows_the_page_of_a_match_in_a_frame(name):
    ((tag, attributes),) = Tags(Replay(name)._repr_html_()).found
    assert tag == "iframe"
    assert attributes["srcdoc"] == replay_page(read_log(LOG.read_bytes()), codec_for("caravan"))
    assert attributes["sandbox"] == "allow-scripts"


def test_a_notebook_shows_a_position_of_a_match_as_its_viewer_sees_it():
    log = a_log("ahldarahd", 2)
    replay = Replay(log)
    for options in ({}, {"seat": 1}, {"whole": True}):
        shown = replay.picture(20, **options)._repr_svg_()
        viewer = options.get("seat", -1)
        picture = picture_after(log, GAMES["ahldarahd"], 20, viewer=viewer, whole="whole" in options)
        assert picture is not None
        assert shown == picture.svg()


def test_what_cannot_be_shown_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError):
        Replay(tmp_path / "missing.arenalog")
    broken = tmp_path / "broken.arenalog"
    broken.write_bytes(b"no log")
    with pytest.raises(UnreadableLogError):
        Replay(broken)
    log = read_log(LOG.read_bytes())
    with pytest.raises(ValueError, match="191"):
        Replay(log).picture(192)
    with pytest.raises(ValueError, match="0 to 1"):
        Replay(log).picture(1, seat=2)
    other = Replay(replace(log, setup=replace(log.setup, rules_version=99)))
    with pytest.raises(UnfitLogError, match="other rules"):
        other._repr_html_()
    with pytest.raises(UnfitLogError, match="other rules"):
        other.picture(1)
