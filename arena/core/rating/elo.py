"""Live Elo: how a complete match group changes the ratings of its bots (docs/ratings.md).

A match of n seats is its n(n-1)/2 pairs, and a group scores each pair by the mean over its matches::

    delta(i) = sum over j of round(K(i) / (n - 1) * (S(i,j) - E(i,j)))

All E come from the ratings before the group. Rounding is half to even, so where the K are equal, what one bot
of a pair wins is to the last bit what the other loses. An anchor is an opponent like others, but its rating stays.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from arena.core.finished_match import FinishedMatch
from arena.core.rating.expected_score import MILLIONTHS, expected_score, half_to_even
from arena.core.rating.rating import Rating
from arena.core.rating.variance import Opponent, information_after, information_of_new_version

PROVISIONAL_MATCHES: Final = 30
"""So many rated matches of a version are played with the larger K."""

PROVISIONAL_K: Final = 80
ESTABLISHED_K: Final = 40
"""Points per group. With two seats, a group being two matches, these are FIDE's 40 and 20 per match."""

_MILLI: Final = 1_000


@dataclass(frozen=True, slots=True)
class Change:
    """What a group changes for one bot."""

    bot: str
    k: int
    """The K it was rated with, in points; 0 for an anchor, and where no match was rated."""
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


def rate_group(
    ratings: Mapping[str, Rating], matches: Sequence[FinishedMatch], anchors: Collection[str] = ()
) -> tuple[Change, ...]:
    """Return the changes by bot from these matches of one group; `ratings`: its bots before the group.

    `anchors`: bots of fixed rating; of theirs only the version and its matches change.

    The caller leaves out void matches. The order of matches and seats does not matter. Raises ValueError if there is
    no match, one cannot be rated, or they are not all between the same bots.
    """
    for match in matches:
        match.check_meeting()
    played = sorted(matches, key=lambda match: match.match)
    bots = _bots_of(played)
    started = {
        bot: _with_version(ratings[bot], played[-1].version_of(bot), is_anchor=bot in anchors) for bot in bots
    }
    return tuple(
        _counted(bot, ratings[bot], started[bot], played)
        if bot in anchors
        else _change(bot, ratings[bot], started, played)
        for bot in bots
    )


def pair_halves(match: FinishedMatch, bot: str, other: str) -> int:
    """Return 2 if the bot was better than the other, 1 for a tie, else 0.

    Forfeited seats lose to others and tie with each other.
    """
    one, two = match.bots.index(bot), match.bots.index(other)
    if match.forfeited[one] or match.forfeited[two]:
        return 1 + match.forfeited[two] - match.forfeited[one]
    return 1 + (match.placings[one] < match.placings[two]) - (match.placings[one] > match.placings[two])


def k_of(rating: Rating) -> int:
    """Return the K for the next group of a bot, in points."""
    return PROVISIONAL_K if rating.version_matches < PROVISIONAL_MATCHES else ESTABLISHED_K


def _bots_of(played: Sequence[FinishedMatch]) -> tuple[str, ...]:
    groups = sorted({tuple(sorted(match.bots)) for match in played})
    if len(groups) != 1:
        raise ValueError(f"a match group is between the same bots in every match, not {groups}")
    return groups[0]


def _with_version(rating: Rating, version: str, *, is_anchor: bool) -> Rating:
    """Return the rating before the group as that of the version that played the group's last match."""
    if version == rating.version:
        return rating
    information = rating.information
    if rating.version and not is_anchor:
        information = information_of_new_version(information)
    return Rating(rating.rating_milli, information, version, version_matches=0)


def _counted(bot: str, before: Rating, own: Rating, played: Sequence[FinishedMatch]) -> Change:
    """Return the change of an anchor."""
    return Change(bot, 0, before, replace(own, version_matches=_version_matches(bot, own, played)))


def _version_matches(bot: str, own: Rating, played: Sequence[FinishedMatch]) -> int:
    return own.version_matches + sum(match.version_of(bot) == own.version for match in played)


def _change(
    bot: str, before: Rating, started: Mapping[str, Rating], played: Sequence[FinishedMatch]
) -> Change:
    own = started[bot]
    k = k_of(own)
    opponents = {
        other: Opponent(own.rating_milli - rating.rating_milli, rating.information)
        for other, rating in started.items()
        if other != bot
    }
    # K / (n - 1) * (S - E), S in halves over all matches and E in millionths
    unit = len(opponents) * 2 * len(played) * MILLIONTHS
    delta = 0
    for other, opponent in opponents.items():
        halves = sum(pair_halves(match, bot, other) for match in played)
        expected = 2 * len(played) * expected_score(opponent.difference_milli)
        delta += half_to_even(_MILLI * k * (halves * MILLIONTHS - expected), unit)
    after = Rating(
        rating_milli=own.rating_milli + delta,
        information=information_after(own.information, [*opponents.values()], k=k, matches=len(played)),
        version=own.version,
        version_matches=_version_matches(bot, own, played),
    )
    return Change(bot, k, before, after)
