"""The interface of the running arena for the services."""

from collections.abc import Collection, Iterable
from typing import Protocol

from arena.core.errors import ArenaError
from arena.core.match import DebugLine
from arena.runner.change_signal import ChangeSignal
from arena.runner.spectator_view import SpectatorView
from arena.scheduling.queue_report import QueuePlace
from arena.sessions.registry import Presence


class ArenaRuntime(Protocol):
    """The running arena. Call it on its event loop; methods that are not awaited return at once."""

    def presence(self, bot: str) -> Presence:
        """Return the bot's presence; all zeros if it is not connected."""

    def waiting_for(self, ladder: str, bots: Collection[str] | None = None) -> str:
        """Return why no match of a running ladder begins now; empty if none. `bots`: which it may name; None: all."""

    def tournament_waiting_for(self, tournament: str) -> str:
        """Return why no match of a running tournament begins now; empty if nothing is wrong."""

    async def queue(self, ladder: str) -> tuple[QueuePlace, ...]:
        """Return the bots of a ladder, next paired first. Raises NotFoundError (LADDER_NOT_FOUND)."""

    def debug_lines(self, match: int, seat: int) -> list[DebugLine] | None:
        """Return the debug lines so far of a seat of a match in play; None if it is not in play."""

    def wake_scheduler(self) -> None:
        """Run matchmaking again: a ladder or its participants have changed."""

    def hosting_changed(self) -> None:
        """Load hosted bots again: the hosted version of some bot has changed."""

    def end_calls(self, tokens: Iterable[str], why: ArenaError) -> None:
        """End the connections and calls of these tokens, soon, with this error."""

    def connections_of(self, owner: str) -> int:
        """Return how many connections the bots of an owner have, without hosted processes."""

    def spectator_view(self, match: int) -> SpectatorView | None:
        """Return what spectators of a match see; None if it is not in play."""

    @property
    def matches_changed(self) -> ChangeSignal:
        """Signals that a match came into play, ended, or was withdrawn."""
