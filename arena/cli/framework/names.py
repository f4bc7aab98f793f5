"""What people type for names and values, and what is sent for it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Final

import typer

from arena.core.tokens import redact
from engine.randomness import SEED_BYTES

BotArgument = Annotated[str, typer.Argument(metavar="BOT", help="The bot, for example greedy.")]

_ID: Final = re.compile(r"[a-z][a-z0-9-]{0,31}")


_FORMS: Final = {
    "matches": (re.compile(r"[1-9][0-9]{0,8}"), "a match is a number, for example 17"),
    "tokens": (
        re.compile(r"[0-9a-f]{12}"),
        "a token's name is 12 of 0-9 and a-f, as `arena token list` shows it",
    ),
    "auditEntries": (re.compile(r"[1-9][0-9]{0,8}"), "an entry is a number, as `arena audit list` shows it"),
}
"""What the names of a collection look like, where they are no ids."""


def resource(collection: str, name: str) -> str:
    """Return the resource name: "bots/greedy" for "greedy" and for "bots/greedy". Raises BadParameter."""
    own = resource_id(collection, name)
    id_rule = f"{collection.removesuffix('s')} names are 1 to 32 of a-z, 0-9 and -, beginning with a letter"
    form, rule = _FORMS.get(collection, (_ID, id_rule))
    if not form.fullmatch(own):
        raise typer.BadParameter(f"{redact(own)[:60]!r} cannot be meant: {rule}.")
    return f"{collection}/{own}"


def resource_id(collection: str, name: str) -> str:
    """Return the last part: "greedy" for "greedy" and for "bots/greedy"."""
    return name.removeprefix(f"{collection}/")


def pairs(texts: Iterable[str], option: str) -> dict[str, str]:
    """Parse "name=value" texts. Raises BadParameter, also if a name comes twice."""
    values: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise typer.BadParameter(f"{text!r} is not of the form name=value.", param_hint=option)
        if name in values:
            raise typer.BadParameter(f"{name!r} is given twice.", param_hint=option)
        values[name] = value
    return values


def numbers(text: str, option: str) -> list[int]:
    """Parse "2,3,4". Raises BadParameter."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is not a list of numbers such as 2,3,4.", param_hint=option
        ) from None


def seed_of(text: str) -> bytes:
    """Parse --seed. Raises BadParameter."""
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise typer.BadParameter(f"a seed has {2 * SEED_BYTES} hex digits.", param_hint="--seed")
    return seed
