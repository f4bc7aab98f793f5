"""What the conformance kit holds bots to stands in docs/protocol.md, word for word."""

import re

import pytest

from arena.conformance import requirements
from arena.conformance.verdict import Requirement
from tests.checkout import python_files, text

DEMANDS = {name: value for name, value in vars(requirements).items() if isinstance(value, Requirement)}


def section(heading: str) -> str:
    """Return the text under a heading of the page, up to the next heading, on one line."""
    parts = re.split(r"^#+ (.+)$", text("docs/protocol.md"), flags=re.MULTILINE)
    return " ".join(dict(zip(parts[1::2], parts[2::2], strict=True))[heading].split())


@pytest.mark.parametrize("name", DEMANDS)
def test_every_sentence_that_the_kit_quotes_is_on_the_page_of_the_protocol(name: str) -> None:
    requirement = DEMANDS[name]

    assert requirement.sentence in section(requirement.section)


@pytest.mark.parametrize("name", DEMANDS)
def test_every_demand_says_what_to_do_in_a_sentence(name: str) -> None:
    assert re.fullmatch(r"[A-Z].+\.", DEMANDS[name].to_do)


def test_every_demand_is_made_by_a_script_or_by_the_kit() -> None:
    used = "".join(text(path) for path in python_files("arena/conformance"))

    assert not [name for name in DEMANDS if f"requirements.{name}" not in used]
