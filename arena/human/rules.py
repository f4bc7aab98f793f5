"""The rules of a game for people: its page in short, and what the page says about certain words."""

import re
from collections.abc import Iterator, Sequence
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
_MARKUP: Final = re.compile(
    r"\*\*|`|\[([^\]]*)\]\([^)]*\)|(?<![\w*])\*(?=\w)([^*\n]*\w[.?!]?)\*(?!\w)|†\s?|\s?†"
)
_CLAUSE: Final = re.compile(r"\*\*([A-Z])\d+\*\*")
_NUMBER: Final = re.compile(r"[A-Z]\d+[a-z]?")
_FOR_PROGRAMS: Final = re.compile(r"as data$|^Events$|^Questions and answers$|timing tells$", re.IGNORECASE)
"""Sections about notation, packing and reports: they are no answer to a person who plays."""
_NOTATION: Final = re.compile(r"\b[A-Z][A-Z_]{3,}\(|\{\"type\"|\bStream\b|seed of 32")
_SENTENCE: Final = re.compile(r"(?<=\.)\s+")


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


def clause_letter(game: str) -> str:
    """Return the letter that the numbers of the page's clauses begin with; empty if it is not installed."""
    found = _CLAUSE.search(_page(game))
    return found[1] if found else ""


def clauses(game: str, words: str) -> list[str]:
    """Return what the page says with all these words, each as one line; nothing if the page is not installed.

    First come the clauses that the turn in short names where it has the words, which are those of people rather than of
    the rules; then other numbered clauses, then other paragraphs and rows of tables. What is written for programs
    is left out, unless a clause is asked for by its number.
    """
    wanted = [
        re.compile(_any_form(word), re.IGNORECASE) for word in re.split(r"[\s-]+", words.casefold()) if word
    ]
    if not wanted:
        return []
    by_number = any(_NUMBER.fullmatch(word.upper()) for word in words.split())
    parts = _parts(game, for_programs=by_number)
    found = [each for each in parts if all(word.search(each) for word in wanted)]
    if not by_number:
        numbers = _named_in_short(game, wanted)
        named = [each for number in numbers for each in parts if re.match(rf"{number}\b", each)]
        found = [*named, *(each for each in found if each not in named)]
        return sorted(found, key=lambda each: each not in named and _NUMBER.match(each) is None)
    asked = words.upper().split()[0]
    return sorted(found, key=lambda each: (each.split()[0] != asked, _NUMBER.match(each) is None))


def _named_in_short(game: str, wanted: Sequence[re.Pattern[str]]) -> list[str]:
    """Return the numbers of the clauses that the turn in short names with all these words, in order.

    An item of a list is about one thing; a paragraph is looked at sentence by sentence.
    """
    lines = turn_in_short(game, Medium.PICTURE).splitlines()
    sentences = [
        each for line in lines for each in ([line] if line.startswith("- ") else _SENTENCE.split(line))
    ]
    told = [each for each in sentences if all(word.search(each) for word in wanted)]
    return list(dict.fromkeys(number for each in told for number in _NUMBER.findall(each)))


def _any_form(word: str) -> str:
    """Return a pattern for a word, which may have another ending: carry, carries, carried; C1 is not C12."""
    if word[-1].isdecimal():
        return rf"\b{re.escape(word)}(?!\d)"
    for ending in ("ies", "ied", "y"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return rf"\b{re.escape(word.removesuffix(ending))}(?:y|ies|ied)"
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2 and not word.endswith("ss"):
            return rf"\b{re.escape(word.removesuffix(ending))}"
    return rf"\b{re.escape(word)}"


@lru_cache
def _page(game: str) -> str:
    path = _FOLDER / f"{game}.md"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


@lru_cache
def _parts(game: str, *, for_programs: bool) -> tuple[str, ...]:
    """Return the clauses, paragraphs and rows of tables, in order; those written for programs if they are wanted."""
    text = _SHORT.sub("## ", _CODE.sub("", _page(game)))
    sections = re.split(r"^## ", text, flags=re.MULTILINE)
    found = []
    for section in sections:
        title, _, body = section.partition("\n")
        if for_programs or not _FOR_PROGRAMS.search(title.strip()):
            found += [part for block in re.split(r"\n{2,}", body) for part in _parts_of(block)]
    return tuple(each for each in found if for_programs or not _NOTATION.search(each))


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
    text = _MARKUP.sub(lambda match: match[1] or match[2] or "", clause)
    return " ".join(text.split())
