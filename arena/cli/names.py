"""What people type for names and values, and what is sent for it."""

from __future__ import annotations

from collections.abc import Iterable

import typer


def resource(collection: str, name: str) -> str:
    """The resource name: "bots/greedy" for "greedy" and for "bots/greedy"."""
    return name if name.startswith(f"{collection}/") else f"{collection}/{name}"


def resource_id(collection: str, name: str) -> str:
    """The last part alone: "greedy" for "greedy" and for "bots/greedy"."""
    return name.removeprefix(f"{collection}/")


def pairs(texts: Iterable[str], option: str) -> dict[str, str]:
    """Values by name from "name=value" texts.

    Raises:
        BadParameter: a text without "=", or a name given twice.
    """
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
    """The numbers of "2,3,4".

    Raises:
        BadParameter: something else stands there.
    """
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is not a list of numbers such as 2,3,4.", param_hint=option
        ) from None
