"""Suites on the command line: those that come with the games, by name, and files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

import engine
from arena.cli.framework.errors import CliError
from arena.core.suites import MOST_TEXT, SUITE_SUFFIX, Suite, parse_suite
from arena.v1 import tournament_pb2
from engine.registry import GAMES

_HERE: Final = Path()
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


def shipped_suite_with(sha256: str) -> Suite | None:
    """Return the suite of this hash, 64 hex digits, if one comes with the games."""
    suites = (parse_suite(path.stem, path.read_text(encoding="utf-8")) for path in _shipped())
    return next((suite for suite in suites if suite.sha256 == sha256), None)


def _shipped() -> Iterator[Path]:
    for game in GAMES:
        for root in engine.__path__:
            yield from sorted((Path(root) / game / _FOLDER).glob(f"*{SUITE_SUFFIX}"))


def suite_file(suite: Suite) -> tournament_pb2.SuiteFile:
    """Return a suite as an arena is given it. Raises CliError: it is too large."""
    if len(suite.text) > MOST_TEXT:
        raise CliError(
            f"The suite {suite.name} has {len(suite.text)} characters, but an arena takes at most {MOST_TEXT}: "
            "about 850 set-ups."
        )
    return tournament_pb2.SuiteFile(name=suite.name, text=suite.text)


def suite_named(text: str, folder: Path = _HERE) -> Suite:
    """Return the suite of this name, or in this file. `folder`: what a relative path begins in.

    Raises:
        BadParameter: there is neither.
        CliError: the file cannot be read.
        InvalidArgumentError: it is not a suite; the sentence names the line.
    """
    shipped = shipped_suites()
    path = shipped.get(text) or folder / text
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
