"""Switches the random layout of addresses off for the programs that it starts."""

from attack import attempt, call


def change() -> str:
    call("personality", 0x40000)
    return "layout fixed"


attempt(change)
