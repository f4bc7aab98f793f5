"""The table of attacks lists what is there, and the page about them shows the table."""

import os
from collections import Counter
from typing import Final

import pytest

from arena.sandbox.exit_status import ExitReason
from arena.sandbox.protections import Protection
from tests.checkout import ROOT
from tests.system.sandbox.attacking import ATTACKS, FOLDER, OFFERS, PYTHON_ATTACKS, Attack

PAGE: Final = ROOT / "docs" / "attacks.md"
BEGIN: Final = "<!-- the table: written by make golden -->\n"
END: Final = "<!-- the end of the table -->\n"
SHARED = {"c/attack.h", "c/sleeper.c", "node/attack.js", "ruby/attack.rb"}
"""What the programs have in common; none of it attacks."""
AT_LEAST = {"python": 48, "c": 9, "node": 9, "ruby": 9}


def test_every_program_is_in_the_table_once_and_nothing_else_is() -> None:
    there = {
        path.relative_to(FOLDER).as_posix()
        for language in ("c", "node", "ruby")
        for path in (FOLDER / language).iterdir()
        if path.suffix in {".c", ".h", ".js", ".rb"}
    } | {f"python/{name}" for name in PYTHON_ATTACKS}
    listed = [attack.program for attack in ATTACKS]
    assert sorted(listed) == sorted(there - SHARED)


def test_there_are_enough_attacks_and_most_controls_take_one_protection_away() -> None:
    assert {attack.about for attack in ATTACKS} == set(Protection)
    alone = Counter(attack.language for attack in ATTACKS if not attack.also)
    assert not {language for language, least in AT_LEAST.items() if alone[language] < least}


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.program)
def test_a_row_is_valid_and_the_program_is_described(attack: Attack) -> None:
    assert attack.inside.startswith("HELD ") or attack.inside in ExitReason.__members__
    assert attack.about not in attack.also
    assert not attack.needs or attack.needs in OFFERS
    assert attack.does.endswith(".")
    assert attack.does[0].isupper()


def table() -> str:
    """One section for each protection, with one row for each attack."""
    parts = []
    for about in dict.fromkeys(attack.about for attack in ATTACKS):
        rows = [_row(attack) for attack in ATTACKS if attack.about is about]
        head = [f"### {about.value}", "", "| program | what it does | inside |", "|---|---|---|"]
        parts.append("\n".join([*head, *rows, ""]))
    return "\n".join(parts)


def page() -> str:
    """Return the whole page with the table as it should be."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


def _row(attack: Attack) -> str:
    inside = attack.inside.removeprefix("HELD ")
    more = sorted(protection.value for protection in attack.also)
    control = f"; the control is without {' and '.join(more)} too" if more else ""
    return f"| `{attack.program}` | {attack.does.removesuffix('.')} | {inside}{control} |"


def test_the_page_shows_the_table() -> None:
    if os.environ.get("UPDATE_GOLDENS"):
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page()
