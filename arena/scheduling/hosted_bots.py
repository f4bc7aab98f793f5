"""The bots that the arena runs itself, as matchmaking sees them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Protocol

from arena.core.pairing.start_order import PendingMatch
from arena.sessions.handshake import Identity


class HostedBots(Protocol):
    """Hosted bots: they are there though their programs may have to be started. No method blocks."""

    @property
    def slots(self) -> int:
        """Programs that run at once."""
        ...

    @property
    def hosted(self) -> Set[str]:
        """The bots that the arena runs itself."""
        ...

    def hosts(self, bot: str) -> bool:
        """Whether the arena runs the bot itself."""
        ...

    def is_there(self, bot: str) -> bool:
        """Whether a hosted bot plays at all for now."""
        ...

    def benched(self, bot: str) -> str:
        """Why it does not, if its version is benched: a sentence part; empty if it is not."""
        ...

    def why_away(self, bot: str) -> str:
        """Why it gets no new match, whatever the reason: a sentence part; empty if it does."""
        ...

    def capacity_for(self, bot: str, game: str, rules_version: int) -> int:
        """Matches of a game that a hosted bot takes at once."""
        ...

    def free(self, bot: str, game: str, rules_version: int) -> int:
        """How many more of them it takes, as soon as its program runs."""
        ...

    def prepare(self, waiting: Sequence[PendingMatch]) -> int | None:
        """Programs are started for these matches, oldest first; which is the oldest that has to wait for a place."""
        ...

    def version(self, bot: str) -> str:
        """Which version of a hosted bot plays the matches that begin; empty if the arena does not run the bot."""
        ...

    def hold(self, versions: Mapping[str, str]) -> None:
        """These versions play from soon on, by bot, whatever their owners have chosen; all others as they have.

        Until the next call, which names others or none.
        """
        ...

    def is_held(self, bot: str) -> bool:
        """Whether a hosted bot only ends what it has begun, and plays on in another version, or dials in, after it."""
        ...

    def fresh_program(self, bot: str) -> int:
        """The program of a hosted bot that is there and has never had a seat, if no other one of it runs; 0: none."""
        ...

    def note_seated(self, identity: Identity, *, alone: bool) -> None:
        """A hosted bot has a seat. `alone`: its program plays nothing beside this match, and nothing after it."""
        ...

    def note_played(self, identity: Identity) -> None:
        """A hosted bot has played a match to its end."""
        ...

    def note_not_ready(self, identity: Identity) -> None:
        """A hosted bot did not take its seat in time."""
        ...


class NoHostedBots:
    """Every bot dials in by itself."""

    slots = 0
    hosted: Set[str] = frozenset()

    def hosts(self, bot: str) -> bool:
        """See Hosting."""
        return False

    def is_there(self, bot: str) -> bool:
        """See Hosting."""
        return False

    def benched(self, bot: str) -> str:
        """See Hosting."""
        return ""

    def why_away(self, bot: str) -> str:
        """See Hosting."""
        return ""

    def capacity_for(self, bot: str, game: str, rules_version: int) -> int:
        """See Hosting."""
        return 0

    def free(self, bot: str, game: str, rules_version: int) -> int:
        """See Hosting."""
        return 0

    def prepare(self, waiting: Sequence[PendingMatch]) -> int | None:
        """See Hosting."""
        return None

    def version(self, bot: str) -> str:
        """See Hosting."""
        return ""

    def hold(self, versions: Mapping[str, str]) -> None:
        """See Hosting."""

    def is_held(self, bot: str) -> bool:
        """See Hosting."""
        return False

    def fresh_program(self, bot: str) -> int:
        """See Hosting."""
        return 0

    def note_seated(self, identity: Identity, *, alone: bool) -> None:
        """See Hosting."""

    def note_played(self, identity: Identity) -> None:
        """See Hosting."""

    def note_not_ready(self, identity: Identity) -> None:
        """See Hosting."""
