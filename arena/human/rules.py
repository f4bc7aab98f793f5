"""The rules of a game for people: its page in short, and what the page says about certain words."""

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Final

CLAUSES: Final = 8
"""Clauses in one answer to a person."""


class Medium(StrEnum):
    """Where a position is shown; its signs are explained below this title."""

    TERMINAL = "On a terminal"
    PICTURE = "In the picture"


_FOLDER: Final = Path(__file__).resolve().parents[2] / "docs" / "rules"
_SHORT: Final = re.compile(r"^## A turn in short\n+(.*?)\n## ", re.MULTILINE | re.DOTALL)
_SIGNS: Final = re.compile(r"^### (.*)\n+", re.MULTILINE)
_CODE: Final = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_ITEM: Final = re.compile(r"^(?:- |\d+\. )", re.MULTILINE)
_RULE_OF_A_TABLE: Final = re.compile(r"[|\-: ]+")
_MARKUP: Final = re.compile(r"\*\*|`|\[([^\]]*)\]\([^)]*\)")


def rules_page(game: str) -> str:
    """Return where the rules of a game are."""
    return f"docs/rules/{game}.md"


def turn_in_short(game: str, medium: Medium) -> str:
    """Return what a turn is and what the signs mean, a line for each paragraph and each item of a list.

    It is for somebody new to the game. It is empty if the page is not installed or does not say it.
    """
    found = _SHORT.search(_page(game))
    if found is None:
        return ""
    turn, *signs = _SIGNS.split(found[1])
    shown = dict(zip(signs[::2], signs[1::2], strict=True)).get(medium, "")
    blocks = [turn.strip(), *([f"{medium}:", shown.strip()] if shown else [])]
    return "\n".join(_plain(each) for block in blocks for each in re.split(r"\n{2,}|\n(?=- )", block))


def clauses(game: str, words: str) -> list[str]:
    """Return what the page says with all these words, each as one line; nothing if the page is not installed.

    Numbered clauses come first, then other paragraphs and rows of tables.
    """
    wanted = [re.compile(_whole(word)) for word in words.casefold().split()]
    found = [each for each in _parts(game) if all(word.search(each.casefold()) for word in wanted)]
    return sorted(found, key=lambda each: re.match(r"[A-Z]\d", each) is None)


def _whole(word: str) -> str:
    """Return a pattern for a word, which may go on unless it ends in a digit: C1 is not C12."""
    return re.escape(word) + (r"(?!\d)" if word[-1].isdecimal() else "")


@lru_cache
def _page(game: str) -> str:
    path = _FOLDER / f"{game}.md"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


@lru_cache
def _parts(game: str) -> tuple[str, ...]:
    """Return the clauses, paragraphs and rows of tables, in order."""
    text = _SHORT.sub("## ", _CODE.sub("", _page(game)))
    return tuple(part for block in re.split(r"\n{2,}", text) for part in _parts_of(block))


def _parts_of(block: str) -> Iterator[str]:
    """Yield the parts of what stands between two empty lines."""
    if block.startswith("|"):
        heads, *rows = (line.strip("| ").split("|") for line in block.splitlines())
        for row in rows:
            if not _RULE_OF_A_TABLE.fullmatch("|".join(row)):
                cells = ((head.strip(), cell.strip()) for head, cell in zip(heads, row, strict=False))
                yield _plain(", ".join(f"{head} {cell}".strip() for head, cell in cells if cell))
    elif not block.startswith(("#", "![")):
        for item in _ITEM.split(block):
            if item:
                yield _plain(item)


def _plain(clause: str) -> str:
    text = _MARKUP.sub(lambda match: match[1] or "", clause)
    return " ".join(text.split())
