"""What a file sets that can be changed later: titles, what listings leave out, deadlines, freezes, and anchors."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import typer
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from arena.cli.event.positions import Path
from arena.cli.event.schema import Problems, fill
from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.names import iso_time, resource
from arena.core.errors import ArenaError
from arena.v1 import ladder_pb2, tournament_pb2
from arena.wire.fields import title_of
from arena.wire.wording import format_time, short

_MOST_POINTS: Final = 4_000
_LADDER: Final = (
    ladder_pb2.SetLadderHiddenRequest,
    ladder_pb2.RenameLadderRequest,
    ladder_pb2.SetLadderDeadlineRequest,
    ladder_pb2.SetLadderFreezeRequest,
)
_TOURNAMENT: Final = (tournament_pb2.SetTournamentHiddenRequest, tournament_pb2.RenameTournamentRequest)


@dataclass(frozen=True, slots=True)
class Setting:
    """One call that sets one field of a ladder or tournament."""

    request: Message
    """With the resource name and the field."""
    key: str
    """The field, which the ladder or tournament has, too."""

    @property
    def value(self) -> Any:
        """What the file wants."""
        return getattr(self.request, self.key)

    @property
    def word(self) -> str:
        """The key in the file."""
        return _word(self.key)

    @property
    def action(self) -> str:
        """ "rename", "hide", "show", "deadline" or "freeze"."""
        if self.key == "title":
            return "rename"
        if self.key == "hidden":
            return "hide" if self.value else "show"
        return self.word

    @property
    def details(self) -> str:
        """The new title or the time, for people."""
        if self.key == "title":
            return str(self.value or "no title")
        return format_time(self.value) if isinstance(self.value, Timestamp) else ""

    def has_passed(self, now_us: int) -> bool:
        """Return whether it is a time before this one, in microseconds since 1970 UTC."""
        return isinstance(self.value, Timestamp) and self.value.ToMicroseconds() <= now_us

    def send(self, client: ArenaClient) -> None:
        """Make the call."""
        method = self.request.DESCRIPTOR.name.removesuffix("Request")
        of_ladder = isinstance(self.request, _LADDER)
        getattr(client.ladders if of_ladder else client.tournaments, method)(self.request)


def _key(kind: type[Message]) -> str:
    """Return the field that a request sets."""
    [key] = [each.name for each in kind.DESCRIPTOR.fields if each.name != "name"]
    return key


def _word(key: str) -> str:
    return key.removesuffix("_time")


LADDER_SETTINGS: Final[Mapping[str, type[Message]]] = {_word(_key(kind)): kind for kind in _LADDER}
"""The requests by the keys of the file that they set."""
TOURNAMENT_SETTINGS: Final[Mapping[str, type[Message]]] = {_word(_key(kind)): kind for kind in _TOURNAMENT}


def read_settings(
    kinds: Mapping[str, type[Message]], name: str, table: Mapping[str, object], path: Path, problems: Problems
) -> tuple[Setting, ...]:
    """Return what a table sets on the ladder or tournament of this resource name."""
    found = []
    for word, kind in kinds.items():
        if word not in table:
            continue
        request: Any = kind(name=name)
        key = _key(kind)
        if isinstance(getattr(request, key), Timestamp):
            _read_time(table[word], getattr(request, key), (*path, word), problems)
        else:
            fill(request, {key: table[word]}, path, problems)
        if key == "title":
            problems.take((*path, key), lambda: title_of(request.title), ArenaError)  # noqa: B023
        found.append(Setting(request, key))
    return tuple(found)


def _read_time(value: object, target: Timestamp, path: Path, problems: Problems) -> None:
    """Set a time, which is of UTC unless it says otherwise, from a time of TOML or the same as text."""
    text = value.isoformat() if isinstance(value, date) else value  # a datetime is a date, too
    try:
        if isinstance(text, str):
            target.CopyFrom(iso_time(text))
            return
    except (ValueError, OverflowError):  # OverflowError: before the year 1, or after 9999
        pass
    problems.add(path, f"expected a time (UTC), for example 2026-12-01T18:00:00Z, not {value!s:.60}.")


def read_anchors(
    value: object, ladder: str, bots: Sequence[str], path: Path, problems: Problems
) -> tuple[ladder_pb2.SetLadderAnchorRequest, ...]:
    """Return the anchors of a ladder from a table of bots and points. `bots`: those that the file enters."""
    if not isinstance(value, dict):
        problems.add(path, "expected a table of bots and points, for example { greedy = 1500 }.")
        return ()
    found = []
    for name, points in value.items():
        place = (*path, name)
        try:
            bot = resource("bots", name)
        except typer.BadParameter as error:
            problems.add(place, error.message)
            continue
        if bot not in bots:
            problems.add(place, f"an anchor plays on the ladder: name {short(bot)} in bots, too.")
        is_number = isinstance(points, (int, float)) and not isinstance(points, bool)
        if not is_number or not 0 <= points <= _MOST_POINTS:
            problems.add(place, f"expected points from 0 to {_MOST_POINTS}, not {points!r:.60}.")
            continue
        found.append(
            ladder_pb2.SetLadderAnchorRequest(name=ladder, bot=bot, rating_milli=round(points * 1_000))
        )
    return tuple(found)


def other_settings(settings: Iterable[Setting], live: Any) -> list[Setting]:
    """Return those that the ladder or tournament does not have yet; `live`: None if there is none."""
    return [
        each
        for each in settings
        if each.value != (type(each.value)() if live is None else getattr(live, each.key))
    ]
