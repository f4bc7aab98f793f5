"""The tables of the zoo, `zoo.toml` and `hosted.toml`: each misbehaving bot, and exactly how it is answered."""

import functools
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from arena.submissions.manifest import Manifest, parse_manifest
from arena.v1 import time_control_pb2
from engine.registry import GAMES

ZOO: Final = Path(__file__).resolve().parent
LANGUAGES: Final = ("python", "go", "javascript")


def played_on(seats: int) -> str:
    """Return the sentence of a seat in a match of Caravan in which everybody passes."""
    return f"The game ended by its rules (TURN_LIMIT): placing 1 of {seats} with a score of 0."


@dataclass(frozen=True, slots=True)
class Seat:
    """How the seat of a misbehaving bot ends. Numbers that differ from run to run are named in braces."""

    termination: str = "NORMAL"
    fault: str = "NONE"
    sentence: str = played_on(2)
    strikes: int | None = 0
    """None: as many as the clock finds."""


@dataclass(frozen=True)
class Program:
    """A program that misbehaves."""

    name: str
    language: str

    def __str__(self) -> str:
        return f"{self.language}/{self.name}"

    @property
    def file(self) -> Path:
        """Its file; for Python that of its function."""
        if self.language == "python":
            return python_files()[self.name]
        ending = {"go": "go", "javascript": "mjs"}[self.language]
        return ZOO / self.language / f"{self.name}.{ending}"

    @property
    def module(self) -> str:
        """The Python module with its function; it takes the name of the program as its argument."""
        return f"tests.system.misbehaving.python.{self.file.stem}"

    @property
    def does(self) -> str:
        """What it does, in one sentence: the docstring of its function, or the first comment of its file."""
        form = r"^(?:/\*\* |// (?=[A-Z]))(.+?)(?: \*/)?$"
        if self.language == "python":
            form = rf'^def {self.name}\(.*\n    """(.+)"""$'
        found = re.search(form, self.file.read_text(encoding="utf-8"), re.MULTILINE)
        assert found is not None, f"{self.file} does not say what {self.name} does"
        return found[1]


@dataclass(frozen=True)
class Row(Program):
    """One misbehaving bot."""

    group: str
    """Bots of one group misbehave at the same time."""
    rows: Sequence[int]
    """Of docs/bad_inputs.md."""
    seat: Seat | None
    """None: it never comes to a match."""
    clock: str = "patient"
    """The name of the clock of its match."""
    ends: Sequence[str] = ()
    """How its calls or connections end, each once; numbers that differ from run to run are named in braces."""
    incidents: Sequence[str] = ()
    """What the arena objects to in band, each sentence once, in the same form."""
    possible: Sequence[str] = ()
    """What the arena may object to as well."""
    game: str = "caravan"
    exit: int = 0
    """Of its program; less than 0 for a signal."""
    revoked: bool = False
    """Its token is revoked once its match has begun."""
    offered: bool = False
    """It never comes to a match, but is offered one."""
    encrypted: bool = False
    """The port that it meets is encrypted, and asks for certificates."""

    def command(self) -> tuple[str, ...]:
        """Return what starts it, from the root of the checkout."""
        match self.language:
            case "python":
                return (sys.executable, "-m", self.module, self.name)
            case "go":
                return (str(ZOO / "go" / "bin" / "zoo"), self.name)
            case _:
                return ("node", str(ZOO / "javascript" / f"{self.name}.mjs"))


@functools.cache
def python_files() -> dict[str, Path]:
    """Return the file of each program in Python, by the name of its function."""
    form = re.compile(r"^@\w+\ndef (\w+)\(", re.MULTILINE)
    return {name: path for path in (ZOO / "python").glob("*.py") for name in form.findall(path.read_text())}


def clocks() -> dict[str, time_control_pb2.TimeControl]:
    """Return the clocks of the matches, by name."""
    return {name: time_control_pb2.TimeControl(**fields) for name, fields in _table("zoo")["clock"].items()}


def rows() -> tuple[Row, ...]:
    """Return all misbehaving bots."""
    groups = _table("zoo")["group"].items()
    return tuple(Row(group=group, **_values(bot, "bot")) for group, bots in groups for bot in bots)


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads((ZOO / f"{name}.toml").read_text(encoding="utf-8"))


def _values(given: dict[str, Any], program: str) -> dict[str, Any]:
    """Return the fields of a row. `program`: what the table calls its language and name."""
    language, _, name = given[program].partition("/")
    values = {**given, "language": language, "name": name, "seat": seat_of(given.get("seat"))}
    del values[program]
    return values


def seat_of(given: dict[str, Any] | None) -> Seat | None:
    """Return how a seat ends, as a table says."""
    if given is None:
        return None
    strikes = given.get("strikes", 0)
    return Seat(**{**given, "strikes": None if strikes == "any" else strikes})


def fits(text: str, form: str) -> bool:
    """Return whether a line fits a form of the table, which has {names} of numbers, {action} and {games}."""
    pattern = re.escape(form).replace(r"\{action\}", r"[A-Z_]+(\([-\d,]*\))?")
    pattern = pattern.replace(
        r"\{games\}", re.escape(", ".join(f"{game} (rules version 1)" for game in GAMES))
    )
    pattern = re.sub(r"\\\{\w+\\\}", r"\\d+", pattern)
    return re.fullmatch(pattern, text) is not None


@dataclass(frozen=True)
class HostedRow(Program):
    """One program that the arena runs, and what comes of it."""

    rows: Sequence[int]
    """Of docs/bad_inputs.md."""
    seat: Seat | None
    """None: its matches never begin, and it is suspended."""
    over: Sequence[str]
    """How its programs may come to their ends, and why, as the service log says."""
    clock: str = "endless"
    """The name of the clock of its match."""
    evidence: Mapping[str, str] = field(default_factory=dict)
    """Of its seat's ending, all of it; in the same form as the sentence."""
    debug: Sequence[str] = ()
    """The debug lines that it sends, each once."""
    wrote: Sequence[str] = ()
    """Lines among those that it has written before its end, as its owner reads them."""
    matches: int = 1
    """How many it plays, at once if it takes so many."""
    overstays: bool = False
    """Whether it has to be ended when it was told to leave."""
    company: bool = False
    """Another hosted bot plays in its match, too."""
    strict: bool = False
    memory_mib: int = 256
    cpu_s: float | None = None
    wall_s: float | None = None
    """Much less processor time, or time, than hosted programs have otherwise."""

    @property
    def bot(self) -> str:
        """Its id as a bot."""
        return self.name.replace("_", "-")[:32].rstrip("-")

    @property
    def word(self) -> str:
        """The last word of its command, which none but its own processes have."""
        script = f"tests/system/misbehaving/javascript/{self.name}.mjs"
        return script if self.language == "javascript" else self.name

    @property
    def manifest(self) -> Manifest:
        """What its bot.toml would say."""
        runtime = {"javascript": "node"}.get(self.language, self.language)
        start = {"go": ["./zoo"], "javascript": ["node"]}.get(self.language) or ["python", "-m", self.module]
        return parse_manifest(
            f"command = {[*start, self.word]}\n"
            f'games = ["caravan"]\nruntime = "{runtime}"\nstrict = {str(self.strict).lower()}\n'
            f"[limits]\nmemory_mib = {self.memory_mib}\n"
        )


def hosted_rows() -> tuple[HostedRow, ...]:
    """Return all misbehaving bots that the arena runs itself."""
    return tuple(HostedRow(**_values(given, "program")) for given in _table("hosted")["bot"])
