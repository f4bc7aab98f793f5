"""Seasons in event files: the ladders whose seasons are closed together, and how (docs/seasons.md).

A file closes none. It is checked by `arena event plan`, and `arena season close LADDER --event FILE` closes as it says.
"""

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import typer

from arena.cli.event.positions import Path
from arena.cli.event.schema import Problems, unknown
from arena.cli.framework.names import resource
from arena.core.rating.seasons import DEFAULT_KEEP_PERCENT, PERCENT
from arena.v1 import ladder_pb2
from arena.wire.wording import short
from engine.registry import GAMES

_LOWER, _KEEP, _SWAP = "lower", "keep", "swap"
_KEYS: Final = (_LOWER, _KEEP, _SWAP)
_MOST_LOWER: Final = 20
_MOST_SWAP: Final = 100


@dataclass(frozen=True, slots=True)
class WantedSeason:
    """How the season of a ladder is to be closed, as a file has it."""

    divisions: tuple[str, ...]
    """"ladders/{ladder}", the upper division first; at least one."""
    keep_percent: int | None = None
    """None: the usual."""
    swap: int = 0
    """Bots that are promoted and relegated between each division and the next one; 0 if there is one division."""

    @property
    def name(self) -> str:
        """The resource name of the upper ladder."""
        return self.divisions[0]


@dataclass(frozen=True, slots=True)
class Division:
    """What ladders must have in common whose seasons are closed together."""

    game: str
    is_solo: bool


@dataclass(frozen=True, slots=True)
class PlannedSeason:
    """How the seasons of a ladder and the divisions below would be closed."""

    wanted: WantedSeason
    numbers: tuple[int, ...]
    """The season in play of each division, from 1."""
    keep_percent: int | None
    """None: solo ladders have no ratings."""

    def words(self, file: str) -> str:
        """Return it for people, with the command that does it. `file`: the event file."""
        pairs = zip(self.wanted.divisions, self.numbers, strict=True)
        in_play = ", ".join(f"{number} of {short(ladder)}" for ladder, number in pairs)
        kept = "" if self.keep_percent is None else f"; ratings keep {self.keep_percent} %"
        swap = self.wanted.swap
        moves = f"; {swap} up and {swap} down between divisions" if swap else ""
        close = f"arena season close {short(self.wanted.name)} --event {shlex.quote(file)}"
        return f"Seasons in play: {in_play}{kept}{moves}. To close: {close}"

    def document(self) -> dict[str, object]:
        """Return it as JSON (docs/events.md)."""
        return {
            "ladder": self.wanted.name,
            "divisions": list(self.wanted.divisions),
            "seasons": list(self.numbers),
            "keep_percent": self.keep_percent,
            "swap": self.wanted.swap,
        }


def read_season(name: str, table: Mapping[str, object], problems: Problems) -> WantedSeason:
    """Return the season of a table [season.NAME]; `name`: of the upper ladder."""
    path: Path = ("season", name)
    for key in table:
        if key not in _KEYS:
            problems.add((*path, key), unknown(key, _KEYS, "key"))
    problems.take(path, lambda: resource("ladders", name), typer.BadParameter)
    lower = _ladders(table.get(_LOWER, []), (*path, _LOWER), problems)
    divisions = (f"ladders/{name}", *lower)
    twice = next((each for each in lower if divisions.count(each) > 1), None)
    if twice is not None:
        problems.add((*path, _LOWER), f"{short(twice)} is named twice.")
    keep = _number(table, _KEEP, (0, PERCENT), path, problems)
    swap = _number(table, _SWAP, (1, _MOST_SWAP), path, problems)
    if lower and _SWAP not in table:
        problems.add(path, "with lower it needs swap: how many bots are promoted and relegated.")
    if swap is not None and not table.get(_LOWER):
        problems.add((*path, _SWAP), "bots move between divisions: name those below in lower.")
    return WantedSeason(divisions, keep, swap or 0)


def _ladders(value: object, path: Path, problems: Problems) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        problems.add(
            path, 'expected a list of ladders, the upper one first, for example ["second", "third"].'
        )
        return ()
    if len(value) > _MOST_LOWER:
        problems.add(path, f"it has {len(value)} ladders, but at most {_MOST_LOWER} below the first.")
    found = []
    for each in value:
        try:
            found.append(resource("ladders", each))
        except typer.BadParameter as error:
            problems.add(path, error.message)
    return tuple(found)


def _number(
    table: Mapping[str, object], key: str, allowed: tuple[int, int], path: Path, problems: Problems
) -> int | None:
    """Return the whole number of a key; None if it has none, or another value."""
    value, (least, most) = table.get(key), allowed
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and least <= value <= most):
        return value
    problems.add((*path, key), f"expected a whole number from {least} to {most}, not {value!r:.60}.")
    return None


def check_ladders(seasons: Iterable[WantedSeason], problems: Problems) -> None:
    """Check that no ladder is in the seasons of two tables."""
    seen: dict[str, str] = {}
    for season in seasons:
        for ladder in dict.fromkeys(season.divisions):
            if (other := seen.setdefault(ladder, season.name)) != season.name:
                path = ("season", short(season.name))
                problems.add(path, f"{short(ladder)} is in the season of {short(other)} already.")


def season_sentences(wanted: WantedSeason, known: Mapping[str, Division]) -> Iterator[str]:
    """Yield why the season could not be closed so. `known`: the ladders of file and arena."""
    missing = [short(name) for name in wanted.divisions if name not in known]
    if missing:
        yield (
            f"No such ladder: {', '.join(missing)}. Create it with a table [ladder.{missing[0]}] in the file, or with "
            "`arena ladder create`."
        )
    kinds = {known[name] for name in wanted.divisions if name in known}
    if len(kinds) > 1:
        yield "Divisions are ladders of one game, and all of them rated or all solo: name others in lower."
    if wanted.keep_percent is not None and any(kind.is_solo for kind in kinds):
        yield "A solo ladder has no ratings that a close could pull to the mean: leave keep out."


def division_of_request(request: ladder_pb2.CreateLadderRequest) -> Division:
    """Return what a ladder would be as a division."""
    only_solo = request.game in GAMES and GAMES[request.game].spec.max_seats == 1
    return Division(request.game, only_solo or list(request.seat_counts) == [1])


def division_of(ladder: ladder_pb2.Ladder) -> Division:
    """Return what a ladder is as a division."""
    return Division(ladder.game, list(ladder.seat_counts) == [1])


def planned_season(wanted: WantedSeason, ladders: Mapping[str, ladder_pb2.Ladder]) -> PlannedSeason:
    """Return how a season would be closed now. `ladders`: those of the arena, by resource name."""
    live = [ladders.get(name) for name in wanted.divisions]
    is_solo = any(division_of(ladder).is_solo for ladder in live if ladder is not None)
    usual = DEFAULT_KEEP_PERCENT if wanted.keep_percent is None else wanted.keep_percent
    numbers = tuple(1 if ladder is None else ladder.season for ladder in live)
    return PlannedSeason(wanted, numbers, None if is_solo else usual)
