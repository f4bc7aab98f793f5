"""What has to change on an arena so that it is as a file wants it; a pure function of the two."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from arena.cli.event.file import EventFile, WantedLadder, WantedTournament
from arena.cli.event.schema import keys_of
from arena.cli.framework.connection import ArenaClient
from arena.codecs.codec import codec_for
from arena.v1 import games_pb2, ladder_pb2, tournament_pb2
from arena.wire.wording import enum_word, format_clock, short
from engine.game import GameError
from engine.registry import GAMES

_RUNNING: Final = "running"
_NOT_COMPARED: Final = frozenset({"bots", "state"})
_SAME_OWNER: Final = "forbid_same_owner"


@dataclass(frozen=True, slots=True)
class Change:
    """One call that has to be made."""

    subject: str
    """The resource name of the ladder or tournament."""
    action: str
    """"create", "enter", "run" or "pause"."""
    details: str
    """More about it, for people; may be empty."""
    make: Callable[[ArenaClient], object]
    """Makes the call."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why the arena cannot become as the file wants it."""

    subject: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Arena:
    """The part of an arena that a file is about."""

    ladders: Mapping[str, ladder_pb2.Ladder] = field(default_factory=dict)
    """Those of the file that exist, by resource name."""
    tournaments: Mapping[str, tournament_pb2.Tournament] = field(default_factory=dict)
    entries: frozenset[tuple[str, str]] = frozenset()
    """Ladder and bot, by resource name, where the bot is entered and has not left."""
    bots: frozenset[str] = frozenset()
    """Those of the file that are registered, by resource name."""


@dataclass(frozen=True, slots=True)
class Difference:
    """All that lies between an arena and a file."""

    changes: tuple[Change, ...]
    """In the order in which they are to be made."""
    obstacles: tuple[Obstacle, ...]
    """Nothing is changed while there is one."""


def difference(wanted: EventFile, arena: Arena) -> Difference:
    """Return what has to change, and what prevents it."""
    changes = [each for ladder in wanted.ladders for each in _ladder_changes(ladder, arena)]
    changes += [each for tournament in wanted.tournaments for each in _tournament_changes(tournament, arena)]
    obstacles = [each for ladder in wanted.ladders for each in _ladder_obstacles(ladder, arena)]
    obstacles += [each for event in wanted.tournaments for each in _tournament_obstacles(event, arena)]
    return Difference(tuple(changes), tuple(obstacles))


def _ladder_changes(wanted: WantedLadder, arena: Arena) -> Iterator[Change]:
    name, live = wanted.name, arena.ladders.get(wanted.name)
    if live is None:
        seats = ", ".join(map(str, wanted.request.seat_counts)) or "all from 2"
        details = f"{wanted.request.game}, seats {seats}{_stated(wanted.request)}"
        yield Change(name, "create", details, lambda client: client.ladders.CreateLadder(wanted.request))
    for bot in wanted.bots:
        if (name, bot) not in arena.entries:
            yield _enter(name, bot)
    state = _RUNNING if live is not None and live.state == ladder_pb2.Ladder.STATE_RUNNING else "paused"
    if wanted.state and wanted.state != state:
        yield _run(name) if wanted.state == _RUNNING else _pause(name)


def _enter(name: str, bot: str) -> Change:
    request = ladder_pb2.JoinLadderRequest(name=name, bot=bot)
    return Change(name, "enter", short(bot), lambda client: client.ladders.JoinLadder(request))


def _run(name: str) -> Change:
    if name.startswith("ladders/"):
        run = ladder_pb2.RunLadderRequest(name=name)
        return Change(name, "run", "", lambda client: client.ladders.RunLadder(run))
    start = tournament_pb2.RunTournamentRequest(name=name)
    return Change(name, "run", "", lambda client: client.tournaments.RunTournament(start))


def _pause(name: str) -> Change:
    if name.startswith("ladders/"):
        ladder = ladder_pb2.PauseLadderRequest(name=name)
        return Change(name, "pause", "", lambda client: client.ladders.PauseLadder(ladder))
    tournament = tournament_pb2.PauseTournamentRequest(name=name)
    return Change(name, "pause", "", lambda client: client.tournaments.PauseTournament(tournament))


def _tournament_changes(wanted: WantedTournament, arena: Arena) -> Iterator[Change]:
    name, live = wanted.name, arena.tournaments.get(wanted.name)
    if live is None:
        request = wanted.request
        kind = enum_word(tournament_pb2.Tournament.Format, request.format).replace("_", "-")
        details = f"{kind} of {request.game}, {len(request.bots)} bots{_stated(request)}"
        yield Change(name, "create", details, lambda client: client.tournaments.CreateTournament(request))
    is_running = live is not None and live.state == tournament_pb2.Tournament.STATE_RUNNING
    has_ended = live is not None and live.state == tournament_pb2.Tournament.STATE_FINISHED
    if wanted.state == _RUNNING and not is_running and not has_ended:
        yield _run(name)
    elif wanted.state == "paused" and is_running:
        yield _pause(name)


def _stated(request: Any) -> str:
    """Return options and clock as the end of a line, as far as the file states them."""
    options = "".join(f", {name} {value}" for name, value in sorted(request.options.items()))
    return options + (f"; {format_clock(request.time_control)}" if request.HasField("time_control") else "")


def _ladder_obstacles(wanted: WantedLadder, arena: Arena) -> Iterator[Obstacle]:
    yield from _unregistered(wanted.name, wanted.bots, arena)
    live = arena.ladders.get(wanted.name)
    if live is None:
        return
    seats = list(live.seat_counts)
    same: dict[str, Callable[[], bool]] = {
        "seats": lambda: sorted(wanted.request.seat_counts) == sorted(seats),
        "options": lambda: _same_options(wanted.request, zip(seats, live.options, strict=False)),
        _SAME_OWNER: lambda: wanted.request.forbid_same_owner is not live.same_owner,
    }
    for key in _other_values(wanted.request, live, wanted.stated, same):
        yield Obstacle(
            wanted.name,
            f"{key} of a ladder that exists cannot be changed, and it is another one. Create a ladder with another "
            f"name, or write in the file what `arena ladder show {short(wanted.name)}` shows.",
        )


def _tournament_obstacles(wanted: WantedTournament, arena: Arena) -> Iterator[Obstacle]:
    yield from _unregistered(wanted.name, wanted.request.bots, arena)
    live = arena.tournaments.get(wanted.name)
    if live is None:
        return
    same: dict[str, Callable[[], bool]] = {
        "seats": lambda: wanted.request.seats in (0, live.seats),
        "rounds": lambda: wanted.request.rounds in (0, live.rounds),
        "options": lambda: _same_options(wanted.request, [(live.seats, live.options)]),
        # The arena may have ordered them by something else than the file, for example by rating.
        "bots": lambda: sorted(wanted.request.bots) == sorted(live.bots),
    }
    for key in _other_values(wanted.request, live, wanted.stated | {"format"}, same):
        yield Obstacle(
            wanted.name,
            f"{key} of a tournament that exists cannot be changed, and it is another one. Create a tournament with "
            f"another name, or write in the file what `arena tournament show {short(wanted.name)}` shows.",
        )


def _unregistered(name: str, bots: Iterable[str], arena: Arena) -> Iterator[Obstacle]:
    if missing := [short(bot) for bot in bots if bot not in arena.bots]:
        commands = "; ".join(f"arena bot create {bot}" for bot in missing)
        yield Obstacle(name, f"Not registered: {', '.join(missing)}. To register them: {commands}")


def _other_values(
    request: Any, live: Any, stated: frozenset[str], same: Mapping[str, Callable[[], bool]]
) -> Iterator[str]:
    """Yield the stated keys that the arena has other values for. `same`: how to compare what is not a plain field."""
    for key, fields in keys_of(request.DESCRIPTOR).items():
        if key not in stated or (key in _NOT_COMPARED and key not in same):
            continue
        if key in same:
            is_same = same[key]()
        else:
            one, two = request, live
            for each in fields:
                one, two = getattr(one, each.name), getattr(two, each.name, None)
            is_same = one == two
        if not is_same:
            yield key


def _same_options(request: Any, live: Iterable[tuple[int, games_pb2.GameOptions]]) -> bool:
    """Return whether the stated options, and defaults for the rest, are those of all these numbers of seats."""
    if request.game not in GAMES:
        return False
    game, codec = GAMES[request.game], codec_for(request.game)
    try:
        return all(
            game.option_values(game.options(seats, dict(request.options)))
            == game.option_values(codec.decode_options(message, seats))
            for seats, message in live
        )
    except GameError:
        return False
