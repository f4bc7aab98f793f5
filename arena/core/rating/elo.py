"""Live Elo: how a complete match group changes the ratings of its bots (docs/ratings.md).

A match of n seats is its n(n-1)/2 pairs, and a group scores each pair by the mean over its matches::

    delta(i) = sum over j of round(K(i) / (n - 1) * (S(i,j) - E(i,j)))

All E come from the ratings before the group. Rounding is half to even, so where the K are equal, what one bot
of a pair wins is to the last bit what the other loses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from arena.core.rating.expected_score import MILLIONTHS, expected_score
from arena.core.rating.rating import Rating
from arena.core.rating.variance import Opponent, information_after, information_of_new_version

PROVISIONAL_MATCHES: Final = 30
"""So many rated matches of a version are played with the larger K."""

PROVISIONAL_K: Final = 80
ESTABLISHED_K: Final = 40
"""Points per group. With two seats, a group being two matches, these are FIDE's 40 and 20 per match."""

_MILLI: Final = 1_000


@dataclass(frozen=True, slots=True)
class RatedSeat:
    """How one bot came out of one match."""

    bot: str
    version: str
    placing: int
    """1 is best; ties share the better placing."""
    forfeited: bool


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A finished match that counts."""

    match: int
    seats: tuple[RatedSeat, ...]
    """By seat."""

    def __post_init__(self) -> None:
        """Raises ValueError for a match that cannot be rated."""
        if len(self.seats) < 2:
            raise ValueError(f"match {self.match} has one seat: a match is rated from two seats on")
        if len(self.by_bot) < len(self.seats):
            raise ValueError(
                f"match {self.match} seats a bot twice: in rated matches each seat has its own bot"
            )

    @property
    def by_bot(self) -> dict[str, RatedSeat]:
        """Its seats by bot."""
        return {seat.bot: seat for seat in self.seats}


@dataclass(frozen=True, slots=True)
class Change:
    """What a group changes for one bot."""

    bot: str
    k: int
    """The K it was rated with, in points."""
    before: Rating
    after: Rating

    @property
    def delta_milli(self) -> int:
        """Thousandths of a point won."""
        return self.after.rating_milli - self.before.rating_milli

    @property
    def information_delta(self) -> int:
        """Information won; negative where a new version made the rating less certain."""
        return self.after.information - self.before.information


def rate_group(ratings: Mapping[str, Rating], matches: Sequence[RatedMatch]) -> tuple[Change, ...]:
    """What these matches of one group change, by bot; `ratings` holds its bots as they were before the group.

    Void matches are left out by the caller. Neither the order of the matches nor that of the seats matters.
    Raises ValueError if there is no match or the matches are not all between the same bots.
    """
    ordered = sorted(matches, key=lambda match: match.match)
    bots = _bots_of(ordered)
    started = {bot: _with_version_of(ratings[bot], bot, ordered) for bot in bots}
    return tuple(_change(bot, ratings[bot], started, ordered) for bot in bots)


def pair_score(one: RatedSeat, other: RatedSeat) -> Fraction:
    """1 for the better one, 1/2 for a tie; forfeited seats lose to standing ones and tie with each other."""
    if one.forfeited or other.forfeited:
        return Fraction(1 + other.forfeited - one.forfeited, 2)
    return Fraction(1 + (one.placing < other.placing) - (one.placing > other.placing), 2)


def k_of(rating: Rating) -> int:
    """The K for the next group of a bot, in points."""
    return PROVISIONAL_K if rating.version_matches < PROVISIONAL_MATCHES else ESTABLISHED_K


def _bots_of(matches: Sequence[RatedMatch]) -> list[str]:
    groups = {tuple(sorted(match.by_bot)) for match in matches}
    if len(groups) != 1:
        raise ValueError(f"a match group is between the same bots in every match, not {sorted(groups)}")
    return list(groups.pop())


def _with_version_of(rating: Rating, bot: str, matches: Sequence[RatedMatch]) -> Rating:
    """The rating before the group, seen as that of the version that played the group's last match."""
    version = matches[-1].by_bot[bot].version
    if version == rating.version:
        return rating
    information = information_of_new_version(rating.information) if rating.version else rating.information
    return Rating(rating.rating_milli, information, version, version_matches=0)


def _change(bot: str, before: Rating, started: Mapping[str, Rating], matches: Sequence[RatedMatch]) -> Change:
    own = started[bot]
    k = k_of(own)
    others = [other for other in started if other != bot]
    expected = {other: expected_score(own.rating_milli - started[other].rating_milli) for other in others}
    weight = Fraction(k, len(others))
    delta = sum(
        round(_MILLI * weight * (_mean_score(bot, other, matches) - Fraction(expected[other], MILLIONTHS)))
        for other in others
    )
    after = Rating(
        rating_milli=own.rating_milli + delta,
        information=information_after(
            own.variance,
            [
                Opponent(own.rating_milli - started[other].rating_milli, started[other].variance)
                for other in others
            ],
            k=k,
            matches=len(matches),
        ),
        version=own.version,
        version_matches=own.version_matches
        + sum(match.by_bot[bot].version == own.version for match in matches),
    )
    return Change(bot, k, before, after)


def _mean_score(one: str, other: str, matches: Sequence[RatedMatch]) -> Fraction:
    scores = [pair_score(match.by_bot[one], match.by_bot[other]) for match in matches]
    return sum(scores, Fraction(0)) / len(scores)
