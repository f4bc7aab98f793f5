"""Figures of growth as tables for a page."""

from benchmarks.growth.table import Panel, Series, markdown


def test_a_panel_is_a_table_with_a_column_for_each_size() -> None:
    panel = Panel("Ratings", "matches", "s", (10, 1_000), (Series("recompute", (0.25, 31.4)),))
    assert (
        markdown([panel, panel]).split("\n\n")
        == ["| Ratings, s; matches: | 10 | 1,000 |\n| --- | --- | --- |\n| recompute | 0.25 | 31.4 |"] * 2
    )
