"""Standings and crosstable (docs/tournaments.md), by results worked out by hand."""

from hypothesis import given
from hypothesis import strategies as st

from arena.core.finished_match import FinishedMatch
from arena.core.tournaments import Cell, crosstable

BOTS = ("ann", "bob", "cid")


def match(*placed: tuple[str, int], forfeited: str = "") -> FinishedMatch:
    """Return a match by seat: who, which placing."""
    bots = tuple(bot for bot, _ in placed)
    return FinishedMatch(
        bots, tuple(placing for _, placing in placed), tuple(bot == forfeited for bot in bots)
    )


def test_a_match_of_three_is_scored_pair_by_pair() -> None:
    table = crosstable(BOTS, [match(("bob", 1), ("ann", 2), ("cid", 2), forfeited="cid")], [])
    assert [(line.rank, line.bot, line.score_milli, line.pairs, line.firsts) for line in table.standings] == [
        (1, "bob", 2000, 2, 1),
        (2, "ann", 500, 2, 0),
        (2, "cid", 500, 2, 0),
    ]
    assert [line.forfeits for line in table.standings] == [0, 0, 1]
    assert table.cells[0] == (Cell(), Cell(1000, 1), Cell(1000, 1))
    assert table.cells[2] == (Cell(0, 1), Cell(500, 1), Cell())


def test_bots_with_fewer_matches_are_ranked_by_the_score_per_pair() -> None:
    played = [match(("ann", 1), ("bob", 2)), match(("bob", 1), ("ann", 2)), match(("ann", 1), ("bob", 2))]
    table = crosstable(BOTS, [*played, match(("cid", 1), ("bob", 2))], [])
    assert [(line.rank, line.bot) for line in table.standings] == [(1, "cid"), (2, "ann"), (3, "bob")]


def test_of_equal_scores_more_first_places_are_better() -> None:
    draws = [match(("ann", 1), ("bob", 1)), match(("ann", 1), ("bob", 1))]
    won_and_lost = [match(("cid", 1), ("dan", 2)), match(("cid", 2), ("dan", 1))]
    table = crosstable(("cid", "dan", "ann", "bob"), draws + won_and_lost, [])
    assert [(line.rank, line.bot) for line in table.standings] == [
        (1, "ann"),
        (1, "bob"),
        (3, "cid"),
        (3, "dan"),
    ]


def test_a_match_without_a_result_is_counted_as_not_played() -> None:
    table = crosstable(BOTS, [match(("ann", 1), ("bob", 2))], [("bob", "cid"), ("cid", "bob")])
    lines = {line.bot: line for line in table.standings}
    assert [(lines[bot].matches, lines[bot].not_played) for bot in BOTS] == [(1, 0), (1, 2), (0, 2)]
    assert [(line.rank, line.bot) for line in table.standings] == [(1, "ann"), (2, "bob"), (0, "cid")]


@given(
    st.lists(
        st.tuples(st.permutations(BOTS), st.lists(st.integers(1, 3), min_size=3, max_size=3)), max_size=20
    )
)
def test_every_pair_is_worth_one_point_and_the_order_of_the_matches_says_nothing(
    results: list[tuple[list[str], list[int]]],
) -> None:
    played = [FinishedMatch(tuple(bots), tuple(placings), (False,) * 3) for bots, placings in results]
    table = crosstable(BOTS, played, [])
    assert sum(line.score_milli for line in table.standings) == 3000 * len(played)
    for row in range(3):
        assert table.standings[row].score_milli == sum(cell.score_milli for cell in table.cells[row])
        for column in range(3):
            both = table.cells[row][column], table.cells[column][row]
            expected = 0 if row == column else 1000 * len(played)
            assert both[0].score_milli + both[1].score_milli == expected
    assert crosstable(BOTS, played[::-1], []) == table
