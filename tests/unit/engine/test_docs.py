"""The pages of the rules are what the code and the tests cite."""

import re

import pytest

from tests.checkout import python_files, text

LAST_CLAUSE = {"caravan": "C23", "caravanserai": "S57", "ahldarahd": "A53", "wasteland": "W76"}


def texts(*folders: str) -> str:
    return "\n".join(text(path) for path in python_files(*folders))


@pytest.fixture(params=LAST_CLAUSE)
def game(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def clauses(game: str) -> set[str]:
    last = LAST_CLAUSE[game]
    return {f"{last[0]}{number}" for number in range(1, int(last[1:]) + 1)}


def test_the_page_has_every_clause_once(game: str, clauses: set[str]) -> None:
    letter = LAST_CLAUSE[game][0]
    assert sorted(re.findall(rf"\*\*({letter}\d+)\*\*", text(f"docs/rules/{game}.md"))) == sorted(clauses)


def test_every_clause_that_is_cited_is_on_the_page(game: str, clauses: set[str]) -> None:
    cited = texts(f"engine/{game}", f"tests/unit/engine/{game}", f"arena/codecs/{game}")
    assert set(re.findall(rf"\b{LAST_CLAUSE[game][0]}\d+\b", cited)) <= clauses


def test_every_clause_has_a_test_of_its_name(game: str, clauses: set[str]) -> None:
    letter = LAST_CLAUSE[game][0]
    names = "\n".join(re.findall(r"def (test_\w+)", texts(f"tests/unit/engine/{game}")))
    assert {
        f"{letter}{number}" for number in re.findall(rf"(?<=_{letter.lower()})\d+(?=_)", names)
    } == clauses


@pytest.mark.parametrize(("game", "examples"), [("caravan", 11), ("wasteland", 12)], indirect=["game"])
def test_every_worked_example_has_a_test(game: str, examples: int) -> None:
    names = "\n".join(re.findall(r"def (test_\w+)", texts(f"tests/unit/engine/{game}")))
    assert {int(number) for number in re.findall(r"example_(\d+)", names)} == set(range(1, examples + 1))


@pytest.mark.parametrize("game", ["ahldarahd", "wasteland"], indirect=True)
def test_the_page_says_what_is_reconstructed(game: str) -> None:
    assert "reconstruction" in text(f"docs/rules/{game}.md")
