"""Lines that a person types under a clock, over a pipe and a pseudo-terminal."""

import os
import pty
import re
import time
from itertools import count
from types import SimpleNamespace

import pytest

from arena.human import lines
from arena.human.lines import ClosedError, Lines, Question

CLOSED = Question(lambda: False)


class Typed:
    """A pipe into which a person types, and what they see."""

    def __init__(self) -> None:
        source, self.into = os.pipe()
        self.shown: list[str] = []
        self._lines = Lines(self.shown.append, source)

    def type(self, text: str) -> None:
        os.write(self.into, text.encode())

    def read(self, question: Question | None = None) -> str:
        return self._lines.read("? ", question or Question())


@pytest.fixture
def typed() -> Typed:
    return Typed()


def test_lines_come_one_by_one_and_then_the_end_of_the_input(typed):
    typed.type("eins\nzwei\n\nrest")
    os.close(typed.into)
    assert [typed.read() for _ in range(4)] == ["eins", "zwei", "", "rest"]
    with pytest.raises(EOFError):
        typed.read()
    assert typed.shown == ["? "] * 5


def test_bytes_that_are_no_text_are_a_line_like_any_other(typed):
    os.write(typed.into, b"\xff\xfe\n")
    assert typed.read() == "\ufffd\ufffd"


def test_the_prompt_shows_the_clock(typed):
    typed.type("12\n")
    assert typed.read(Question(deadline=time.monotonic() + 600)) == "12"
    assert typed.shown == ["10:00 min left. ? "]


def test_a_question_that_is_closed_ends_and_what_was_typed_for_it_is_dropped(typed):
    typed.type("half a li")
    answers = iter([True, True, False])
    with pytest.raises(ClosedError):
        typed.read(Question(lambda: next(answers)))
    typed.type("12\n")
    assert typed.read() == "12"


def test_a_person_who_does_not_answer_is_reminded_of_the_clock(typed, monkeypatch):
    clock = count(0, 5)  # each look at it takes five seconds
    monkeypatch.setattr(lines, "time", SimpleNamespace(monotonic=lambda: float(next(clock))))
    monkeypatch.setattr(lines, "select", SimpleNamespace(select=lambda *_: ([], [], [])))
    left = iter(range(50, -1, -1))
    with pytest.raises(ClosedError):
        typed.read(Question(lambda: next(left) > 0, 200.0))
    assert [re.fullmatch(r"\n?\S+ (s|min) left\. \? ", each) is not None for each in typed.shown] == [
        True
    ] * 4 + [False]


def test_a_terminal_loses_what_was_typed_for_a_question_that_is_closed():
    outside, inside = pty.openpty()
    terminal = Lines(lambda _: None, inside)
    os.write(outside, b"resign")
    with pytest.raises(ClosedError):
        terminal.read("? ", CLOSED)
    os.write(outside, b"12\n")
    assert terminal.read("? ", Question()) == "12"


@pytest.mark.parametrize(("seconds", "said"), [(-5, "0 s"), (42, "42 s"), (119, "119 s"), (725, "12:05 min")])
def test_the_time_left_in_words(seconds, said):
    assert Question(deadline=time.monotonic() + seconds).time_left() == said


def test_a_terminal_that_is_closed_is_the_end_of_the_input():
    outside, inside = pty.openpty()
    os.close(outside)
    with pytest.raises(EOFError):
        Lines(lambda _: None, inside).read("? ", Question())
