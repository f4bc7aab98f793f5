"""A match group: n bots, n matches, every bot once on every seat, so that the advantage of a seat cancels.

Where matches have one seat, a group is a *board*: one match for each bot.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from arena.core.errors import ErrorReason, FailedPreconditionError, invalid_field
from arena.core.match import SeedPolicy
from arena.core.seeds import match_seed, rotated, seat_order
from engine.game import Chance

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """One match of a group before it is played."""

    bots: tuple[str, ...]
    """By seat."""
    seed_group_index: int
    """k of the seed's derivation (docs/rules/randomness.md); 0 for all matches that share a seed."""
    seed: bytes
    """32 bytes, of the first attempt."""


def default_seed_policy(chance: Chance, *, isolated: bool) -> SeedPolicy:
    """Return SHARED where that cancels luck and reveals nothing to bots, else DERIVED.

    `isolated`: every bot is hosted or in process, with a fresh process for each match, without network or
    lasting storage.
    """
    lucky = chance is not Chance.NONE
    return SeedPolicy.SHARED if lucky and _may_share(chance, isolated=isolated) else SeedPolicy.DERIVED


def check_seed_policy(policy: SeedPolicy, chance: Chance, *, isolated: bool) -> None:
    """Check that a planned group may have this policy.

    Raises:
        InvalidArgumentError: FIELD_INVALID, bots could know the seed beforehand.
        FailedPreconditionError: SHARED_SEED_REFUSED, they could carry knowledge from one match of the group to
            the next.
    """
    if policy is SeedPolicy.FIXED:
        raise invalid_field(
            "seed_policy", "A fixed seed can be guessed: the seeds of match groups are derived."
        )
    if policy is SeedPolicy.SHARED and not _may_share(chance, isolated=isolated):
        raise FailedPreconditionError(
            ErrorReason.SHARED_SEED_REFUSED,
            "The matches of a group cannot share a seed here: the game has hidden chance, and a bot that is"
            " not hosted could remember it from match to match; have the arena run all of the bots (`arena bot"
            " submit`), or ask for derived seeds.",
        )


def needs_isolation(policy: SeedPolicy, chance: Chance) -> bool:
    """Return whether a shared seed reveals nothing only if no bot carries anything from match to match of a group.

    Then each of its matches is played by new programs of the arena, which end with it.
    """
    return policy is SeedPolicy.SHARED and chance is Chance.HIDDEN


def plan_group(secret: bytes, group: int, bots: Collection[str], policy: SeedPolicy) -> tuple[MatchPlan, ...]:
    """Plan the matches of a group: a drawn order of the bots, rotated by one seat from match to match.

    `policy`: DERIVED or SHARED. Raises ValueError for fewer than two bots, a bot named twice, or fixed seeds.
    """
    if len(set(bots)) != len(bots) or len(bots) < 2:
        raise ValueError(f"a match group has two or more different bots, not {sorted(bots)}")
    order = seat_order(secret, group, bots)
    return _plan(secret, group, [rotated(order, k) for k in range(len(order))], policy)


def plan_set_up(
    secret: bytes, group: int, bots: Collection[str], compared: tuple[str, str]
) -> tuple[MatchPlan, ...]:
    """Plan the matches of a set-up of a gate, all on one seed.

    `bots`: the two that are compared, and their opponents in all of them. Raises ValueError for other bots than that.
    """
    if len(set(bots)) != len(bots) or len(bots) < 3 or not set(compared) < set(bots):
        raise ValueError(f"a set-up has two different bots and their opponents, not {sorted(bots)}")
    seats = set_up_seats(seat_order(secret, group, bots), compared)
    return _plan(secret, group, seats, SeedPolicy.SHARED)


def set_up_seats(order: Sequence[str], compared: tuple[str, str]) -> list[tuple[str, ...]]:
    """Return the bots by seat of each match of a set-up of a gate. `order`: all its bots, as drawn.

    Of the two that are compared the first drawn plays first from each rotation, so neither is always the one whose
    opponents have seen the set-up before.
    """
    opponents = tuple(bot for bot in order if bot not in compared)
    return list(by_turns([(bot, *opponents) for bot in order if bot in compared]))


def by_turns(line_ups: Sequence[tuple[T, ...]]) -> Iterator[tuple[T, ...]]:
    """Yield each of these line-ups of a match from every rotation of its seats: all of them from one, then the next.

    A machine that slows down while a group is played slows all of them down alike.
    """
    for turn in range(len(line_ups[0])):
        for line_up in line_ups:
            yield line_up[turn:] + line_up[:turn]


def plan_board(secret: bytes, group: int, bots: Collection[str], policy: SeedPolicy) -> tuple[MatchPlan, ...]:
    """Plan the matches of one seat of a board in a drawn order: one for each bot.

    `policy`: DERIVED or SHARED. Raises ValueError for no bot, a bot named twice, or fixed seeds.
    """
    if len(set(bots)) != len(bots) or not bots:
        raise ValueError(f"a board has one or more different bots, not {sorted(bots)}")
    return _plan(secret, group, [(bot,) for bot in seat_order(secret, group, bots)], policy)


def replay_attempt(attempt: int, policy: SeedPolicy) -> int:
    """Return the attempt of the match that replaces a void one; the same attempt means the same seed.

    It is one more, unless the seed is shared, which is allowed only where nothing can be carried over.
    """
    return attempt if policy is SeedPolicy.SHARED else attempt + 1


def _plan(
    secret: bytes, group: int, matches: Sequence[tuple[str, ...]], policy: SeedPolicy
) -> tuple[MatchPlan, ...]:
    """Return the plan of matches with these bots by seat."""
    if policy is SeedPolicy.FIXED:
        raise ValueError("the seeds of a planned group are derived, not fixed")
    indices = [0 if policy is SeedPolicy.SHARED else k for k in range(len(matches))]
    seeds = [match_seed(secret, group, index, attempt=0) for index in indices]
    return tuple(map(MatchPlan, matches, indices, seeds))


def _may_share(chance: Chance, *, isolated: bool) -> bool:
    return isolated or chance is not Chance.HIDDEN
