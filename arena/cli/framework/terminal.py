"""The terminal of this process: questions to the user, and lent to a program that they debug or play with."""

import signal
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from types import MappingProxyType
from typing import Final

import typer

from arena.cli.framework.errors import CliError
from arena.cli.framework.output import print_note

DEBUGGED: Final = MappingProxyType({"ARENA_DEBUGGED": "1"})
"""The environment of a program that waits for a person: the sdk then takes no silence for a lost connection."""


def lent_terminal(who: str) -> AbstractContextManager[None]:
    """Let a program that is debugged use the terminal inside: see `_lent`.

    `who`: the program, as the beginning of a sentence.
    """
    no_terminal = (
        "" if has_terminal() else " Standard input is no terminal: a debugger reads its commands from it."
    )
    print_note(f"{who} has this terminal, and no clock: use breakpoint(). Ctrl-C ends all.{no_terminal}")
    return _lent()


def terminal_for_person() -> AbstractContextManager[None]:
    """Let the program of a person who plays use the terminal inside: see `_lent`."""
    print_note("You have no clock. Ctrl-C ends the match without a log.")
    return _lent()


def confirm(question: str, *, refused: str) -> None:
    """Ask a question on stderr. Raises CliError with the sentence `refused` unless the answer is yes."""
    if not typer.confirm(question, err=True):
        raise CliError(refused)


def has_terminal() -> bool:
    """Return whether the standard input of this process is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


@contextmanager
def _lent() -> Iterator[None]:
    """Let a program use the terminal inside, and restore its settings afterwards.

    Ctrl-C still reaches this process. Ctrl-Z does nothing inside: it would stop this process, but not the program that
    reads the terminal.
    """
    if not has_terminal():
        yield
        return
    import termios  # which Windows lacks

    settings = termios.tcgetattr(sys.stdin)
    before = signal.signal(signal.SIGTSTP, signal.SIG_IGN)
    try:
        yield
    finally:
        # A program that was ended at its prompt has left the terminal without an echo.
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, settings)
        signal.signal(signal.SIGTSTP, before)
