"""What the drawings of all games say in the same way."""

from __future__ import annotations

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


def test_nobody_leads_who_shares_the_best_score() -> None:
    assert [leader(scores) for scores in ([2, 5, 1], [5, 5, 1], [0])] == [1, None, 0]


def test_only_a_lead_that_changes_hands_is_overtaking() -> None:
    assert overtaken([3, 2], [3, 4])
    assert not overtaken([3, 2], [3, 3])
    assert not overtaken([3, 3], [3, 4])
    assert not overtaken([3, 2], [9, 2])


def test_a_change_tells_old_and_new_scores_and_a_new_leader() -> None:
    [told] = change("Score", [3, 2, 0], [3, 4, 1], NAMES)
    assert told.plain == "Score: bert 2 → 4 and carl 0 → 1; bert takes the lead."
    assert not [*change("Score", [3, 2], [3, 2], NAMES)]


def test_who_stays_ahead_takes_no_lead() -> None:
    [told] = change("Score", [3, 2], [5, 2], NAMES[:2])
    assert told.plain == "Score: anna 3 → 5."


def test_who_plays_alone_takes_no_lead() -> None:
    [told] = change("Length", [0], [4], ("anna",))
    assert told.plain == "Length: anna 0 → 4."


@pytest.mark.parametrize("names", [(), NAMES])
def test_the_label_of_a_seat_is_as_wide_as_its_title(names: tuple[str, ...]) -> None:
    labels = [seat_label(seat, names, acts=seat == 1).plain for seat in range(3)]
    assert {len(label) for label in labels} == {len(seat_title(names))}
    assert [label[0] for label in labels] == [" ", "▶", " "]


def test_amounts_are_told_the_most_first_and_rare_kinds_together() -> None:
    sums = {"salt": 1, "gold": 30, "gems": 2, "dates": 2}
    assert amounts(sums) == "30 gold + 2 dates + 2 gems + 1 salt"
    assert amounts(sums, 2) == "30 gold + 2 dates + 3 of other kinds"
    assert amounts(sums, 4) == amounts(sums)
    assert amounts({}) == amounts({}, 2) == "nothing"


def test_seats_are_ranked_by_score_and_then_by_what_breaks_ties() -> None:
    told = ranked([(3, 1), (5, 0), (3, 2), (5, 0)], ("ant", "bee", "cat", "dog"), ("", "far", "", ""))
    assert told.plain == "bee 5 (far), dog 5, cat 3, ant 3"
