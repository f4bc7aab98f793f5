"""Debug lines in a replay page are data, whatever their text is."""

import json
import re

import pytest

from arena.viewer.debug_lines import MOST_LINES, SeatLine, with_debug_lines

PAGE = '<!doctype html><p>turns</p>\n<script type="application/json" id="data">{"a":1}</script>\n<script>run()</script>'


def lines_in(page: str) -> list[list[object]]:
    found = re.search('<script type="application/json" id="debug-lines">(.*?)</script>', page, re.DOTALL)
    assert found
    read: list[list[object]] = json.loads(found[1])
    return read


@pytest.mark.parametrize(
    "text", ["plain", "</script><script>alert(1)</script>", "<!--", "]]>", "\u2028", '"', "\\u003c", "\x00"]
)
def test_no_text_ends_the_data(text: str) -> None:
    page = with_debug_lines(PAGE, [SeatLine(1, 7, "message", text)])
    assert lines_in(page) == [[1, 7, "message", text]]
    assert page.count("<script") == PAGE.count("<script") + 1
    assert re.sub('<script type="application/json" id="debug-lines">.*?</script>\n', "", page) == PAGE


def test_the_number_of_lines_is_bounded() -> None:
    page = with_debug_lines(PAGE, (SeatLine(0, each, "stdout", "x") for each in range(MOST_LINES + 5)))
    assert len(lines_in(page)) == MOST_LINES


def test_another_page_is_refused() -> None:
    with pytest.raises(ValueError, match="no replay page"):
        with_debug_lines("<p>no replay</p>", [])
