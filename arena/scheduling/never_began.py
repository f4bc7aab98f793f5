"""How a match ends that never began: without a result, and with what kept which of its bots from playing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

from arena.core import results
from arena.core.match import MatchResult, MatchState
from arena.core.terminations import Fault, SeatEnding, Termination
from arena.scheduling.containment import OfAGroup, is_played_alone

DESERTED_MIN: Final = 10
"""So many minutes a match waits for an absent bot."""


class OfBots(OfAGroup, Protocol):
    """A match, as it is stored or as matchmaking sees it."""

    @property
    def bots(self) -> tuple[str, ...]:
        """By seat."""
        ...

    @property
    def rules_version(self) -> int:
        """Of its game."""
        ...


class Bar(Enum):
    """What keeps a bot from playing, so that its matches are not waited for; the value names it in the evidence."""

    BENCHED = "benched"
    OWNER = "owner"
    """Its owner may not play."""
    ORGANISER = "organiser"
    """An organiser has taken the version that was to play out of service."""


@dataclass(frozen=True, slots=True)
class Barred:
    """A bot that does not play for now."""

    bar: Bar
    why: str
    """A sentence part."""


def never_began(
    match: OfBots, deserters: Sequence[str], barred: Mapping[str, Barred], unwilling: Collection[str] = ()
) -> MatchResult:
    """The result of a match that is given up because some of its bots, the deserters, do not play it.

    `barred`: those of them that may not; `unwilling`: those that are there, and take no such match.
    """

    def ending(bot: str) -> SeatEnding:
        if bot not in deserters:
            return _left_waiting()
        if bot in barred:
            return _without_play(bot, barred[bot])
        return _unwilling(bot, match) if bot in unwilling else _deserter(bot, alone=is_played_alone(match))

    def absence(bot: str) -> str:
        if bot in barred:
            return f"{bot} does not play, {barred[bot].why.rstrip('.')}"
        return f"{bot} took no such match" if bot in unwilling else f"{bot} did not come back in time"

    why = " and ".join(map(absence, deserters))
    endings = [ending(bot) for bot in match.bots]
    return results.without_result(MatchState.NO_CONTEST, endings, f"It never began: {why}.")


def _unwilling(bot: str, match: OfBots) -> SeatEnding:
    return SeatEnding(
        Termination.DISCONNECT,
        Fault.BOT,
        (("absent_min", str(DESERTED_MIN)), ("takes", "no")),
        f"The match never began: for more than {DESERTED_MIN} minutes {bot} was there, but took no match of "
        f"{match.game} by rules version {match.rules_version}.",
    )


def _deserter(bot: str, *, alone: bool) -> SeatEnding:
    how = "not run by the arena" if alone else "away, or paused,"
    return SeatEnding(
        Termination.DISCONNECT,
        Fault.BOT,
        (("absent_min", str(DESERTED_MIN)), *((("hosted", "no"),) if alone else ())),
        f"The match never began: {bot} was {how} for more than {DESERTED_MIN} minutes.",
    )


def _without_play(bot: str, barred: Barred) -> SeatEnding:
    return SeatEnding(
        Termination.DISCONNECT,
        Fault.BOT,
        ((barred.bar.value, barred.why),),
        f"The match never began: {bot} does not play, {barred.why}".rstrip(".") + ".",
    )


def _left_waiting() -> SeatEnding:
    return SeatEnding(
        Termination.NORMAL,
        Fault.OPPONENT,
        (("began", "no"),),
        "The match never began: another bot was away for too long, or does not play.",
    )
