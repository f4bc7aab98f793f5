"""Rules of a match on the command line: game, options, clock and seeds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, fields, replace
from typing import Annotated, Final, Literal

import typer

from arena.cli.framework.names import pairs
from arena.cli.framework.output import print_note
from arena.core.clock.time_control import TimeControl
from arena.v1 import time_control_pb2
from engine.game import Game
from engine.registry import GAMES

CLOCK_FIELDS: Final = ", ".join(field.name for field in fields(TimeControl))

CLOCKS: Final = {
    "slow": {
        "per_decision_ms": 60_000,
        "bank_ms": 60_000,
        "absence_ms": 60_000,
        "hold_ms": 10_000,
        "seat_limit_ms": 8 * 3_600_000,
    }
}
"""Clocks by name: what differs from the usual rules. `slow` is for bots that ask a language model, or a person."""

FIRST_GAME: Final = next(iter(GAMES))
"""The default game, also in examples."""

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help=f"The game, for example {FIRST_GAME}.")]
GameOption = Annotated[str, typer.Option(metavar="GAME", help="The game.")]
OptionValues = Annotated[
    list[str] | None, typer.Option(metavar="NAME=VALUE", help="A game option. Repeatable.")
]
ClockValues = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help=f"A clock rule. Repeatable. Rules: {CLOCK_FIELDS}. Or a clock by its name: {', '.join(CLOCKS)}.",
    ),
]


def game_named(name: str, param_hint: str) -> Game:
    """Return the game of this id. Raises BadParameter if there is none."""
    if name not in GAMES:
        raise typer.BadParameter(f"unknown game {name!r}; games: {', '.join(GAMES)}.", param_hint=param_hint)
    return GAMES[name]


def clock_values(texts: Sequence[str] | None) -> dict[str, str]:
    """Return the rules of --clock: those of a clock that is named, with the rules given one by one in their place.

    Raises BadParameter: neither a name nor NAME=VALUE.
    """
    given = texts or ()
    named = {rule: str(value) for text in given for rule, value in CLOCKS.get(text, {}).items()}
    return named | pairs((text for text in given if text not in CLOCKS), "--clock")


def time_control(values: dict[str, str]) -> time_control_pb2.TimeControl:
    """Return the default clock rules with these changes as a message. Raises as `clock_rules` does."""
    return time_control_pb2.TimeControl(**asdict(clock_rules(values)))


def clock_rules(values: dict[str, str]) -> TimeControl:
    """Return the default clock rules with these changes.

    Raises:
        BadParameter: an unknown rule, or not a whole number.
        InvalidArgumentError: a value out of range.
    """
    known = {field.name for field in fields(TimeControl)}
    for name, value in values.items():
        why = (
            "" if value.isdecimal() else f"invalid value {name}={value}: expected a whole number, 0 or more."
        )
        if name not in known:
            why = f"unknown clock rule {name!r}; rules: {CLOCK_FIELDS}."
        if why:
            raise typer.BadParameter(why, param_hint="--clock")
    return replace(TimeControl(), **{name: int(value) for name, value in values.items()})


def print_warnings(warnings: Iterable[str]) -> list[str]:
    """Print what the arena has warned of at a creation, and return it as a list."""
    shown = list(warnings)
    for sentence in shown:
        print_note(sentence)
    return shown


def padding_warnings(game: str, control: time_control_pb2.TimeControl) -> Iterator[str]:
    """Yield a sentence if secret decisions have no padding, or padding has no effect."""
    if game not in GAMES:
        return
    secret = GAMES[game].spec.secret_decisions
    if control.secret_pad_ms and not secret:
        yield (
            f"secret_pad_ms={control.secret_pad_ms} has no effect: {game} has no secret decisions, and only those "
            "are padded."
        )
    elif secret and not control.secret_pad_ms:
        yield (
            f"In {game} it is secret which bot is asked, but pauses reveal that one was. To hide them, use "
            "--clock secret_pad_ms=20, or as many milliseconds as bots need for a secret decision; matches then take "
            "longer."
        )


SeedPolicyName = Literal["shared", "derived"]
"""The seed policies on the command line."""


SeedPolicyOption = Annotated[
    SeedPolicyName | None,
    typer.Option(
        "--seed-policy",
        help="shared: the matches of a group have the same seed; if draws are hidden, only hosted bots play. "
        "derived: each match has its own seed. Default: chosen by the arena.",
    ),
]
