"""The terminal of this process, lent to a program that a person debugs."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final

from arena.cli.framework.output import print_note

DEBUGGED: Final = MappingProxyType({"ARENA_DEBUGGED": "1"})
"""The environment of a program that a person debugs: the sdk then takes no silence for a lost connection."""


@contextmanager
def lent_terminal(who: str) -> Iterator[None]:
    """Let a program use the terminal inside, and restore its settings afterwards.

    `who`: the program, as the beginning of a sentence. Ctrl-C still reaches this process. Ctrl-Z does nothing inside:
    it would stop this process, but not the program that reads the terminal.
    """
    is_terminal = sys.stdin is not None and sys.stdin.isatty()
    no_terminal = (
        "" if is_terminal else " Standard input is no terminal: a debugger reads its commands from it."
    )
    print_note(f"{who} has this terminal, and no clock: use breakpoint(). Ctrl-C ends all.{no_terminal}")
    if not is_terminal:
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
