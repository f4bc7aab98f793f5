"""The rules of the matches that a form begins: the game, its options, and the clock."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena.codecs.shared_messages import time_control_message
from arena.core.clock.time_control import CHALLENGE_CLOCK, RANGES, TimeControl
from arena.pages.reads import PageError
from arena.v1 import game_pb2, time_control_pb2
from arena.wire.wording import short

VALUE_CHARACTERS: Final = 80
"""The longest value of an option."""

_OPTIONS: Final = "options."
_CLOCK: Final = "time_control."
_MEANINGS: Final = {
    "per_decision_ms": "Free time for each decision, in ms",
    "bank_ms": "Reserve for a match, in ms",
    "increment_ms": "Added to the reserve after each decision, in ms",
    "strikes": "Missed or illegal decisions that a seat survives",
    "absence_ms": "Time without a connection before a seat forfeits, in ms",
    "hold_ms": "How long a decision waits for a bot that is busy with another, in ms",
    "seat_limit_ms": "Thinking time of a seat in a match, in ms",
}
"""Of each rule in CHALLENGE_CLOCK."""
_NUMBER: Final = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class ClockChoice:
    """A clock that a person can choose by its name."""

    name: str
    title: str
    clock: TimeControl


@dataclass(frozen=True, slots=True)
class ClockField:
    """A clock rule that a person can change."""

    name: str
    """Of the field in the form; the arena names it so in errors."""
    meaning: str
    least: int
    most: int
    """Of an owner's challenge."""


@dataclass(frozen=True, slots=True)
class MatchRules:
    """The rules that a person has chosen. What options and clock may be, the arena checks."""

    game: str
    options: dict[str, str]
    """By name; what is missing has its default."""
    time_control: time_control_pb2.TimeControl


CLOCK_FIELDS: Final = tuple(
    ClockField(f"{_CLOCK}{rule}", _MEANINGS[rule], RANGES[rule][0], most)
    for rule, most in CHALLENGE_CLOCK.items()
)


def option_field(game: str, option: str) -> str:
    """Return the name of the field of a game's option in the form."""
    return f"{_OPTIONS}{short(game)}.{option}"


@dataclass(frozen=True, slots=True)
class RulesForm:
    """The form as a template shows it (match_rules.html.jinja): with what the person has sent, and what is wrong."""

    games: Sequence[game_pb2.Game]
    clocks: Sequence[ClockChoice]
    """The first one is chosen if the person chooses none."""
    sent: Mapping[str, str]
    """The values of the fields by name; empty for a new form."""
    error: PageError | None = None
    """Why nothing has begun."""
    others: tuple[str, ...] = ()
    """Further fields of the form that can be wrong."""
    clock_fields: tuple[ClockField, ...] = CLOCK_FIELDS
    value_characters: int = VALUE_CHARACTERS

    @property
    def sentence(self) -> str:
        """What is wrong; empty if nothing is."""
        return "" if self.error is None else self.error.sentence

    @property
    def wrong_field(self) -> str:
        """The field that is wrong; empty if none is, or if it is not one field."""
        named = "" if self.error is None else self.error.field
        if named.startswith(_OPTIONS):  # the arena names options without the game
            named = f"{_OPTIONS}{self.sent.get('game', '')}.{named.removeprefix(_OPTIONS)}"
        return named if named in self._fields() else ""

    def option_field(self, game: str, option: str) -> str:
        """Return the name of the field of an option."""
        return option_field(game, option)

    def is_open(self, start: str) -> bool:
        """Return whether fields whose names begin so are wrong or filled."""
        filled = any(value and name.startswith(start) for name, value in self.sent.items())
        return filled or self.wrong_field.startswith(start)

    def read(self) -> MatchRules:
        """Return the rules that were sent; of the options, those of the chosen game alone.

        Raises PageError (400) with the name of the field: there is no such game or clock; a clock rule is no number.
        """
        game = next((each for each in self.games if short(each.name) == self.sent.get("game")), None)
        if game is None:
            raise PageError(400, "Choose a game of this arena.", "game")
        fields = {option.name: option_field(game.name, option.name) for option in game.options}
        options = {name: self.sent.get(field, "").strip() for name, field in fields.items()}
        for name, value in options.items():
            if len(value) > VALUE_CHARACTERS:
                raise PageError(
                    400, f"A value has at most {VALUE_CHARACTERS} characters.", f"{_OPTIONS}{name}"
                )
        given = {name: value for name, value in options.items() if value}
        return MatchRules(short(game.name), given, self._clock())

    def _clock(self) -> time_control_pb2.TimeControl:
        name = self.sent.get("clock", self.clocks[0].name)
        chosen = next((each for each in self.clocks if each.name == name), None)
        if chosen is None:
            raise PageError(400, "Choose a clock of the list.", "clock")
        control = time_control_pb2.TimeControl()
        control.CopyFrom(time_control_message(chosen.clock))
        for field in CLOCK_FIELDS:
            value = self.sent.get(field.name, "").strip()
            if value and not _NUMBER.fullmatch(value):
                raise PageError(
                    400, f"This is a whole number from {field.least} to {field.most}.", field.name
                )
            if value:
                setattr(control, field.name.removeprefix(_CLOCK), int(value))
        return control

    def _fields(self) -> set[str]:
        options = {option_field(game.name, option.name) for game in self.games for option in game.options}
        return {"game", "clock", *self.others, *(each.name for each in CLOCK_FIELDS), *options}
