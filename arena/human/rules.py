"""The rules of a game for people: the clauses of its page that have certain words."""

import re
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).resolve().parents[2] / "docs" / "rules"
_CLAUSE: Final = re.compile(r"^- \*\*[A-Z]+\d+\*\*.*(?:\n  .*)*", re.MULTILINE)
_MARKUP: Final = re.compile(r"\*\*|`|\[([^\]]*)\]\([^)]*\)")


def rules_page(game: str) -> str:
    """Return where the rules of a game are."""
    return f"docs/rules/{game}.md"


def clauses(game: str, words: str) -> list[str]:
    """Return the numbered clauses that have all these words, each as one line; none if the page is not installed."""
    path = _FOLDER / f"{game}.md"
    if not path.is_file():
        return []
    wanted = words.casefold().split()
    found = (_plain(clause) for clause in _CLAUSE.findall(path.read_text(encoding="utf-8")))
    return [clause for clause in found if all(word in clause.casefold() for word in wanted)]


def _plain(clause: str) -> str:
    text = _MARKUP.sub(lambda match: match[1] or "", clause.removeprefix("- "))
    return " ".join(text.split())
