"""What counts as an answer of a model, and the reasons for what does not."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.sdk.llm.answer import Answer, UnusableAnswerError, read_answer

NOTATIONS = ("PASS", "PLACE(8)", '{"bid":2,"type":"bid"}')


@pytest.mark.parametrize(
    ("text", "index"),
    [
        ('{"thoughts": "near", "action": 2}', 1),
        ('{"thoughts": "near", "action": "2"}', 1),
        ('{"thoughts": "near", "action": 2.0}', 1),
        ('{"thoughts": "near", "action": "place(8) "}', 1),
        ('{"thoughts": "near", "action": {"type": "bid", "bid": 2}}', 2),
        ('```json\n{"thoughts": "near", "action": 3}\n```', 2),
        ('<think>{"action": 1} or {</think> I choose {"thoughts": "near", "action": 3}. Good luck!', 2),
    ],
    ids=["number", "text", "float", "notation", "object", "code fence", "other words"],
)
def test_an_action_is_given_by_its_number_or_its_notation(text: str, index: int) -> None:
    assert read_answer(text, NOTATIONS) == Answer(index, "near")


ODD: list[object] = [0, 4, -1, 1.5, True, None, [1], "fly", float("nan"), float("inf"), {}, "9" * 5000]


@pytest.mark.parametrize(
    "text",
    [
        *("", "2", "[2]", '{"move": 2}', '{"action": 2', '{"action": 1e999}', "[" * 9999, "{" * 9999),
        '{"action": ' * 9999,
        '{"action": ' + "[" * 99_999,
        *(json.dumps({"action": each}) for each in ODD),
        '{"action": ' + "9" * 5000 + "}",
    ],
)
def test_what_chooses_no_legal_action_has_a_reason_for_the_model(text: str) -> None:
    with pytest.raises(UnusableAnswerError) as error:
        read_answer(text, NOTATIONS)
    assert str(error.value).endswith(".")
    assert len(str(error.value)) < 300


@given(st.text())
def test_any_text_is_an_answer_or_has_a_reason(text: str) -> None:
    for each in (text, json.dumps({"action": text, "thoughts": text}), f'{{"action": {text}}}'):
        with contextlib.suppress(UnusableAnswerError):
            assert 0 <= read_answer(each, NOTATIONS).index < len(NOTATIONS)


def test_thoughts_are_one_line_of_printable_characters() -> None:
    answer = read_answer(json.dumps({"action": 1, "thoughts": "a\n\x1b[31m b\u202e " * 1000}), NOTATIONS)
    assert answer.thoughts.startswith("a [31m b a")
    assert answer.thoughts.isprintable()
    assert len(answer.thoughts) == 2000
    assert read_answer('{"action": 1, "thoughts": [1]}', NOTATIONS).thoughts == ""
