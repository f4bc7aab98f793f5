"""What a pattern of .arenaignore leaves out."""

from __future__ import annotations

import pytest

from arena.core.errors import ErrorReason, InvalidArgumentError
from arena.submissions.scan import ignore_patterns

CASES = [
    (["notes.md"], "notes.md", True),
    (["notes.md"], "deep/notes.md", True),
    (["notes.md"], "notes.md.txt", False),
    (["*.log"], "deep/a.log", True),
    (["a?c"], "a/c", False),
    (["/out"], "out", True),
    (["/out"], "deep/out", False),
    (["deep/*.o"], "deep/a.o", True),
    (["deep/*.o"], "deep/er/a.o", False),
    (["**/er/*.o"], "deep/er/a.o", True),
    (["a**b"], "a/b", False),
    (["out/"], "out", False),
    (["out/"], "deep/out/", True),
    (["[ab]"], "a", True),
    (["# out"], "# out", False),
    (["*.md", "!README.md"], "README.md", False),
    (["!.git/", "!__pycache__/"], "deep/__pycache__/", True),
    ([], ".git/", True),
]


@pytest.mark.parametrize(("patterns", "path", "ignored"), CASES)
def test_patterns_are_those_of_gitignore(patterns: list[str], path: str, ignored: bool) -> None:
    assert ignore_patterns(patterns).match_file(path) == ignored


def test_a_line_that_is_no_pattern_is_refused() -> None:
    with pytest.raises(InvalidArgumentError) as refused:
        ignore_patterns(["a", "!"])
    assert refused.value.reason is ErrorReason.FIELD_INVALID
