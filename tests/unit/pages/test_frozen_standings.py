"""Pages of ladders with a freeze: notices, ranks that are hidden, and which lines a wall shows."""

import re

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from arena.pages.freezes import HIDDEN_LINES, WALL_LINES, wall_lines, with_freeze
from arena.pages.links import Links
from arena.pages.reads import PageError
from arena.pages.templates import render
from arena.v1 import ladder_pb2

FREEZE = Timestamp(seconds=1_796_140_800)
SHOWN = "2026-12-01 16:00:00Z"


def line(bot: str, rank: int, *, frozen: bool) -> ladder_pb2.Standing:
    return ladder_pb2.Standing(bot=f"bots/{bot}", rank=rank, rating_milli=1_500_000, matches=4, frozen=frozen)


def standings(hidden: int, revealed: int) -> list[ladder_pb2.Standing]:
    """Return lines as ListStandings does: those of the freeze, with the ranks of then, and then the final ones."""
    of_freeze = [line(f"hidden-{rank}", rank, frozen=True) for rank in range(1, hidden + 1)]
    return of_freeze + [
        line(f"final-{rank}", rank, frozen=False) for rank in range(hidden + 1, hidden + revealed + 1)
    ]


def ladder(*, frozen: bool = False, revealing: bool = False) -> ladder_pb2.Ladder:
    made = ladder_pb2.Ladder(
        name="ladders/main",
        game="caravan",
        frozen=frozen,
        revealing=revealing,
        finished_matches=7,
        freeze_time=FREEZE,
    )
    made.time_control.per_decision_ms = 1500
    return made


def wall(shown: ladder_pb2.Ladder, lines: list[ladder_pb2.Standing]) -> str:
    """Return the part of a wall that changes."""
    return render(
        "wall",
        Links("wall"),
        part=True,
        titles={},
        announcements="",
        ladder=shown,
        ladders=[shown],
        standings=lines[:WALL_LINES],
        lines=wall_lines(lines),
        running=[],
        matches=[],
    )


def page(shown: ladder_pb2.Ladder, lines: list[ladder_pb2.Standing]) -> str:
    """Return the page of a ladder."""
    return render(
        "ladder",
        Links("ladders/main"),
        titles={},
        ladder=shown,
        chart=None,
        seasons=[],
        standings=lines,
        next_page="",
        this_page="",
        running=[],
        matches=[],
    )


@pytest.mark.parametrize(
    ("hidden", "revealed", "shown_hidden", "shown_revealed"),
    [
        (117, 3, WALL_LINES - 3, 3),
        (40, 80, HIDDEN_LINES, WALL_LINES - HIDDEN_LINES),
        (2, 118, 2, WALL_LINES - 2),
        (1, 1, 1, 1),
        (120, 0, WALL_LINES, 0),
        (0, 120, 0, WALL_LINES),
        (0, 0, 0, 0),
    ],
)
def test_a_wall_shows_the_ranks_that_were_revealed_last_and_the_last_hidden_bots(
    hidden: int, revealed: int, shown_hidden: int, shown_revealed: int
) -> None:
    lines = wall_lines(standings(hidden, revealed))
    assert [each.rank for each in lines.hidden] == [*range(hidden - shown_hidden + 1, hidden + 1)]
    assert [each.rank for each in lines.revealed] == [*range(hidden + 1, hidden + shown_revealed + 1)]
    assert (lines.all_hidden, lines.all_revealed) == (hidden, revealed)


def test_hidden_bots_have_no_rank_on_a_wall_and_the_newest_final_rank_is_marked() -> None:
    html = wall(ladder(frozen=True, revealing=True), standings(3, 2))
    rows = re.findall(r"<tr.*?</tr>", html)
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in rows]
    assert [row[0] for row in cells] == ["?", "?", "?", "4", "5"]
    assert [row[2] for row in cells[:3]] == [f"at the freeze: {rank}" for rank in (1, 2, 3)]
    assert [index for index, row in enumerate(rows) if "newest" in row] == [3]
    assert "In play" not in html


def test_bots_that_share_the_newest_rank_are_both_marked() -> None:
    shared = [line("a", 1, frozen=True), line("b", 2, frozen=False), line("c", 2, frozen=False)]
    assert wall(ladder(frozen=True, revealing=True), shared).count("newest") == 2


def test_a_wall_of_frozen_standings_has_a_notice_and_no_matches() -> None:
    html = wall(ladder(frozen=True), standings(30, 0))
    assert SHOWN in html
    assert "The standings are frozen" in html
    assert "Finished" not in html
    assert html.count("<tr>") == WALL_LINES


@pytest.mark.parametrize("shown", [ladder(), ladder(frozen=True, revealing=True)])
def test_a_wall_without_hidden_bots_is_the_usual_one(shown: ladder_pb2.Ladder) -> None:
    """Also if the last rank is revealed between the calls that a page makes."""
    html = wall(shown, standings(0, 4))
    assert "Finished: 7" in html
    assert (f"The standings freeze: {SHOWN}" in html) is not shown.frozen


@pytest.mark.parametrize(
    ("shown", "fact", "notice"),
    [
        (ladder(), "standings freeze", ""),
        (ladder(frozen=True), "standings frozen since", f"Frozen since {SHOWN}"),
        (ladder(frozen=True, revealing=True), "standings frozen since", "being revealed"),
    ],
)
def test_the_page_of_a_ladder_has_the_freeze_in_its_facts_and_a_notice_while_it_lasts(
    shown: ladder_pb2.Ladder, fact: str, notice: str
) -> None:
    html = page(shown, standings(2, 2 if shown.revealing else 0))
    assert f"<dt>{fact}</dt><dd>{SHOWN}</dd>" in html
    assert ('class="freeze"' in html) is bool(notice)
    assert notice in html


def test_the_page_of_a_ladder_hides_the_ranks_of_the_freeze_only_while_ranks_are_revealed() -> None:
    revealing = page(ladder(frozen=True, revealing=True), standings(2, 1))
    assert re.findall(r'<td class="number">(\?|\d)', revealing).count("?") == 2
    assert (
        "?" not in page(ladder(frozen=True), standings(2, 0)).partition("<tbody>")[2].partition("</table>")[0]
    )


def test_a_ladder_without_a_freeze_has_no_notice() -> None:
    plain = ladder()
    plain.ClearField("freeze_time")
    assert with_freeze([plain]) == []
    assert "freeze" not in page(plain, standings(0, 2)).partition("<main")[2]


def test_a_match_that_is_not_shown_has_a_page_that_says_why() -> None:
    error = PageError(409, "The standings of the ladder main are frozen.", reason="STANDINGS_FROZEN")
    html = render("error", Links(""), error=error, titles={})
    assert "<h1>The standings are frozen</h1>" in html
    assert error.sentence in html


def test_the_newest_rank_is_that_of_the_best_line_that_has_one() -> None:
    lines = [line("hidden", 1, frozen=True), line("anchor", 0, frozen=False), line("last", 4, frozen=False)]
    assert wall_lines(lines).newest_rank == 4
    shown = wall(ladder(frozen=True, revealing=True), lines)
    assert re.findall('class="final newest">.*?<bdi>([a-z]+)', shown) == ["last"]
    assert wall_lines(lines[:2]).newest_rank == 0
