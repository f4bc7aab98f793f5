"""Whether the matches of a group share a seed, as it is asked for and as it is shown."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer

from arena.v1 import match_pb2


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
