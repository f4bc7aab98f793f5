"""The wall of a ladder whose ranks are revealed, in Chromium: what a hall and a phone see without scrolling."""

import re
from pathlib import Path

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from arena.pages.freezes import WALL_LINES, wall_lines
from arena.pages.links import Links
from arena.pages.templates import render, shared_file
from arena.v1 import ladder_pb2
from tests.system.browser.pages import OpenPage, overflow, serious_faults

BOTS = 120
LONGEST = "an-unusual-name-of-32-characters"


def wall(hidden: int) -> str:
    """Return the page with so many hidden bots of 120, and its style sheets within."""
    ladder = ladder_pb2.Ladder(
        name="ladders/main",
        game="caravan",
        frozen=True,
        revealing=hidden < BOTS,
        freeze_time=Timestamp(seconds=1_796_140_800),
    )
    lines = [
        ladder_pb2.Standing(
            bot=f"bots/{LONGEST if rank % 4 == 1 else f'bot-{rank}'}",
            rank=rank,
            rating_milli=2_100_000 - 9_000 * rank,
            uncertainty_milli=131_000,
            frozen=rank <= hidden,
        )
        for rank in range(1, BOTS + 1)
    ]
    html = render(
        "wall",
        Links("wall", written=set()),
        titles={},
        announcements="",
        ladder=ladder,
        ladders=[ladder],
        standings=lines[:WALL_LINES],
        lines=wall_lines(lines),
        running=[],
        matches=[],
    )
    styles = "".join(f"<style>{shared_file(name)}</style>" for name in ("pictures.css", "site.css"))
    return re.sub("<script.*?</script>", "", re.sub("<link[^>]*>", "", html)).replace(
        "</head>", styles + "</head>"
    )


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (390, 844)])
def test_the_newest_rank_is_seen_without_scrolling(
    open_page: OpenPage, tmp_path: Path, width: int, height: int
) -> None:
    file = tmp_path / "wall.html"
    file.write_text(wall(40))
    page = open_page(file.as_uri(), width=width, height=height, dark=width < 1000)
    if width > 1000:
        assert serious_faults(page) == []
    for hidden in (120, 117, 40, 1):
        file.write_text(wall(hidden))
        page.reload()
        assert overflow(page) == 0
        newest = page.locator("tbody tr.newest")
        assert newest.count() == (hidden < BOTS)
        rows = page.locator("tbody tr")
        to_see = [newest] if hidden < BOTS else [rows.first]
        to_see += [rows.last] if width > 1000 else []  # nobody scrolls on a projector
        for row in to_see:
            box = row.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= height
