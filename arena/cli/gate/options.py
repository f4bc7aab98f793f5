"""The options of a gate: the field, and when the test stops."""

import re
from collections.abc import Iterable
from typing import Annotated, Final

import typer

from arena.cli.framework.names import resource, sprt_numbers
from arena.v1 import tournament_pb2

_MILLI: Final = 1_000
_ROUNDING: Final = 1e-6

CandidateOption = Annotated[
    str, typer.Option(metavar="HASH", help="The version to test: the first digits of its hash, at least 6.")
]
AgainstOption = Annotated[
    list[str],
    typer.Option(metavar="BOT|field:N", help="An opponent, or the N best bots of --ladder. Repeatable."),
]
LadderOption = Annotated[
    str | None,
    typer.Option(metavar="LADDER", help="The ladder whose game, options, clock and bots are used."),
]
GameOfGateOption = Annotated[str | None, typer.Option(metavar="GAME", help="The game, without --ladder.")]
SeatsOption = Annotated[
    int, typer.Option(metavar="N", min=0, help="Seats of a match. 0: the fewest of --ladder, or two.")
]
MatchesOption = Annotated[
    int, typer.Option(metavar="N", min=0, help="Stop after so many matches, in whole set-ups. 0: 2000.")
]
ApplyOption = Annotated[
    bool, typer.Option("--apply", help="Let the candidate play from then on (pin it) if it is better.")
]
SprtOption = Annotated[
    str,
    typer.Option(metavar="ELO0,ELO1", help="Stop when the candidate is ELO1 points better, or only ELO0."),
]
AlphaOption = Annotated[
    float, typer.Option(metavar="RISK", help="The risk to call a candidate better that is only ELO0 better.")
]
BetaOption = Annotated[
    float, typer.Option(metavar="RISK", help="The risk to miss that the candidate is ELO1 better.")
]


def gate_parameters(text: str, alpha: float, beta: float) -> tournament_pb2.GateParameters:
    """Return when the test of a gate stops. Raises BadParameter: a number is out of range or has too many decimals."""
    elo0, elo1 = sprt_numbers(text, alpha, beta)
    numbers = {"--sprt": (elo0, elo1), "--alpha": (alpha,), "--beta": (beta,)}
    for name, values in numbers.items():
        if any(abs(value * _MILLI - round(value * _MILLI)) > _ROUNDING for value in values):
            raise typer.BadParameter("at most three decimals are possible here.", param_hint=name)
    elo0_milli, elo1_milli, alpha_milli, beta_milli = (
        round(_MILLI * value) for value in (elo0, elo1, alpha, beta)
    )
    return tournament_pb2.GateParameters(
        elo0_milli=elo0_milli, elo1_milli=elo1_milli, alpha_milli=alpha_milli, beta_milli=beta_milli
    )


def field_of(against: Iterable[str]) -> tuple[list[str], int]:
    """Return the bots that --against names, and how many of the best of the ladder it asks for. Raises BadParameter."""
    named, best = list[str](), 0
    for each in against:
        if not each.startswith("field:"):
            bot = resource("bots", each)
            if bot in named:
                raise typer.BadParameter(f"{each} is named twice.", param_hint="--against")
            named.append(bot)
        elif best or not (found := re.fullmatch("field:([1-9][0-9]{0,2})", each)):
            raise typer.BadParameter(
                f"invalid value {each!r}: expected field:N once, such as field:10.", param_hint="--against"
            )
        else:
            best = int(found[1])
    return named, best
