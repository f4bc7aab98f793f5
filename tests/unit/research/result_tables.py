"""Tables of matches and seats as a data set has them, from bots and placings."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from arena.research.results import Results, read_results

Table = dict[str, list[Any]]

MATCH = ("match", "position", "ladder", "tournament", "match_group", "game", "seats", "state", "plies")
SEAT = ("match", "position", "seat", "bot", "bot_version", "final_placing")


@dataclass(frozen=True)
class Played:
    """A match: who sat in which seat, and the placings by seat."""

    bots: tuple[str, ...]
    placings: tuple[int, ...]
    group: str | None = None
    plies: int = 40
    versions: tuple[str | None, ...] = ()
    state: str = "FINISHED"


def match_rows(played: Iterable[Played]) -> list[dict[str, Any]]:
    """Return the rows of the table of matches; numbers and positions are those of the order, from 1."""
    return [
        dict(
            zip(
                MATCH,
                (n, n, "main", None, one.group, "caravan", len(one.bots), one.state, one.plies),
                strict=True,
            )
        )
        for n, one in enumerate(played, 1)
    ]


def seat_rows(played: Iterable[Played]) -> list[dict[str, Any]]:
    """Return the rows of the table of seats."""
    return [
        dict(
            zip(SEAT, (n, n, seat, bot, (one.versions or (None,) * 9)[seat], one.placings[seat]), strict=True)
        )
        for n, one in enumerate(played, 1)
        for seat, bot in enumerate(one.bots)
    ]


def table(rows: list[dict[str, Any]]) -> Table:
    """Return rows column by column."""
    return {name: [row[name] for row in rows] for name in rows[0]}


def results_of(played: Iterable[Played]) -> Results:
    """Return the results of matches."""
    matches = [*played]
    return read_results(table(match_rows(matches)), table(seat_rows(matches)))
