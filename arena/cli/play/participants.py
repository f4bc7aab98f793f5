"""Participants of a match on this machine: sample bots by name, programs by command or folder, or a person."""

import difflib
import os
import re
import shlex
import shutil
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import Final

import typer

from arena.cli import sample_bots
from arena.cli.bot.run_token import bot_environment
from arena.cli.framework.processes import UNREAD, Child, Streams, without_arena

ME: Final = "me"
"""The participant who is a person at this terminal."""
_PLAYER: Final = (sys.executable, "-m", "arena.human")
_LLM_PLAYER: Final = (sys.executable, "-m", "arena.sdk.llm")
_LLM_FILES: Final = ("llm.toml", "prompt.md", "rules.md")
"""What a folder of a bot holds that a language model plays; the first is never missing."""

_ID_LENGTH: Final = 32
_INTERPRETERS: Final = re.compile(
    r"(python|pypy|node|ruby|perl|php|java|deno|bun|sh|bash|uv|npx|run|exec)[0-9.]*"
)


@dataclass(frozen=True, slots=True)
class Participant:
    """A bot and its program."""

    bot: str
    """Its id in the match."""
    command: tuple[str, ...]
    sample: bool
    description: str = ""
    """The description of a sample bot."""
    by_hand: bool = False
    """Whether a person plays, who needs the terminal."""

    def with_log(self, path: Path) -> "Participant":
        """Return the participant; a person is told where the log of the match will be."""
        return replace(self, command=(*self.command, "--log", str(path))) if self.by_hand else self

    def start(
        self,
        address: str,
        token: str,
        log: Path | None = None,
        streams: Streams = UNREAD,
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> Child:
        """Start its process, which writes to `log` or `streams`, with more variables. Raises CliError."""
        environment = (
            sample_bots.environment(address, token)
            if self.sample
            else bot_environment(without_arena(os.environ), address, token)
        )
        if self.by_hand:
            environment["PYTHONPATH"] = str(sample_bots.checkout())  # for hints
        return Child(
            self.bot, self.command, environment={**environment, **settings}, log=log, streams=streams
        )


def parse_participants(
    texts: Sequence[str],
    game: str,
    hint: str | None = None,
    *,
    browser: bool = False,
    arguments: Sequence[str] = (),
) -> tuple[Participant, ...]:
    """Return the bots by seat; repeated names get a number. `hint`: the sample bot that gives hints to a person.
    `browser`: the person plays in a browser. `arguments`: the argument or option of each text, BOT if it is not named.

    Raises BadParameter: a text is neither a sample bot of the game nor a command, or nobody wants hints.
    """
    if hint is not None and ME not in texts:
        raise typer.BadParameter(
            f"hints are for a person: one of the bots must be {ME}.", param_hint="--hint"
        )
    if browser and ME not in texts:
        raise typer.BadParameter(
            f"a browser is for a person: one of the bots must be {ME}.", param_hint="--browser"
        )
    if hint is not None and hint not in (known := sample_bots.names(game)):
        raise typer.BadParameter(
            f"{hint!r} is no sample bot of {game}: {', '.join(known) or 'there is none here'}.",
            param_hint="--hint",
        )
    taken: set[str] = set()
    found: list[Participant] = []
    for text, argument in zip_longest(texts, arguments, fillvalue="BOT"):
        participant = _participant(text, game, argument)
        if participant.by_hand and hint is not None:
            participant = replace(participant, command=(*participant.command, "--hint", hint))
        if participant.by_hand and browser:
            participant = replace(participant, command=(*participant.command, "--browser"))
        names = (f"{participant.bot[:29]}-{number}" for number in range(2, len(taken) + 3))
        name = next(name for name in (participant.bot, *names) if name not in taken)
        taken.add(name)
        found.append(replace(participant, bot=name))
    return tuple(found)


def parse_named_participant(text: str, game: str) -> Participant:
    """Parse `NAME=COMMAND`; COMMAND may be a sample bot. Raises BadParameter."""
    name, equals, command = text.partition("=")
    if not (name and equals):
        raise typer.BadParameter(
            f"invalid bot {text!r}: expected NAME=COMMAND, for example 'mine=python my_bot.py'.",
            param_hint="--bot",
        )
    return replace(_participant(command, game, "--bot"), bot=name)


def _participant(text: str, game: str, argument: str) -> Participant:
    if text == ME:
        return Participant(ME, _PLAYER, sample=False, by_hand=True)
    if text in sample_bots.names(game):
        description = sample_bots.description(game, text)
        return Participant(text, sample_bots.command(game, text), sample=True, description=description)
    if llm_files(text):
        return Participant(_name([Path(text).resolve().name]), (*_LLM_PLAYER, text), sample=False)
    command = _command(text, game, argument)
    return Participant(_name(command), command, sample=False)


def llm_files(word: str) -> list[str]:
    """Return the files of a folder whose bot a language model plays; none if the word names no such folder."""
    files = [Path(word) / name for name in _LLM_FILES]
    return [str(file) for file in files if file.is_file()] if files[0].is_file() else []


def _command(text: str, game: str, argument: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise typer.BadParameter(f"invalid command {text!r}: {error}.", param_hint=argument) from error
    if not words:
        raise typer.BadParameter("the command of a bot is empty.", param_hint=argument)
    if Path(words[0]).suffix == ".py" and Path(words[0]).is_file():
        return (sys.executable, *words)
    if shutil.which(words[0]) is None:
        raise typer.BadParameter(_no_program(words[0], game), param_hint=argument)
    return words


def _program_in(folder: Path) -> Path:
    """Return the file that a bot.toml of the folder starts, or one that may be there."""
    try:
        command = tomllib.loads((folder / "bot.toml").read_text(encoding="utf-8"))["command"]
        return next(folder / str(word) for word in command if (folder / str(word)).is_file())
    except (OSError, ValueError, KeyError, TypeError, StopIteration):
        return folder / "my_bot.py"


def _no_program(word: str, game: str) -> str:
    """Return why a command cannot be started, and what to give instead."""
    if Path(word).is_dir():
        return f"{word!r} is a folder. Name the program in it, for example {_program_in(Path(word))}."
    if Path(word).suffix or os.sep in word:
        return (
            f"there is no program {word!r} in {Path.cwd()}."
            if not Path(word).is_file()
            else (
                f"{word!r} is a file that cannot be executed. Put its interpreter before it, or set its executable bit."
            )
        )
    samples = sample_bots.names(game)
    names = (
        ", ".join(samples)
        or "none; they are missing from this installation: install the package again, or use a checkout"
    )
    meant = "".join(f" Did you mean {name}?" for name in difflib.get_close_matches(word, samples, 1))
    return (
        f"{word!r} is neither a sample bot of {game} ({names}) nor a program.{meant} "
        'Give your own bot as a command in quotes, for example "python my_bot.py".'
    )


def _name(command: Iterable[str]) -> str:
    """Derive an id from the first file of the command that is not an interpreter."""
    words = [word for word in command if not word.startswith("-")]
    program = next((word for word in words if not _INTERPRETERS.fullmatch(Path(word).name)), words[0])
    name = re.sub(r"[^a-z0-9]+", "-", Path(program).stem.lower()).strip("-")
    name = name if name[:1].isalpha() else f"bot-{name}".rstrip("-")
    return name[:_ID_LENGTH].rstrip("-")
