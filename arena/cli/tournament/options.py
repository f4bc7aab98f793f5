"""The format of a tournament on the command line."""

import re
from typing import Annotated, Final, Literal

import typer

from arena.cli.framework.output import enum_value
from arena.core.errors import InvalidArgumentError
from arena.core.pairing.formats.formats import format_of, parameter_names
from arena.core.pairing.formats.parameters import FormatParameters, Seeding
from arena.core.tournaments import PLANNED_AT_ONCE, TournamentFormat
from arena.v1 import match_pb2, tournament_pb2
from arena.wire.messages.tournament_format import parameters_of, policy_of

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
        help="A stage, for example swiss,qualifiers=4. Repeatable, in order. Names: rounds, best_of, challengers, "
        "third_place, advance, seeding, pools, qualifiers, visibility.",
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
_FEWEST_STAGES: Final = 2
_FEWEST_SEATS: Final = 2
_OF_STAGE: Final = ("rounds", "pools", "qualifiers")
_NUMBERS: Final = ("best_of", "challengers", "advance")
_WORDS: Final = ("third_place", "seeding", "visibility")
_OPTIONS: Final = {
    "rounds": "--rounds",
    "best_of": "--best-of",
    "challengers": "--challengers",
    "third_place": "--third-place",
    "advance": "--advance",
    "stages": "--stage",
}
"""By the parameter of the format."""


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
        elif name == "visibility" and value in ("live", "sealed"):
            stage.visibility = enum_value(tournament_pb2.Tournament.Visibility, value)
        elif name in (*_OF_STAGE, *_NUMBERS) and value.isdecimal() and len(value) < 10:
            setattr(stage if name in _OF_STAGE else stage.parameters, name, int(value))
        elif name in (*_OF_STAGE, *_NUMBERS, *_WORDS):
            raise _bad(f"{name} of a stage cannot be {value!r}.")
        else:
            known = ", ".join((*_OF_STAGE, *_NUMBERS, *_WORDS))
            raise _bad(f"unknown name {name!r} in a stage; names: {known}.")
    return stage


def check_format(request: tournament_pb2.CreateTournamentRequest) -> None:
    """Check format and parameters as the arena does, but in the words of the options. Raises BadParameter."""
    kind = TournamentFormat(request.format)
    parameters = parameters_of(request.parameters, request.rounds)
    _check_has(kind, parameters, request)
    for number, stage in enumerate(parameters.stages, start=1):
        for name in _not_had(stage.format, stage.parameters):
            has = ", ".join(sorted(parameter_names(stage.format) | {"seeding"}))
            raise _bad(f"stage {number}, a {_word(stage.format)}, has no {name}: leave it out. It has {has}.")
    if kind is TournamentFormat.STAGES and len(parameters.stages) < _FEWEST_STAGES:
        raise _bad(
            "--kind stages needs --stage twice or more, in their order, for example "
            "--stage swiss,rounds=3,qualifiers=4 --stage knockout."
        )
    if request.seats < _FEWEST_SEATS:
        return  # the arena knows the seats of the game
    try:
        format_of(kind, request.seats, parameters)
    except InvalidArgumentError as error:
        name = error.metadata["field"]
        if of_stage := re.fullmatch(r"stages\[(\d+)\]\.(\w+)", name):
            raise _bad(
                error.sentence.replace(name, f"{of_stage[2]} of stage {int(of_stage[1]) + 1}")
            ) from error
        sentence = re.sub(f"^{name} is", "it is", error.sentence)
        raise _bad(sentence, _OPTIONS.get(name, f"--{name}")) from error


def check_visibility(request: tournament_pb2.CreateTournamentRequest) -> None:
    """Check that visibility and seed policy do not contradict each other. Raises BadParameter."""
    policy = policy_of(request.visibility, "visibility")
    if policy is not None and request.seed_policy not in (match_pb2.SEED_POLICY_UNSPECIFIED, policy.value):
        raise _bad(
            "live matches have seeds of their own, and sealed ones share the seed of their group: leave out "
            "--visibility or --seed-policy.",
            "--visibility",
        )


def _check_has(
    kind: TournamentFormat, parameters: FormatParameters, request: tournament_pb2.CreateTournamentRequest
) -> None:
    """Check that nothing is set that the format does not have."""
    seeds = {"--seeding": bool(request.parameters.seeding), "--seeded-by": bool(request.seeded_by)}
    has_seeds = kind not in PLANNED_AT_ONCE
    wrong = [_OPTIONS[name] for name in _not_had(kind, parameters)]
    wrong += [] if has_seeds else [option for option, is_set in seeds.items() if is_set]
    if wrong:
        has = [_OPTIONS[name] for name in _OPTIONS if name in parameter_names(kind)] + [*seeds] * has_seeds
        raise _bad(
            f"--kind {_word(kind)} has no {wrong[0]}: leave it out. It has {', '.join(has)}.", wrong[0]
        )
    if parameters.seeding is Seeding.DRAWN and request.seeded_by:
        raise _bad("seeds are drawn or follow ratings: leave out --seeding or --seeded-by.", "--seeded-by")


def _not_had(kind: TournamentFormat, parameters: FormatParameters) -> list[str]:
    """Return the parameters that are set and that the format does not have."""
    default = FormatParameters()
    set_ones = (name for name in _OPTIONS if getattr(parameters, name) != getattr(default, name))
    return [name for name in set_ones if name not in parameter_names(kind)]


def _word(kind: TournamentFormat) -> str:
    return kind.name.lower().replace("_", "-")


def _bad(why: str, option: str = "--stage") -> typer.BadParameter:
    return typer.BadParameter(why, param_hint=option)
