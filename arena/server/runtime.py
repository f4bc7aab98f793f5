"""What the services ask of the running arena, beyond what is stored."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Protocol

from arena.core.debug_line import DebugLine
from arena.core.errors import ArenaError
from arena.runner.change_signal import ChangeSignal
from arena.runner.spectator_view import SpectatorView
from arena.scheduling.queue_report import QueuePlace
from arena.sessions.registry import Presence


class ArenaRuntime(Protocol):
    """The running arena. All calls are made on its event loop; those that are not awaited return at once."""

    def presence(self, bot: str) -> Presence:
        """The bot at this moment; one that is not connected has a presence of zeros."""

    def waiting_for(self, ladder: str, bots: Collection[str] | None = None) -> str:
        """Why no match of a running ladder begins at this moment; empty if all is well.

        `bots`: those that may be named as those that matches wait for; None: all.
        """

    def tournament_waiting_for(self, tournament: str) -> str:
        """Why no match of a running tournament begins at this moment; empty if all is well."""

    async def queue(self, ladder: str) -> tuple[QueuePlace, ...]:
        """The bots of a ladder, the one that is paired next first. Raises NotFoundError (LADDER_NOT_FOUND)."""

    def debug_lines(self, match: int, seat: int) -> list[DebugLine] | None:
        """The private lines so far of a seat of a match in play; None if it is not in play."""

    def wake_scheduler(self) -> None:
        """Matchmaking looks again: a ladder has changed, or who takes part in it."""

    def hosting_changed(self) -> None:
        """Which version of some bot the arena runs has changed."""

    def end_calls(self, tokens: Iterable[str], why: ArenaError) -> None:
        """The connections and calls of these tokens are about to end with this error."""

    def connections_of(self, owner: str) -> int:
        """How many connections the bots of an owner have, without programs that the arena runs."""

    def spectator_view(self, match: int) -> SpectatorView | None:
        """What spectators of a match are shown; None if it is not in play."""

    @property
    def matches_changed(self) -> ChangeSignal:
        """Rings when a match comes into play, when one is out of it, and when one has ended that never began."""
