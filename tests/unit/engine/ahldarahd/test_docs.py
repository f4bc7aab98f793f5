"""The page of the rules is what the code and the tests cite."""

from __future__ import annotations

import re

from tests.checkout import python_files, text

PAGE = text("docs/rules/ahldarahd.md")
CLAUSES = {f"A{number}" for number in range(1, 54)}


def texts(*folders: str) -> str:
    return "\n".join(text(path) for path in python_files(*folders))


def test_the_page_has_every_clause_once() -> None:
    assert sorted(re.findall(r"\*\*(A\d+)\*\*", PAGE)) == sorted(CLAUSES)


def test_every_clause_that_the_code_cites_is_on_the_page() -> None:
    cited = set(re.findall(r"\bA\d+\b", texts("engine/ahldarahd", "tests/unit/engine/ahldarahd")))
    assert cited <= CLAUSES


def test_every_clause_has_a_test_of_its_name() -> None:
    names = "\n".join(re.findall(r"def (test_\w+)", texts("tests/unit/engine/ahldarahd")))
    assert {f"A{number}" for number in re.findall(r"(?<=_a)\d+(?=_)", names)} == CLAUSES


def test_the_page_says_what_is_reconstructed() -> None:
    assert "reconstruction" in PAGE
