"""What a bot says of itself when it dials in, as values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Identity:
    """Who has dialled in."""

    bot: str
    version: str
    owner: str
    token: str
    """The public id of the token; empty on a socket made for one bot."""
    program: int = 0
    """Which of the programs that the arena runs it is; 0 for a bot that has dialled in by itself."""

    @property
    def hosted(self) -> bool:
        """Whether the arena runs the bot itself."""
        return self.program != 0

    def goes_on_as(self, other: Identity) -> bool:
        """Whether a connection of the other may go on with what this one has begun."""
        return (self.bot, self.version, self.program) == (other.bot, other.version, other.program)


@dataclass(frozen=True, slots=True)
class Preferences:
    """How a bot wants to be asked."""

    typed_actions: bool = True
    packed_actions: bool = False
    full_view: bool = True
    live: bool = False

    @property
    def lists_actions(self) -> bool:
        """Whether a list of legal actions is sent, so that an answer may be an index."""
        return self.typed_actions or self.packed_actions


@dataclass(frozen=True, slots=True)
class Capacity:
    """How much a bot takes on at a time."""

    matches: int = 1
    open_decisions: int = 1
