"""What the drawings of all games say in the same way."""

import pytest
from rich.text import Text

from arena.drawings.wording import (
    amounts,
    change,
    counted,
    leader,
    listed,
    named,
    overtaken,
    ranked,
    seat_label,
    seat_title,
)

NAMES = ("anna", "bert", "carl")


@pytest.mark.parametrize(
    ("parts", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_a_list_reads_like_a_sentence(parts: list[str], text: str) -> None:
    assert listed([Text(part) for part in parts]).plain == text


def test_nouns_follow_their_number() -> None:
    assert [counted(number, "point") for number in (0, 1, 2)] == ["0 points", "1 point", "2 points"]


def test_a_seat_goes_by_its_number_where_its_bot_is_not_known() -> None:
    assert [named(2, names).plain for names in (NAMES, ())] == ["carl", "seat 2"]


def test_seats_with_an_equal_best_score_do_not_lead() -> None:
    assert [leader(scores) for scores in ([2, 5, 1], [5, 5, 1], [0])] == [1, None, 0]


def test_only_a_lead_that_changes_hands_is_overtaking() -> None:
    changes = (([3, 2], [3, 4]), ([3, 2], [3, 3]), ([3, 3], [3, 4]), ([3, 2], [9, 2]))
    assert [overtaken(*change) for change in changes] == [True, False, False, False]


@pytest.mark.parametrize(
    ("before", "after", "changes", "leads"),
    [
        ([3, 2, 0], [3, 4, 1], ["bert 2 → 4", "carl 0 → 1"], True),
        ([3, 2], [5, 2], ["anna 3 → 5"], False),
        ([0], [4], ["anna 0 → 4"], False),
    ],
)
def test_a_change_has_old_and_new_scores_and_a_new_leader(
    before: list[int], after: list[int], changes: list[str], leads: bool
) -> None:
    [sentence] = change("Score", before, after, NAMES[: len(before)])
    assert sentence.plain == f"Score: {' and '.join(changes)}{'; bert takes the lead' * leads}."


def test_equal_scores_are_no_change() -> None:
    assert not [*change("Score", [3, 2], [3, 2], NAMES)]


@pytest.mark.parametrize("names", [(), NAMES])
def test_the_label_of_a_seat_is_as_wide_as_its_title(names: tuple[str, ...]) -> None:
    labels = [seat_label(seat, names, acts=seat == 1).plain for seat in range(3)]
    assert {len(label) for label in labels} == {len(seat_title(names))}
    assert [label[0] for label in labels] == [" ", "▶", " "]


def test_amounts_begin_with_the_largest_and_sum_up_rare_kinds() -> None:
    sums = {"salt": 1, "gold": 30, "gems": 2, "dates": 2}
    assert amounts(sums) == "30 gold + 2 dates + 2 gems + 1 salt"
    assert amounts(sums, 2).split(" + ") == ["30 gold", "2 dates", "3 of other kinds"]
    assert amounts(sums, 4) == amounts(sums)
    assert amounts({}) == amounts({}, 2) == "nothing"


def test_seats_are_ranked_by_score_and_then_by_what_breaks_ties() -> None:
    told = ranked([(3, 1), (5, 0), (3, 2), (5, 0)], ("ant", "bee", "cat", "dog"), ("", "far", "", ""))
    assert told.plain.split(", ") == ["bee 5 (far)", "dog 5", "cat 3", "ant 3"]
