"""Empties its own program."""

from attack import attempt


def empty() -> str:
    with open("/bot/replaceable", "r+b") as program:
        program.truncate(0)
    return "emptied"


attempt(empty)
