"""Decisions that are due: answered once, in time, by the right id."""

import threading

import pytest

from arena.sdk.mcp.errors import Reason, RefusedCallError
from arena.sdk.mcp.seats import Answer, NewsKind, Seats
from tests.unit.sdk.mcp.tables import Table

ANSWER = Answer(3, "")


def refused(table: Table, decision: str) -> Reason:
    with pytest.raises(RefusedCallError) as why:
        table.seats.answer(decision, ANSWER, "passes")
    return why.value.reason


def test_a_decision_takes_one_answer() -> None:
    table = Table()
    decision = table.decide()
    table.seats.answer(decision.id, ANSWER, "passes")
    assert table.seats.await_answer(decision, lambda: True) is ANSWER
    assert refused(table, decision.id) is Reason.DECISION_ANSWERED
    assert table.seats.due() == []


def test_a_decision_may_be_answered_before_its_thread_waits_for_the_answer() -> None:
    table = Table()

    def answer_at_once() -> None:
        for due in table.seats.due():
            table.seats.answer(due.id, ANSWER, "passes")

    table.seats.listener = answer_at_once
    decision = table.decide()
    assert table.seats.await_answer(decision, lambda: True) is ANSWER


def test_of_two_answers_at_once_one_counts() -> None:
    table = Table()
    decision = table.decide()
    counted: list[int] = []

    def answer(number: int) -> None:
        try:
            table.seats.answer(decision.id, Answer(number, ""), "passes")
        except RefusedCallError:
            return
        counted.append(number)

    threads = [threading.Thread(target=answer, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (number,) = counted
    answered = table.seats.await_answer(decision, lambda: True)
    assert answered is not None
    assert answered.action == number


def test_an_answer_after_the_time_is_refused_and_changes_nothing() -> None:
    table = Table()
    decision = table.decide(until=10.0)
    table.time.now = 10.0
    assert refused(table, decision.id) is Reason.DECISION_CLOSED
    assert table.seats.await_answer(decision, lambda: True) is None
    assert refused(table, decision.id) is Reason.DECISION_CLOSED


def test_a_decision_that_the_arena_has_closed_takes_no_answer() -> None:
    table = Table()
    decision = table.decide()
    assert table.seats.await_answer(decision, lambda: False) is None
    assert refused(table, decision.id) is Reason.DECISION_CLOSED


def test_the_end_of_a_match_closes_its_decision_and_no_other() -> None:
    table = Table()
    first, second = table.decide(number=7), table.decide(number=8)
    table.seats.end("matches/7", NewsKind.MATCH_ENDED, "over")
    assert refused(table, first.id) is Reason.DECISION_CLOSED
    assert [each.id for each in table.seats.due()] == [second.id]


@pytest.mark.parametrize("wrong", ["", "7", "7-2-run", "7-1-other", "8-1-run", "x" * 64])
def test_an_id_of_no_decision_is_refused(wrong: str) -> None:
    table = Table()
    decision = table.decide()
    assert decision.id == "7-1-run"
    assert refused(table, wrong) is Reason.DECISION_UNKNOWN
    assert table.seats.due() == [decision]


def test_two_runs_of_the_program_have_different_ids() -> None:
    assert Seats().run != Seats().run


def test_the_most_urgent_decision_comes_first() -> None:
    table = Table()
    later, sooner = table.decide(number=7, until=60.0), table.decide(number=8, until=50.0)
    assert table.seats.due() == [sooner, later]


def test_closing_releases_the_thread_of_the_bot_without_an_answer() -> None:
    table = Table()
    decision = table.decide()
    answers: list[object] = ["nothing yet"]
    thread = threading.Thread(target=lambda: answers.append(table.seats.await_answer(decision, lambda: True)))
    thread.start()
    table.seats.close()
    thread.join(10)
    assert answers == ["nothing yet", None]


def test_news_is_told_once_and_of_too_much_the_newest() -> None:
    table = Table()
    for number in range(300):
        table.seats.tell(NewsKind.ARENA_PLAYED, "matches/7", str(number))
    told = [each.text for each in table.seats.take_news()]
    assert told == [str(number) for number in range(100, 300)]
    assert table.seats.take_news() == []
