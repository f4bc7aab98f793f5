"""The table of the zoo, `zoo.toml`: what each misbehaving bot does, and exactly how it is answered."""

from __future__ import annotations

import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arena.v1 import time_control_pb2
from engine.registry import GAMES

ZOO: Final = Path(__file__).resolve().parent
LANGUAGES: Final = ("python", "go", "javascript")


def played_on(seats: int) -> str:
    """How a seat of a match of Caravan ends in which everybody passes."""
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
        """Where it is written."""
        ending = {"python": "py", "go": "go", "javascript": "mjs"}[self.language]
        return ZOO / self.language / f"{self.name}.{ending}"

    @property
    def does(self) -> str:
        """What it does, in one sentence, as it says at its beginning."""
        text = self.file.read_text(encoding="utf-8")
        found = re.search(r'^(?:"""|/\*\* |// (?=[A-Z]))(.+?)(?:"""| \*/)?$', text, re.MULTILINE)
        assert found is not None, f"{self.file} does not say what it does"
        return found[1]


@dataclass(frozen=True)
class Row(Program):
    """One misbehaving bot."""

    cage: str
    """Bots of one cage misbehave at the same time."""
    rows: tuple[int, ...]
    """Of docs/bad_inputs.md."""
    clock: str
    """The name of the clock of its match."""
    seat: Seat | None
    """None: it never comes to a match."""
    ends: tuple[str, ...] = ()
    """How its calls or connections end, each once; numbers that differ from run to run are named in braces."""
    incidents: tuple[str, ...] = ()
    """What the arena objects to in band, each sentence once, in the same form."""
    possible: tuple[str, ...] = ()
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
        """What starts it, from the root of the checkout."""
        match self.language:
            case "python":
                return (sys.executable, "-m", f"tests.system.misbehaving.python.{self.name}")
            case "go":
                return (str(ZOO / "go" / "bin" / "zoo"), self.name)
            case _:
                return ("node", str(ZOO / "javascript" / f"{self.name}.mjs"))


def clocks() -> dict[str, time_control_pb2.TimeControl]:
    """The clocks of the matches, by name."""
    return {name: time_control_pb2.TimeControl(**fields) for name, fields in _table()["clock"].items()}


def rows() -> tuple[Row, ...]:
    """All misbehaving bots."""
    return tuple(_row(cage, bot) for cage, bots in _table()["cage"].items() for bot in bots)


def _table() -> dict[str, Any]:
    return tomllib.loads((ZOO / "zoo.toml").read_text(encoding="utf-8"))


def _row(cage: str, given: dict[str, Any]) -> Row:
    values = {**given, "cage": cage, "clock": given.get("clock", "patient")}
    seat = seat_of(values.pop("seat", None))
    for name in ("rows", "ends", "incidents", "possible"):
        values[name] = tuple(values.get(name, ()))
    language, _, name = values.pop("bot").partition("/")
    return Row(**values, language=language, name=name, seat=seat)


def seat_of(given: dict[str, Any] | None) -> Seat | None:
    """How a seat ends, as a table says."""
    if given is None:
        return None
    strikes = given.get("strikes", 0)
    return Seat(**{**given, "strikes": None if strikes == "any" else strikes})


def fits(text: str, form: str) -> bool:
    """Whether a line is what the table says: any number where it names one in braces, an {action}, all {games}."""
    pattern = re.escape(form).replace(r"\{action\}", r"[A-Z_]+(\([-\d,]*\))?")
    pattern = pattern.replace(
        r"\{games\}", re.escape(", ".join(f"{game} (rules version 1)" for game in GAMES))
    )
    pattern = re.sub(r"\\\{\w+\\\}", r"\\d+", pattern)
    return re.fullmatch(pattern, text) is not None
