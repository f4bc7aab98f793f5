"""What a bot says about itself in `hello`, as values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Identity:
    """The bot at the other end of a connection."""

    bot: str
    version: str
    owner: str
    token: str
    """The public id of the token; empty on a socket made for one bot."""
    program: int = 0
    """The number of its process if the arena hosts it; 0 for a bot that connects itself."""

    @property
    def hosted(self) -> bool:
        """Whether the arena hosts the bot."""
        return self.program != 0

    def may_resume(self, other: Identity) -> bool:
        """Return whether a connection of this identity may continue what the other one has begun."""
        return (self.bot, self.version, self.program) == (other.bot, other.version, other.program)


@dataclass(frozen=True, slots=True)
class Preferences:
    """The form in which a bot wants its messages."""

    typed_actions: bool = True
    packed_actions: bool = False
    full_view: bool = True
    live: bool = False
    text: bool = False
    """Whether position and legal actions are sent as text, too."""

    @property
    def sees_view(self) -> bool:
        """Whether the position is sent with each decision, as a view or as text."""
        return self.full_view or self.text

    @property
    def lists_actions(self) -> bool:
        """Whether a list of legal actions is sent, so that an answer may be an index."""
        return self.typed_actions or self.packed_actions


@dataclass(frozen=True, slots=True)
class Capacity:
    """How much a bot takes at a time."""

    matches: int = 1
    open_decisions: int = 1
    """0: as many as matches."""

    @property
    def decision_limit(self) -> int:
        """How many decisions may be open at a time."""
        return self.open_decisions or max(1, self.matches)
