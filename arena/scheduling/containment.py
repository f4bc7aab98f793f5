"""Which matches are played by fresh programs alone, because the others of their group have the same hidden draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from arena.core.match import SeedPolicy
from arena.core.pairing.groups import default_seed_policy, is_contained
from arena.scheduling.hosting import Hosting
from arena.store.ladders import LadderRow
from engine.registry import GAMES


class OfAGroup(Protocol):
    """A match, or a tournament: it has a game, and groups with a seed policy."""

    @property
    def game(self) -> str:
        """The id."""
        ...

    @property
    def seed_policy(self) -> SeedPolicy:
        """Of the group, or of all of them."""
        ...


def is_played_alone(match: OfAGroup) -> bool:
    """Whether each bot plays the match in a program of its own, which has played nothing and will play nothing else.

    So no bot that dials in plays it.
    """
    return is_contained(match.seed_policy, GAMES[match.game].spec.chance)


def changed_since(hosting: Hosting, played: Mapping[str, str]) -> tuple[str, ...]:
    """The bots that are hosted in another version than the one that has played matches of the group, by id.

    What shows of those - how they ended, how long it took - is enough to tell the next version a card or two.
    `played`: version by bot.
    """
    return tuple(
        sorted(
            bot for bot, version in played.items() if hosting.hosts(bot) and hosting.version(bot) != version
        )
    )


def ladder_policy(ladder: LadderRow) -> SeedPolicy:
    """The seed policy of the groups of a ladder.

    Where it has none of its own, that does not depend on who happens to be entered: anybody may join tomorrow.
    """
    chance = GAMES[ladder.game].spec.chance
    return ladder.seed_policy or default_seed_policy(chance, contained=False)


def takes_hosted_alone(ladder: LadderRow) -> bool:
    """Whether only bots that the arena runs play on the ladder."""
    return is_contained(ladder_policy(ladder), GAMES[ladder.game].spec.chance)
