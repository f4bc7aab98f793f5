"""What a pattern of .arenaignore leaves out."""

from __future__ import annotations

import pytest

from arena.core.errors import InvalidArgumentError
from arena.submissions.ignore_file import IgnoreFile

CASES = [
    ("notes.md", "notes.md", True),
    ("notes.md", "deep/notes.md", True),
    ("notes.md", "notes.md.txt", False),
    ("*.log", "deep/a.log", True),
    ("*.log", "a.log.txt", False),
    ("a?c", "abc", True),
    ("a?c", "a/c", False),
    ("/out", "out", True),
    ("/out", "deep/out", False),
    ("deep/*.o", "deep/a.o", True),
    ("deep/*.o", "deep/er/a.o", False),
    ("**/er/*.o", "deep/er/a.o", True),
    ("**/er/*.o", "er/a.o", True),
    ("a**b", "a/b", False),
    ("out/", "out", False),
    ("[ab]", "a", False),
    ("[ab]", "[ab]", True),
    ("a.c", "abc", False),
    ("# out", "# out", False),
    ("", "", False),
]


@pytest.mark.parametrize(("pattern", "path", "ignored"), CASES)
def test_a_file_is_left_out_if_a_pattern_matches(pattern: str, path: str, ignored: bool) -> None:
    assert IgnoreFile([pattern]).ignores(path, is_folder=False) == ignored


def test_a_pattern_with_a_slash_at_its_end_is_of_folders_alone() -> None:
    assert IgnoreFile(["out/"]).ignores("deep/out", is_folder=True)


@pytest.mark.parametrize("path", [".git", "deep/__pycache__", ".venv"])
def test_what_is_no_part_of_any_bot_is_always_left_out(path: str) -> None:
    assert IgnoreFile().ignores(path, is_folder=True)


def test_a_pattern_that_would_take_another_back_is_refused_with_its_line() -> None:
    with pytest.raises(InvalidArgumentError, match=r"line 2: '!b'"):
        IgnoreFile(["a", "!b"])
