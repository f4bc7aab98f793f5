"""Actions as a list with numbers on a terminal, and those among them that a person's words mean."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from rich.columns import Columns
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from arena.human.turn import Choice

LISTED: Final = 30
"""Actions in one list; of more only their kinds are listed."""
LISTED_OF_ONE_KIND: Final = 100
"""The same if there is nothing else to choose from."""
_KINDS: Final = 24
"""At most so many kinds."""


def listed(shown: Sequence[Choice], choices: Sequence[Choice]) -> RenderableType:
    """Return actions with their numbers in the list of all; if there are too many, their kinds."""
    numbers = {choice.action: number for number, choice in enumerate(choices, start=1)}
    if len(shown) > LISTED:
        kinds = _kinds(shown)
        if len(kinds) > 1 or len(shown) > LISTED_OF_ONE_KIND:
            return _table(kinds, numbers)
    return one_by_one(shown, choices)


def one_by_one(shown: Sequence[Choice], choices: Sequence[Choice]) -> RenderableType:
    """Return actions with their numbers in the list of all, however many."""
    numbers = {choice.action: number for number, choice in enumerate(choices, start=1)}
    lines = [Text.assemble((f"{numbers[each.action]:>4} ", "bold"), each.told) for each in shown]
    return Columns(lines, column_first=True, width=None, padding=(0, 2))


def meant(choices: Iterable[Choice], text: str) -> list[Choice]:
    """Return the action of this very sentence; else those with all words; else those with them in their notation.

    A number means a whole number: 2 is not 24.
    """
    wanted = text.casefold().strip().rstrip(".")
    everything = list(choices)
    exact = [choice for choice in everything if choice.words.casefold() == wanted]
    if exact:
        return exact
    words = [re.compile(_whole(word)) for word in wanted.split()]
    told = [choice for choice in everything if _has(choice.words, words)]
    return told or [choice for choice in everything if _has(f"{choice.words} {choice.notation}", words)]


def _has(text: str, words: Iterable[re.Pattern[str]]) -> bool:
    return all(word.search(text.casefold()) for word in words)


def _whole(word: str) -> str:
    return rf"(?<!\d){re.escape(word)}(?!\d)" if word.isdecimal() else re.escape(word)


def _table(kinds: dict[str, list[Choice]], numbers: dict[int, int]) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", style="bold", no_wrap=True)
    table.add_column()
    for beginning, members in kinds.items():
        of = [numbers[each.action] for each in members]
        if len(of) == 1:
            table.add_row(f"  {of[0]}", Text(members[0].told))
            continue
        apart = of[-1] - of[0] >= len(of)
        count = (f"  {len(of)} of them" if apart else f"  {len(of)} actions", "dim")
        table.add_row(f"  {of[0]}-{of[-1]}", Text.assemble(f"{beginning} ...", count))
    return table


def _kinds(choices: Sequence[Choice]) -> dict[str, list[Choice]]:
    """Return the actions by what their sentences begin with: the longer, the better, but few kinds."""
    kinds: dict[str, list[Choice]] = {"": list(choices)}
    pending = [""]
    while pending:
        beginning = pending.pop()
        parts: dict[str, list[Choice]] = {}
        for choice in kinds[beginning]:
            words = choice.words.split()
            parts.setdefault(" ".join(words[: len(beginning.split()) + 1]), []).append(choice)
        if parts.keys() == {beginning} or len(kinds) - 1 + len(parts) > _KINDS:
            continue
        kinds = {
            key: members
            for each, listed_ in kinds.items()
            for key, members in (parts.items() if each == beginning else [(each, listed_)])
        }
        pending += parts
        pending.sort(key=lambda each: len(kinds[each]))
    return kinds
