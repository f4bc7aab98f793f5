"""The libraries of environments come with their extras alone."""

import re
import tomllib

from tests.checkout import text


def names(requirements: list[str]) -> set[str]:
    """Return the names of packages."""
    return {re.split(r"[^\w-]", requirement)[0] for requirement in requirements}


def test_neither_a_bot_author_nor_an_arena_gets_them() -> None:
    project = tomllib.loads(text("pyproject.toml"))["project"]
    extras = project["optional-dependencies"]
    ours = names(extras["research"]) | names(extras["openspiel"])
    assert ours == {"gymnasium", "matplotlib", "numpy", "open_spiel", "pettingzoo"}
    assert not ours & names(project["dependencies"])
    assert ours & names(extras["server"]) == {"numpy"}


def test_the_tests_get_all_of_them() -> None:
    extras = tomllib.loads(text("pyproject.toml"))["project"]["optional-dependencies"]
    needed = names(extras["research"]) | names(extras["openspiel"])
    assert needed <= names(extras["server"]) | names(extras["dev"])
