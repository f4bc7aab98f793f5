"""What an evaluation may hold: docs/protocol.md, "Evaluations". Rows: docs/bad_inputs.md."""

import pytest

from arena.codecs.shared_messages import evaluation_message, evaluation_of
from arena.core.evaluation import Evaluation, check_counts
from arena.v1 import play_pb2
from tests.unit.core.referee_table import RefereeTable

INSIDE = [
    (Evaluation(), 4),
    (Evaluation((0, 1000), "ü" * 100, (-1_000_000, 1_000_000)), 2),
    (Evaluation((500, 250, 1000, 250)), 4),
    (Evaluation(final_scores=(41,)), 1),
    (Evaluation(line="x" * 200), 6),
]

OUTSIDE = [
    (play_pb2.Evaluation(scores_per_mille=[1001, 0]), 2, "scores_per_mille"),
    (play_pb2.Evaluation(scores_per_mille=[500]), 2, "scores_per_mille"),
    (play_pb2.Evaluation(scores_per_mille=[1000]), 1, "scores_per_mille"),
    (play_pb2.Evaluation(final_scores=[1_000_001]), 1, "final_scores"),
    (play_pb2.Evaluation(final_scores=[0, -1_000_001]), 2, "final_scores"),
    (play_pb2.Evaluation(final_scores=[7, 7]), 1, "final_scores"),
    (play_pb2.Evaluation(line="ü" * 100 + "x"), 2, "line"),
]


@pytest.mark.parametrize(("evaluation", "seats"), INSIDE)
def test_what_is_in_bounds_goes_through_a_message_unchanged(evaluation: Evaluation, seats: int) -> None:
    assert evaluation_of(evaluation_message(evaluation), seats) == evaluation


@pytest.mark.parametrize(("message", "seats", "field"), OUTSIDE)
def test_row_51_what_is_out_of_bounds_is_refused_with_its_field(
    message: play_pb2.Evaluation, seats: int, field: str
) -> None:
    with pytest.raises(ValueError, match=f"^{field} has "):
        evaluation_of(message, seats)


def test_a_match_of_one_seat_has_no_expected_score_and_may_have_a_final_one() -> None:
    check_counts(0, 1, 1)
    with pytest.raises(ValueError, match=r"^scores_per_mille has 1 values; a match with 1 seat needs none$"):
        check_counts(1, 0, 1)


def test_the_first_action_of_a_plan_has_the_evaluation_of_its_answer() -> None:
    table, expected = RefereeTable(moves_each=3), Evaluation((900, 100))
    table.sent(0, 1, 0).answer(0, 1, (1, 2, 3), 10, expected)
    assert [each.record.evaluation for each in table.played] == [expected, None, None]


@pytest.mark.parametrize(("action", "at"), [("it could not be read", 10), ((1, 77), 10), (1, 151)])
def test_an_answer_that_does_not_count_leaves_no_evaluation(action: int | str, at: float) -> None:
    """Rows 12, 17 and 19: refused, illegal, too late."""
    table = RefereeTable(moves_each=3)
    table.sent(0, 1, 0).answer(0, 1, action, at, Evaluation((900, 100)))
    assert [each.record.evaluation for each in table.played] == [None]
