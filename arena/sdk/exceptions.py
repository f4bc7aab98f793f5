"""An exception of an author's code in one line: type, message, file and line."""

import inspect
import sysconfig
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

MESSAGE_CHARACTERS: Final = 1_000
"""More of an exception's message is left out, so that the place after it is kept."""

_INSTALLED: Final = ("stdlib", "platstdlib", "purelib", "platlib")


@cache
def _not_the_authors() -> tuple[Path, ...]:
    """Return the folders of the sdk, the standard library and installed packages."""
    return (Path(__file__).parent, *(Path(sysconfig.get_paths()[each]) for each in _INSTALLED))


def describe(error: BaseException, called: Callable[..., Any]) -> str:
    """Return "ValueError: no route (my_bot.py, line 12, in choose)".

    The place is the innermost one in the author's own code. Without one, as for a value that is no choice, it is the
    definition of `called`.
    """
    name = type(error).__name__
    try:
        message = " ".join(str(error).split())
    except Exception:  # noqa: BLE001 - `__str__` is the author's code too
        message = "(its message cannot be read)"
    if len(message) > MESSAGE_CHARACTERS:
        message = f"{message[:MESSAGE_CHARACTERS]}..."
    place = _place(error) or _definition(called)
    return f"{name}{f': {message}' if message else ''}{f' ({place})' if place else ''}"


def _place(error: BaseException) -> str:
    """Return where the author's code raised, or called what raised; empty if it did not."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{_shown(error.filename)}, line {error.lineno}"
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        file = frame.f_code.co_filename
        if _is_authors(file):
            return f"{_shown(file)}, line {line}, in {frame.f_code.co_name}"
    return ""


def _definition(called: Callable[..., Any]) -> str:
    with suppress(OSError, TypeError):
        if (source := inspect.getsourcefile(called)) and _is_authors(source):
            return f"{_shown(source)}, line {inspect.getsourcelines(called)[1]}, {called.__name__}"
    return ""


def _is_authors(file: str) -> bool:
    """Return whether the code is in a file of the author; it is in none if the name is like "<string>"."""
    path = Path(file).absolute()
    return not file.startswith("<") and not any(path.is_relative_to(each) for each in _not_the_authors())


def _shown(file: str) -> str:
    """Return the path, relative to the working folder if it is below that."""
    with suppress(ValueError, OSError):
        return str(Path(file).absolute().relative_to(Path.cwd()))
    return file
