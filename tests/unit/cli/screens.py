"""Screens of the command line and other texts as golden files in tests/data/screens: `make golden` rewrites them."""

import os
import shlex
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from typer.testing import Result

from tests.unit.cli.fake_arena import Answer, FakeArena

SCREENS = Path(__file__).parents[2] / "data" / "screens"
_FRAME = str.maketrans(dict.fromkeys("│╭╮╰╯─", " "))


def words(text: str) -> str:
    """Return the text on one line, without the white space and frames of tables."""
    return " ".join(text.translate(_FRAME).split())


def _lines(text: str) -> Iterable[str]:
    if "╭─ Error" in text:  # its width is that of the terminal
        return [words(text)]
    return [" ".join(line.split()) for line in text.splitlines() if line.strip(" ─")]


def _printed(shown: Result | str) -> list[str]:
    if isinstance(shown, str):
        return [*_lines(shown)]
    errors = (f"stderr: {line}" for line in _lines(shown.stderr))
    ended = [f"exit code {shown.exit_code}"] if shown.exit_code else []
    return [*_lines(shown.stdout), *errors, *ended]


def check_screen(name: str, shown: Result | str | Mapping[str, Result | str], **replaced: str) -> None:
    """Compare what commands print, or other text, with the golden file `name`.

    `shown`: one screen, or several with a title each. `replaced`: texts that vary, by the name that stands for them.
    """
    sections = shown if isinstance(shown, Mapping) else {"": shown}
    blocks = [
        "\n".join([*([f"$ {title}"] if title else []), *_printed(each)]) for title, each in sections.items()
    ]
    text = "\n\n".join(blocks) + "\n"
    for placeholder, value in replaced.items():
        text = text.replace(value, placeholder)
    file = SCREENS / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDENS"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    assert text == (file.read_text() if file.exists() else ""), "`make golden` rewrites it"


Screens = Mapping[str, Mapping[str, tuple[str, Mapping[str, Answer]]]]
"""By the name of the golden file, and by title: a command line, and what the arena answers."""


def check_screens(name: str, screens: Screens, fake: FakeArena, ask: Callable[..., Result]) -> None:
    """Run the commands of a screen, and compare what they print with the golden file."""
    shown = {}
    for title, (command, answers) in screens[name].items():
        fake.answers = {**answers}
        shown[title] = ask(*shlex.split(command))
    check_screen(name, shown)
