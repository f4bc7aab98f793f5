"""Suites on the command line: those that come with the games, by name, and files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

import engine
from arena.cli.framework.errors import CliError
from arena.core.suites import SUITE_SUFFIX, Suite, parse_suite
from engine.registry import GAMES

_FOLDER: Final = "suites"
"""Of each game that has some, in its folder of the engine."""

SuiteOption = Annotated[
    str | None,
    typer.Option(
        "--suite", metavar="FILE|NAME", help="Set-ups from a suite: a file, or one that comes with the games."
    ),
]


def shipped_suites() -> dict[str, Path]:
    """Return the files of the suites that come with the games, by name."""
    return {path.stem: path for path in _shipped()}


def _shipped() -> Iterator[Path]:
    for game in GAMES:
        for root in engine.__path__:
            yield from sorted((Path(root) / game / _FOLDER).glob(f"*{SUITE_SUFFIX}"))


def suite_named(text: str) -> Suite:
    """Return the suite of this name, or in this file.

    Raises:
        BadParameter: there is neither.
        CliError: the file cannot be read.
        InvalidArgumentError: it is not a suite; the sentence names the line.
    """
    shipped = shipped_suites()
    path = shipped.get(text) or Path(text)
    if not path.is_file():
        raise typer.BadParameter(
            f"there is no file {text!r}, and no suite of this name comes with the games: "
            f"{', '.join(shipped) or 'none does here'}.",
            param_hint="--suite",
        )
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise CliError(f"{path} cannot be read: {why}.") from error
    return parse_suite(path.stem, content)
