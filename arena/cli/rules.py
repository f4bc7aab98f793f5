"""What people say of the rules of a match: game options and clock rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, fields, replace
from enum import Enum
from typing import Annotated, Final

import typer

from arena.cli.framework.output import remark
from arena.codecs.codec import codec_for
from arena.core.clock.time_control import TimeControl
from arena.v1 import games_pb2, match_pb2, time_control_pb2
from engine.game import Game, InvalidOptionsError
from engine.registry import GAMES

CLOCK_FIELDS: Final = ", ".join(field.name for field in fields(TimeControl))

FIRST_GAME: Final = next(iter(GAMES))
"""The game that is meant where nobody names one, and that examples are about."""

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help=f"The game, for example {FIRST_GAME}.")]
GameOption = Annotated[str, typer.Option(metavar="GAME", help="The game.")]
OptionValues = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="A game option; may be given several times."),
]
ClockValues = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help=f"A clock rule; may be given several times: {CLOCK_FIELDS}."),
]


def game_named(name: str, param_hint: str) -> Game:
    """The game of this id. Raises BadParameter if there is none."""
    if name not in GAMES:
        raise typer.BadParameter(
            f"there is no game {name!r}; there are {', '.join(GAMES)}.", param_hint=param_hint
        )
    return GAMES[name]


def time_control(values: dict[str, str]) -> time_control_pb2.TimeControl:
    """The arena's usual clock rules with these changed, as a message. Raises as `clock_rules` does."""
    return time_control_pb2.TimeControl(**asdict(clock_rules(values)))


def clock_rules(values: dict[str, str]) -> TimeControl:
    """The arena's usual clock rules with these changed.

    Raises:
        BadParameter: an unknown rule, or no whole number.
        InvalidArgumentError: a value out of its range.
    """
    known = {field.name for field in fields(TimeControl)}
    for name, value in values.items():
        if name not in known:
            raise typer.BadParameter(
                f"{name!r} is no clock rule; there are {CLOCK_FIELDS}.", param_hint="--clock"
            )
        if not value.isdecimal():
            raise typer.BadParameter(f"{name}={value} is no whole number.", param_hint="--clock")
    return replace(TimeControl(), **{name: int(value) for name, value in values.items()})


def clock_words(control: time_control_pb2.TimeControl) -> str:
    """The clock rules that people ask for first, in a line."""
    return (
        f"{control.per_decision_ms} ms a decision, bank {control.bank_ms} ms + {control.increment_ms} ms, "
        f"{control.strikes} strikes{pad_words(control.secret_pad_ms)}"
    )


def pad_words(secret_pad_ms: int) -> str:
    """What follows the other clock rules where secret questions are rounded up; empty where they are not."""
    return f", secret_pad_ms {secret_pad_ms}" if secret_pad_ms else ""


def tell_of_pauses(game: str, control: time_control_pb2.TimeControl) -> None:
    """Whoever plans matches with secret decisions and no pad, or the other way round, is told so on stderr."""
    if game not in GAMES:
        return
    secret = GAMES[game].spec.secret_decisions
    if control.secret_pad_ms and not secret:
        remark(
            f"secret_pad_ms={control.secret_pad_ms} does nothing here: {game} has no secret decisions, which alone "
            "it rounds up."
        )
    elif secret and not control.secret_pad_ms:
        remark(
            f"In {game} it is secret who is asked, but a pause tells that somebody was. To hide that, create it with "
            "--clock secret_pad_ms=20, or however many milliseconds bots think over such a question; matches then take "
            "longer."
        )


def option_words(game: str, options: Iterable[tuple[int, games_pb2.GameOptions]]) -> str:
    """The game options that are not the defaults, by name; `options` with the seat count of each. Empty if none is."""
    if game not in GAMES:
        return ""
    changed: dict[str, None] = {}
    for seats, message in options:
        if message.WhichOneof("game") is None:
            continue
        changed |= dict.fromkeys(_changed(GAMES[game], seats, message))
    return ", ".join(changed)


def _changed(game: Game, seats: int, message: games_pb2.GameOptions) -> list[str]:
    try:
        values = game.option_values(codec_for(game.spec.id).decode_options(message, seats))
    except InvalidOptionsError:
        return ["others than this installation knows; --format json shows them"]
    usual = game.option_values(game.options(seats, {}))
    return [f"{name} {value}" for name, value in values.items() if value != usual[name]]


class SeedPolicyName(Enum):
    """What may be asked for."""

    SHARED = "shared"
    DERIVED = "derived"


SeedPolicyOption = Annotated[
    SeedPolicyName | None,
    typer.Option(
        "--seed-policy",
        help="shared: the matches of a group have the same draws; where those are hidden, hosted bots alone play. "
        "derived: each match has its own. Default: the arena chooses.",
    ),
]


def seed_policy_value(name: SeedPolicyName | None) -> match_pb2.SeedPolicy.ValueType:
    """On the wire; unspecified if nothing is asked for."""
    if name is None:
        return match_pb2.SEED_POLICY_UNSPECIFIED
    return match_pb2.SeedPolicy.Value(f"SEED_POLICY_{name.name}")


def seed_words(policy: match_pb2.SeedPolicy.ValueType, *, hosted_only: bool) -> str:
    """What it means for who plays and who watches."""
    if policy != match_pb2.SEED_POLICY_SHARED:
        return "each match its own"
    if hosted_only:
        return (
            "one for all matches of a group: hosted bots alone play, each match in fresh programs; sealed until its "
            "group has ended"
        )
    return "one for all matches of a group, sealed until it has ended"
