"""What the tests of clauses run on: the engine and the slow rules."""

from __future__ import annotations

from typing import Any, Protocol

from tests.unit.engine.wasteland.mapping import EngineMatch
from tests.unit.engine.wasteland.naive import NaiveMatch

Json = dict[str, Any]


class Match(Protocol):
    """One match, with positions, actions and log as JSON (W71, W72, W75)."""

    def legal(self) -> list[Json]:
        """W73's list."""

    def default(self) -> Json:
        """W74."""

    def play(self, action: Json) -> None:
        """Plays a legal action, and then whatever is not asked (W22)."""

    def full(self) -> Json:
        """W71's full view."""

    def view(self, viewer: int | None) -> Json:
        """W71's view of a seat; of a spectator with None."""

    def log(self) -> list[Json]:
        """W75 from the beginning, or since the position was loaded; with the cards that a seat alone sees."""

    def scores(self) -> list[int]:
        """W68."""

    def placings(self) -> list[int]:
        """W69."""


class Implementation(Protocol):
    """Makes matches."""

    def new(self, seats: int, options: Json, seed: bytes) -> Match:
        """Return the position of W15, the set-up's log entries in its log."""

    def from_json(self, full: Json) -> Match:
        """Return the position of W71's full view, with an empty log."""


IMPLEMENTATIONS: dict[str, Implementation] = {"engine": EngineMatch, "naive": NaiveMatch}
