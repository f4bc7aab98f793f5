"""The format of a tournament on the command line."""

from typing import Annotated, Final, Literal

import typer

from arena.cli.framework.output import enum_value
from arena.v1 import tournament_pb2

Kind = Literal["round-robin", "gauntlet", "swiss", "knockout", "double-elimination", "stages"]
"""The formats of `arena tournament create`."""

KindOption = Annotated[Kind, typer.Option("--kind", help="The format of the tournament.")]
RoundsOption = Annotated[
    int,
    typer.Option(
        min=0, help="How often to play each pairing; of a Swiss the number of rounds. 0: as is usual."
    ),
]
BestOfOption = Annotated[
    int, typer.Option("--best-of", min=0, help="Knockouts: match groups of a tie. 0: one.")
]
ChallengersOption = Annotated[
    int, typer.Option(min=0, help="Gauntlet: how many of the bots, the first, meet the others. 0: one.")
]
ThirdPlaceOption = Annotated[
    bool, typer.Option("--third-place", help="Knockout: the losers of the semi-finals meet.")
]
AdvanceOption = Annotated[
    int, typer.Option(min=0, help="Knockout: bots of a tie that advance, fewer than the seats. 0: one.")
]
StageOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KIND,NAME=VALUE...",
        help="A stage, for example swiss,rounds=3,pools=2,qualifiers=4. Repeatable, in order. Names: rounds, best_of, "
        "challengers, third_place, advance, seeding, pools, qualifiers.",
    ),
]
SeedingOption = Annotated[
    Literal["order", "drawn"] | None,
    typer.Option(help="order: the first bot has seed 1. drawn: seeds come from the tournament's secret."),
]
SeededByOption = Annotated[
    str | None,
    typer.Option("--seeded-by", metavar="LADDER", help="Enter the bots by their ratings on this ladder."),
]
VisibilityOption = Annotated[
    Literal["live", "sealed"] | None,
    typer.Option(
        help="live: each match can be watched while it is played, and has a seed of its own. sealed: the matches of a "
        "group share a seed, and are shown when the group has ended. Default: as the seed policy says.",
    ),
]

_FORMATS: Final = ("round-robin", "gauntlet", "swiss", "knockout", "double-elimination", "stages")
_OF_STAGE: Final = ("rounds", "pools", "qualifiers")
_NUMBERS: Final = ("best_of", "challengers", "advance")


def format_named(word: str) -> tournament_pb2.Tournament.Format.ValueType:
    """Return the format of a word of the command line."""
    return tournament_pb2.Tournament.Format.Value(f"FORMAT_{word.upper().replace('-', '_')}")


def stage_of(text: str) -> tournament_pb2.FormatParameters.Stage:
    """Return the stage that a text describes. Raises BadParameter."""
    kind, *settings = (part.strip() for part in text.split(","))
    if kind not in _FORMATS:
        raise _bad(f"unknown format {kind!r}; formats: {', '.join(_FORMATS)}.")
    stage = tournament_pb2.FormatParameters.Stage(format=format_named(kind))
    for setting in settings:
        name, _, value = setting.partition("=")
        if name == "third_place" and value in ("", "yes"):
            stage.parameters.third_place = True
        elif name == "seeding" and value in ("order", "drawn"):
            stage.parameters.seeding = enum_value(tournament_pb2.FormatParameters.Seeding, value)
        elif name in (*_OF_STAGE, *_NUMBERS) and value.isdecimal() and len(value) < 10:
            setattr(stage if name in _OF_STAGE else stage.parameters, name, int(value))
        elif name in (*_OF_STAGE, *_NUMBERS, "third_place", "seeding"):
            raise _bad(f"{name} of a stage cannot be {value!r}.")
        else:
            known = ", ".join((*_OF_STAGE, *_NUMBERS, "third_place", "seeding"))
            raise _bad(f"unknown name {name!r} in a stage; names: {known}.")
    return stage


def _bad(why: str) -> typer.BadParameter:
    return typer.BadParameter(why, param_hint="--stage")
