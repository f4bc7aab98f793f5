"""The table of attacks as docs/attacks.md shows it."""

from __future__ import annotations

from typing import Final

from tests.checkout import ROOT
from tests.system.sandbox.attacking import ATTACKS, Attack

PAGE: Final = ROOT / "docs" / "attacks.md"
BEGIN: Final = "<!-- the table: written by make golden -->\n"
END: Final = "<!-- the end of the table -->\n"


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
