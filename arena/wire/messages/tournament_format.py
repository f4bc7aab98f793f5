"""The parameters and the size of tournament formats as messages, and back."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

from arena.core.errors import invalid_field
from arena.core.match import SeedPolicy
from arena.core.pairing.formats.parameters import FormatParameters, GateParameters, Seeding, StageParameters
from arena.core.pairing.formats.plan import PlanSize
from arena.core.tournaments import TournamentFormat
from arena.v1 import tournament_pb2
from arena.wire.fields import enum_of, same

_SEEDINGS = {
    Seeding.ORDER: tournament_pb2.FormatParameters.SEEDING_ORDER,
    Seeding.DRAWN: tournament_pb2.FormatParameters.SEEDING_DRAWN,
}

VISIBILITIES: Final[Mapping[SeedPolicy | None, tournament_pb2.Tournament.Visibility.ValueType]] = {
    SeedPolicy.SHARED: tournament_pb2.Tournament.VISIBILITY_SEALED,
    SeedPolicy.DERIVED: tournament_pb2.Tournament.VISIBILITY_LIVE,
}
"""Who sees the matches of a tournament or stage when, by the seed policy of its match groups."""

FORMATS = "a format: round-robin, gauntlet, Swiss, knockout, double elimination or stages"


def parameters_of(
    message: tournament_pb2.FormatParameters, rounds: int, field: str = "parameters"
) -> FormatParameters:
    """Return the parameters of a message; 0 means a default. `field`: its name. Their ranges are not checked.

    Raises InvalidArgumentError: FIELD_INVALID, a number of no format, seeding or visibility.
    """
    asked = message.seeding or tournament_pb2.FormatParameters.SEEDING_ORDER
    numbers = {number: seeding for seeding, number in _SEEDINGS.items()}
    if asked not in numbers:
        enum_of(Seeding, f"{field}.seeding", asked, "a Seeding")
    return FormatParameters(
        rounds=rounds,
        best_of=message.best_of or 1,
        challengers=message.challengers or 1,
        third_place=message.third_place,
        advance=message.advance or 1,
        seeding=numbers[asked],
        stages=tuple(
            StageParameters(
                format=enum_of(TournamentFormat, f"{field}.stages[{place}].format", stage.format, FORMATS),
                parameters=parameters_of(
                    stage.parameters, stage.rounds, f"{field}.stages[{place}].parameters"
                ),
                pools=stage.pools or 1,
                qualifiers=stage.qualifiers,
                seed_policy=policy_of(stage.visibility, f"{field}.stages[{place}].visibility"),
            )
            for place, stage in enumerate(message.stages)
        ),
        gate=_gate_of(message.gate) if message.HasField("gate") else None,
    )


def _gate_of(message: tournament_pb2.GateParameters) -> GateParameters:
    """Return the parameters of a gate; the number of set-ups stays 0 if it is not given."""
    default = GateParameters()
    elo1_milli = message.elo1_milli or (0 if message.elo0_milli else default.elo1_milli)
    return GateParameters(
        message.elo0_milli,
        elo1_milli,
        message.alpha_milli or default.alpha_milli,
        message.beta_milli or default.beta_milli,
        message.set_ups,
    )


def policy_of(visibility: tournament_pb2.Tournament.Visibility.ValueType, field: str) -> SeedPolicy | None:
    """Return the seed policy that a visibility asks for; None if it is unspecified. `field`: its name.

    Raises InvalidArgumentError: FIELD_INVALID.
    """
    if visibility == tournament_pb2.Tournament.VISIBILITY_UNSPECIFIED:
        return None
    policies = {number: policy for policy, number in VISIBILITIES.items()}
    if visibility not in policies:
        raise invalid_field(field, f"{field} is {visibility}, but must be live or sealed.")
    return policies[visibility]


def parameters_message(parameters: FormatParameters) -> tournament_pb2.FormatParameters:
    """Return the parameters as a message, without the rounds."""
    return tournament_pb2.FormatParameters(
        **same(parameters, "best_of", "challengers", "third_place", "advance"),
        seeding=_SEEDINGS[parameters.seeding],
        stages=[
            tournament_pb2.FormatParameters.Stage(
                format=tournament_pb2.Tournament.Format.ValueType(stage.format.value),
                rounds=stage.parameters.rounds,
                parameters=parameters_message(stage.parameters),
                **same(stage, "pools", "qualifiers"),
                visibility=VISIBILITIES.get(
                    stage.seed_policy, tournament_pb2.Tournament.VISIBILITY_UNSPECIFIED
                ),
            )
            for stage in parameters.stages
        ],
        gate=None if parameters.gate is None else tournament_pb2.GateParameters(**asdict(parameters.gate)),
    )


def size_message(size: PlanSize) -> tournament_pb2.PlanSize:
    """Return the size of a tournament as a message."""
    return tournament_pb2.PlanSize(
        fewest_rounds=size.rounds[0],
        most_rounds=size.rounds[1],
        fewest_pairings=size.groups[0],
        most_pairings=size.groups[1],
        fewest_matches=size.matches[0],
        most_matches=size.matches[1],
    )
