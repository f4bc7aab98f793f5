"""The parameters of a tournament's format, and their canonical text."""

import json
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Final, Self

from arena.core.errors import InvalidArgumentError, invalid_field
from arena.core.match import SeedPolicy
from arena.core.tournaments import TournamentFormat

MOST_ROUNDS: Final = 1_000
MOST_BEST_OF: Final = 99
MOST_STAGES: Final = 8
MOST_POOLS: Final = 1_000
MOST_ELO_MILLI: Final = 2_000_000
MOST_RISK_MILLI: Final = 499
"""Two risks of a half or more would decide before the first match."""

_STAGE_POLICIES: Final = {policy.name.lower(): policy for policy in (SeedPolicy.DERIVED, SeedPolicy.SHARED)}


class Seeding(Enum):
    """Which entrant has which seed."""

    ORDER = "order"
    """The first that entered has seed 1."""
    DRAWN = "drawn"
    """The seeds are drawn from the tournament's secret."""


@dataclass(frozen=True, slots=True)
class GateParameters:
    """When the sequential test of a gate stops; whole numbers, so that they have one text."""

    elo0_milli: int = 0
    """The Elo difference that is not enough, in thousandths of a point."""
    elo1_milli: int = 20_000
    """The one that is; larger."""
    alpha_milli: int = 50
    """The risk to accept `elo1_milli` where `elo0_milli` is true, in thousandths."""
    beta_milli: int = 50
    """The risk to accept `elo0_milli` where `elo1_milli` is true, in thousandths."""
    set_ups: int = 500
    """After so many set-ups it ends without a verdict."""

    @classmethod
    def _from_object(cls, value: object, path: str) -> Self:
        defaults = asdict(cls())
        given = _fields(value, path, set(defaults))
        return cls(**{name: _whole(given, name, default, path) for name, default in defaults.items()})


@dataclass(frozen=True, slots=True)
class FormatParameters:
    """What can be chosen for a format; a format ignores no parameter but rejects those that it does not have."""

    rounds: int = 0
    """Round-robin and gauntlet: how often each pairing is played. Swiss: the number of rounds. 0: as is usual."""
    best_of: int = 1
    """Knockouts: match groups of a tie."""
    challengers: int = 1
    """Gauntlet: the first of the entrants, which meet the others."""
    third_place: bool = False
    """Knockout of two seats: whether the losers of the semi-finals meet."""
    advance: int = 1
    """Knockout: bots of a tie that advance; fewer than the seats."""
    seeding: Seeding = Seeding.ORDER
    stages: tuple["StageParameters", ...] = ()
    """Stages: two or more, in their order."""
    gate: GateParameters | None = None
    """Gate: its test; None: the default one."""

    def to_json(self) -> str:
        """Return the canonical text: an object with sorted keys of the parameters that differ from their defaults."""
        return json.dumps(self._as_object(), sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the parameters of a text that `to_json` may have returned.

        Raises InvalidArgumentError: FIELD_INVALID.
        """
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            raise invalid_field("parameters", "The parameters of the format are no JSON object.") from None
        return cls._from_object(value, "parameters")

    def _as_object(self) -> dict[str, object]:
        default = FormatParameters()
        written: dict[str, object] = {
            name: getattr(self, name)
            for name in ("rounds", "best_of", "challengers", "third_place", "advance")
            if getattr(self, name) != getattr(default, name)
        }
        if self.seeding is not Seeding.ORDER:
            written["seeding"] = self.seeding.value
        if self.stages:
            written["stages"] = [
                {
                    "format": stage.format.name.lower(),
                    "pools": stage.pools,
                    "qualifiers": stage.qualifiers,
                    "parameters": stage.parameters._as_object(),
                }
                | ({} if stage.seed_policy is None else {"seed_policy": stage.seed_policy.name.lower()})
                for stage in self.stages
            ]
        if self.gate is not None:
            written["gate"] = asdict(self.gate)
        return written

    @classmethod
    def _from_object(cls, value: object, path: str) -> Self:
        given = _fields(
            value,
            path,
            {"rounds", "best_of", "challengers", "third_place", "advance", "seeding", "stages", "gate"},
        )
        stages = given.get("stages", [])
        if not isinstance(stages, list):
            raise _wrong(f"{path}.stages", "a list of stages")
        third_place = given.get("third_place", False)
        if not isinstance(third_place, bool):
            raise _wrong(f"{path}.third_place", "true or false")
        seeding = given.get("seeding", Seeding.ORDER.value)
        if seeding not in [each.value for each in Seeding]:
            raise _wrong(f"{path}.seeding", '"order" or "drawn"')
        return cls(
            rounds=_whole(given, "rounds", 0, path),
            best_of=_whole(given, "best_of", 1, path),
            challengers=_whole(given, "challengers", 1, path),
            third_place=third_place,
            advance=_whole(given, "advance", 1, path),
            seeding=Seeding(seeding),
            stages=tuple(
                StageParameters._from_object(stage, f"{path}.stages[{place}]")
                for place, stage in enumerate(stages)
            ),
            gate=GateParameters._from_object(given["gate"], f"{path}.gate") if "gate" in given else None,
        )


@dataclass(frozen=True, slots=True)
class StageParameters:
    """One stage of several."""

    format: TournamentFormat
    """Not CHALLENGE, STAGES or GATE."""
    parameters: FormatParameters = FormatParameters()
    pools: int = 1
    """Into how many groups the bots are divided, which play the format each by itself."""
    qualifiers: int = 0
    """The best of each pool that advance to the next stage; 0 in the last stage."""
    seed_policy: SeedPolicy | None = None
    """DERIVED or SHARED; None: that of the tournament."""

    @classmethod
    def _from_object(cls, value: object, path: str) -> Self:
        given = _fields(value, path, {"format", "parameters", "pools", "qualifiers", "seed_policy"})
        names = {each.name.lower(): each for each in TournamentFormat}
        name = given.get("format")
        if not isinstance(name, str) or name not in names:
            raise _wrong(f"{path}.format", "one of " + ", ".join(names))
        policy = given.get("seed_policy")
        if policy is not None and (not isinstance(policy, str) or policy not in _STAGE_POLICIES):
            raise _wrong(f"{path}.seed_policy", "one of " + ", ".join(_STAGE_POLICIES))
        return cls(
            format=names[name],
            parameters=FormatParameters._from_object(given.get("parameters", {}), f"{path}.parameters"),
            pools=_whole(given, "pools", 1, path),
            qualifiers=_whole(given, "qualifiers", 0, path),
            seed_policy=None if policy is None else _STAGE_POLICIES[policy],
        )


def _fields(value: object, path: str, known: set[str]) -> dict[str, object]:
    if not isinstance(value, dict):
        raise _wrong(path, "an object")
    for name in value:
        if name not in known:
            raise invalid_field(
                f"{path}.{name}", f"{path} has no field {name!r}, but {', '.join(sorted(known))}."
            )
    return value


def _whole(fields: dict[str, object], name: str, default: int, path: str) -> int:
    value = fields.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _wrong(f"{path}.{name}", "a whole number")
    return value


def _wrong(path: str, needed: str) -> InvalidArgumentError:
    return invalid_field(path, f"{path} must be {needed}.")
