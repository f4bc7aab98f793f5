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
