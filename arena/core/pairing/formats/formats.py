"""The registry of tournament formats: from kind, seats and parameters to the format."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from arena.core.errors import InvalidArgumentError, invalid_field
from arena.core.pairing.formats.all_meet import RoundRobin
from arena.core.pairing.formats.double_elimination import DoubleElimination
from arena.core.pairing.formats.gauntlet import Gauntlet
from arena.core.pairing.formats.knockout import Knockout
from arena.core.pairing.formats.parameters import (
    MOST_BEST_OF,
    MOST_ELO_MILLI,
    MOST_POOLS,
    MOST_RISK_MILLI,
    MOST_ROUNDS,
    MOST_STAGES,
    FormatParameters,
    GateParameters,
    Seeding,
    StageParameters,
)
from arena.core.pairing.formats.plan import Format
from arena.core.pairing.formats.seeding import DrawnSeeding
from arena.core.pairing.formats.stages import Stage, Stages
from arena.core.pairing.formats.swiss import Swiss
from arena.core.pairing.formats.table_knockout import TableKnockout
from arena.core.pairing.round_robin import MOST_MATCHES
from arena.core.tournaments import TournamentFormat

_Maker = Callable[[int, FormatParameters], Format]


def _round_robin(seats: int, parameters: FormatParameters) -> Format:
    return RoundRobin(seats, parameters.rounds or 1)


def _gauntlet(seats: int, parameters: FormatParameters) -> Format:
    return Gauntlet(seats, parameters.challengers, parameters.rounds or 1)


def _swiss(seats: int, parameters: FormatParameters) -> Format:
    return Swiss(seats, parameters.rounds)


def _knockout(seats: int, parameters: FormatParameters) -> Format:
    if seats == 2:
        return Knockout(parameters.best_of, parameters.third_place)
    return TableKnockout(seats, parameters.best_of, parameters.advance)


def _double_elimination(_seats: int, parameters: FormatParameters) -> Format:
    return DoubleElimination(parameters.best_of)


def _stages(seats: int, parameters: FormatParameters) -> Format:
    return Stages(
        tuple(
            Stage(format_of(each.format, seats, each.parameters), each.pools, each.qualifiers)
            for each in parameters.stages
        )
    )


def _gate(seats: int, parameters: FormatParameters) -> Format:
    from arena.core.pairing.formats.gate import gate_of  # it needs numpy, which only a server has

    return gate_of(seats, parameters.gate or GateParameters())


_FORMATS: Final[Mapping[TournamentFormat, tuple[_Maker, frozenset[str]]]] = {
    TournamentFormat.ROUND_ROBIN: (_round_robin, frozenset({"rounds"})),
    TournamentFormat.CHALLENGE: (_round_robin, frozenset({"rounds"})),
    TournamentFormat.GAUNTLET: (_gauntlet, frozenset({"rounds", "challengers"})),
    TournamentFormat.SWISS: (_swiss, frozenset({"rounds"})),
    TournamentFormat.KNOCKOUT: (_knockout, frozenset({"best_of", "third_place", "advance"})),
    TournamentFormat.DOUBLE_ELIMINATION: (_double_elimination, frozenset({"best_of"})),
    TournamentFormat.STAGES: (_stages, frozenset({"stages"})),
    TournamentFormat.GATE: (_gate, frozenset({"gate"})),
}
"""The maker of each format, and the parameters that it has besides the seeding."""


def format_of(kind: TournamentFormat, seats: int, parameters: FormatParameters | None = None) -> Format:
    """Return the format of matches with so many seats, 2 or more.

    Raises InvalidArgumentError: FIELD_INVALID for a parameter out of its range or that the format does not have.
    Raises ModuleNotFoundError: a gate, and the packages of a server are not installed.
    """
    chosen = parameters or FormatParameters()
    for problem in parameter_problems(kind, seats, chosen):
        raise problem
    maker, _ = _FORMATS[kind]
    form = maker(seats, chosen)
    return DrawnSeeding(form) if chosen.seeding is Seeding.DRAWN else form


def parameter_names(kind: TournamentFormat) -> frozenset[str]:
    """Return the fields of FormatParameters that a format has besides the seeding."""
    _, has = _FORMATS[kind]
    return has


def parameter_problems(
    kind: TournamentFormat, seats: int, chosen: FormatParameters
) -> Iterator[InvalidArgumentError]:
    """Yield each parameter that is out of its range or that the format does not have, as FIELD_INVALID.

    `seats`: of its matches, 2 or more. The formats of stages are not checked by themselves.
    """
    has = parameter_names(kind)
    name, default = kind.name.lower().replace("_", "-"), FormatParameters()
    known = has if kind is TournamentFormat.GATE else has | {"seeding"}
    for field in ("rounds", "best_of", "challengers", "third_place", "advance", "stages", "gate"):
        if field not in has and getattr(chosen, field) != getattr(default, field):
            yield invalid_field(
                field, f"A {name} has no {field}: leave it out. It has {_listed(sorted(known))}."
            )
    yield from _range_problems("rounds", chosen.rounds, 0, MOST_ROUNDS)
    yield from _range_problems("best_of", chosen.best_of, 1, MOST_BEST_OF)
    yield from _range_problems("challengers", chosen.challengers, 1, MOST_ROUNDS)
    if not 1 <= chosen.advance < seats:
        yield invalid_field(
            "advance", f"advance is {chosen.advance}, but must be at least 1 and less than the {seats} seats."
        )
    if chosen.third_place and seats != 2:
        yield invalid_field("third_place", f"A match for the third place has two seats, not {seats}.")
    if kind is TournamentFormat.DOUBLE_ELIMINATION and seats != 2:
        yield invalid_field(
            "seats", f"A double elimination has matches of two seats, not {seats}: take a knockout."
        )
    if kind is TournamentFormat.STAGES:
        yield from _stage_problems(chosen.stages)
    if kind is TournamentFormat.GATE:
        if chosen.seeding is not Seeding.ORDER:
            yield invalid_field("seeding", "The field of a gate has no seeds: leave seeding out.")
        yield from _gate_problems(chosen.gate or GateParameters())


def _gate_problems(chosen: GateParameters) -> Iterator[InvalidArgumentError]:
    for name in ("elo0_milli", "elo1_milli"):
        yield from _range_problems(f"gate.{name}", getattr(chosen, name), -MOST_ELO_MILLI, MOST_ELO_MILLI)
    if chosen.elo0_milli >= chosen.elo1_milli:
        yield invalid_field(
            "gate.elo1_milli",
            f"gate.elo1_milli is {chosen.elo1_milli}, and must be above gate.elo0_milli, {chosen.elo0_milli}.",
        )
    for name in ("alpha_milli", "beta_milli"):
        yield from _range_problems(f"gate.{name}", getattr(chosen, name), 1, MOST_RISK_MILLI)
    yield from _range_problems("gate.set_ups", chosen.set_ups, 1, MOST_MATCHES)


def _stage_problems(stages: tuple[StageParameters, ...]) -> Iterator[InvalidArgumentError]:
    if not 2 <= len(stages) <= MOST_STAGES:
        yield invalid_field("stages", f"There are two to {MOST_STAGES} stages, not {len(stages)}.")
        return
    for number, stage in enumerate(stages, start=1):
        last = number == len(stages)
        if stage.format in {TournamentFormat.STAGES, TournamentFormat.CHALLENGE, TournamentFormat.GATE}:
            yield invalid_field("stages", f"Stage {number} cannot be a {stage.format.name.lower()}.")
        if number > 1 and stage.parameters.seeding is Seeding.DRAWN:
            yield invalid_field("stages", f"Stage {number} is seeded by the stage before: leave out seeding.")
        yield from _range_problems(f"stages[{number - 1}].pools", stage.pools, 1, MOST_POOLS)
        if last and stage.qualifiers:
            yield invalid_field("stages", "Nothing follows the last stage: leave out its qualifiers.")
        if last and stage.pools > 1:
            yield invalid_field("stages", "The last stage has one pool, or there would be several winners.")
        if not last:
            yield from _range_problems(f"stages[{number - 1}].qualifiers", stage.qualifiers, 1, MOST_ROUNDS)


def _range_problems(field: str, value: int, least: int, most: int) -> Iterator[InvalidArgumentError]:
    if not least <= value <= most:
        yield invalid_field(field, f"{field} is {value}, and must be {least} to {most}.")


def _listed(names: Sequence[str]) -> str:
    """Return names as a part of a sentence: "rounds and seeding"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
