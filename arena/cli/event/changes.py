"""What has to change on an arena so that it is as a file wants it; a pure function of the two."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor

from arena.cli.event.file import EventFile, WantedLadder, WantedTournament
from arena.cli.event.formats import complete_parameters
from arena.cli.event.schema import keys_of, words_of
from arena.cli.event.seasons import division_of, division_of_request, season_sentences
from arena.cli.event.settings import other_settings
from arena.cli.framework.connection import ArenaClient
from arena.cli.rules import padding_warnings
from arena.codecs.codec import codec_for
from arena.drawings.wording import counted
from arena.v1 import games_pb2, ladder_pb2, time_control_pb2, tournament_pb2
from arena.wire.tournament_wording import PLANNED_AT_ONCE, format_parameters
from arena.wire.wording import enum_word, format_clock, format_time, short
from engine.game import GameError
from engine.registry import GAMES

_RUNNING: Final = "running"
_SAME_OWNER: Final = "forbid_same_owner"
ORGANISERS_ACTIONS: Final = frozenset(
    {"create", "hide", "show", "rename", "deadline", "freeze", "anchor", "run", "pause"}
)
"""Those that need the token of an organiser; owners enter and withdraw their bots."""


@dataclass(frozen=True, slots=True)
class Change:
    """One call that has to be made."""

    subject: str
    """The resource name of the ladder or tournament."""
    action: str
    """"create", "hide", "show", "rename", "deadline", "freeze", "enter", "anchor", "withdraw", "run" or "pause"."""
    details: str
    """More about it, for people; may be empty."""
    make: Callable[[ArenaClient], object]
    """Makes the call and returns the answer."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why the arena cannot become as the file wants it."""

    subject: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Warned:
    """What the author of the file may not have meant."""

    subject: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Arena:
    """The part of an arena that a file is about."""

    ladders: Mapping[str, ladder_pb2.Ladder] = field(default_factory=dict)
    """Those of the file and its seasons that exist, by resource name."""
    tournaments: Mapping[str, tournament_pb2.Tournament] = field(default_factory=dict)
    entries: frozenset[tuple[str, str]] = frozenset()
    """Ladder and bot, by resource name, where the bot is entered and has not left."""
    left: frozenset[tuple[str, str]] = frozenset()
    """Ladder and bot, by resource name, where the bot was entered and has left."""
    bots: frozenset[str] = frozenset()
    """Those of the file that are registered, by resource name."""
    rated: frozenset[tuple[str, str]] = frozenset()
    """Ladder and bot, by resource name, where the bot has played a match that counts in this season."""
    anchors: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """The fixed ratings in thousandths of a point, by ladder and bot."""
    now_us: int = 0
    """The time at which it was so, in microseconds since 1970 UTC."""


@dataclass(frozen=True, slots=True)
class Difference:
    """All that lies between an arena and a file."""

    changes: tuple[Change, ...]
    """In the order in which they are to be made."""
    obstacles: tuple[Obstacle, ...]
    """Nothing is changed while there is one."""
    warnings: tuple[Warned, ...] = ()


def difference(wanted: EventFile, arena: Arena) -> Difference:
    """Return what has to change, and what prevents it."""
    changes = [
        each
        for ladder in wanted.ladders
        for each in _ladder_changes(ladder, arena, _other_divisions(ladder.name, wanted))
    ]
    changes += [each for tournament in wanted.tournaments for each in _tournament_changes(tournament, arena)]
    obstacles = [*_unregistered(wanted, arena)]
    obstacles += [each for ladder in wanted.ladders for each in _ladder_obstacles(ladder, arena)]
    own = {ladder.name for ladder in wanted.ladders}
    obstacles += [each for event in wanted.tournaments for each in _tournament_obstacles(event, arena, own)]
    divisions = {ladder.name: division_of_request(ladder.request) for ladder in wanted.ladders}
    divisions |= {name: division_of(ladder) for name, ladder in arena.ladders.items()}
    obstacles += [
        Obstacle(season.name, f"season: {sentence}")
        for season in wanted.seasons
        for sentence in season_sentences(season, divisions)
    ]
    warnings = [each for ladder in wanted.ladders for each in _time_warnings(ladder, arena)]
    warnings += [each for event in wanted.tournaments for each in _order_warnings(event, arena)]
    return Difference(tuple(changes), tuple(obstacles), tuple(warnings))


def _other_divisions(ladder: str, wanted: EventFile) -> list[str]:
    """Return the ladders of the same season in the file."""
    divisions = next((season.divisions for season in wanted.seasons if ladder in season.divisions), ())
    return [each for each in divisions if each != ladder]


def _ladder_changes(wanted: WantedLadder, arena: Arena, other_divisions: Collection[str]) -> Iterator[Change]:
    name, live = wanted.name, arena.ladders.get(wanted.name)
    if live is None:
        seats = ", ".join(map(str, wanted.request.seat_counts)) or "all from 2"
        details = f"{wanted.request.game}, seats {seats}{_stated(wanted.request)}"
        yield Change(name, "create", details, lambda client: client.ladders.CreateLadder(wanted.request))
    yield from _setting_changes(wanted, live, arena)
    for bot in wanted.bots:
        # A bot that the close of a season has moved stays where it is.
        has_moved = (name, bot) in arena.left and any(
            (each, bot) in arena.entries for each in other_divisions
        )
        if (name, bot) not in arena.entries and not has_moved:
            yield _enter(name, bot)
    for anchor in wanted.anchors:
        if arena.anchors.get((name, anchor.bot)) != anchor.rating_milli:
            yield _anchor(anchor)
    state = _RUNNING if live is not None and live.state == ladder_pb2.Ladder.STATE_RUNNING else "paused"
    if wanted.state and wanted.state != state:
        yield _run(name) if wanted.state == _RUNNING else _pause(name)


def _enter(name: str, bot: str) -> Change:
    request = ladder_pb2.JoinLadderRequest(name=name, bot=bot)
    return Change(name, "enter", short(bot), lambda client: client.ladders.JoinLadder(request))


def _anchor(request: ladder_pb2.SetLadderAnchorRequest) -> Change:
    details = f"{short(request.bot)} at {request.rating_milli / 1_000:g} points"
    return Change(request.name, "anchor", details, lambda client: client.ladders.SetLadderAnchor(request))


def _setting_changes(wanted: WantedLadder | WantedTournament, live: Any, arena: Arena) -> Iterator[Change]:
    for setting in other_settings(wanted.settings, live):
        if not setting.has_passed(arena.now_us):
            yield Change(wanted.name, setting.action, setting.details, setting.send)


def _time_warnings(wanted: WantedLadder, arena: Arena) -> Iterator[Warned]:
    """Warn of times that have passed, and that the ladder does not have: a file of last term must not close it."""
    for setting in other_settings(wanted.settings, arena.ladders.get(wanted.name)):
        if setting.has_passed(arena.now_us):
            yield Warned(
                wanted.name,
                f"{setting.word}: {setting.details} has passed, so it is not set. Write a later time, or use "
                f"`arena ladder {setting.action} {short(wanted.name)} now`.",
            )


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
        details = _planned(wanted)
        yield Change(
            name, "create", details, lambda client: client.tournaments.CreateTournament(wanted.request)
        )
    yield from _setting_changes(wanted, live, arena)
    for bot in _to_withdraw(wanted, live):
        yield _withdraw(name, bot)
    is_running = live is not None and live.state == tournament_pb2.Tournament.STATE_RUNNING
    has_ended = live is not None and live.state == tournament_pb2.Tournament.STATE_FINISHED
    if wanted.state == _RUNNING and not is_running and not has_ended:
        yield _run(name)
    elif wanted.state == "paused" and is_running:
        yield _pause(name)


def _to_withdraw(wanted: WantedTournament, live: tournament_pb2.Tournament | None) -> list[str]:
    """Return the bots that are still to be withdrawn."""
    gone = () if live is None else [withdrawal.bot for withdrawal in live.withdrawals]
    return [bot for bot in wanted.withdrawn if bot not in gone]


def _withdraw(name: str, bot: str) -> Change:
    request = tournament_pb2.WithdrawFromTournamentRequest(name=name, bot=bot)
    return Change(
        name, "withdraw", short(bot), lambda client: client.tournaments.WithdrawFromTournament(request)
    )


def _planned(wanted: WantedTournament) -> str:
    """Return what is created, with all parameters of the format that differ from their defaults."""
    request, suite = wanted.request, wanted.suite
    kind = enum_word(tournament_pb2.Tournament.Format, request.format).replace("_", "-")
    parameters = format_parameters(
        tournament_pb2.Tournament(format=request.format, rounds=request.rounds, parameters=request.parameters)
    )
    order = f"seeded by {short(request.seeded_by)}" if request.seeded_by else ""
    seen = enum_word(tournament_pb2.Tournament.Visibility, request.visibility) if request.visibility else ""
    on = "" if suite is None else f"suite {suite.name}"
    more = "".join(f", {words}" for words in (parameters, order, seen, on) if words)
    return f"{kind} of {request.game}, {counted(len(request.bots), 'bot')}{more}{_stated(request)}"


def _stated(request: Any) -> str:
    """Return options and clock as the end of a line, as far as the file states them."""
    options = "".join(f", {name} {value}" for name, value in sorted(request.options.items()))
    return options + (f"; {format_clock(request.time_control)}" if request.HasField("time_control") else "")


def _ladder_obstacles(wanted: WantedLadder, arena: Arena) -> Iterator[Obstacle]:
    live = arena.ladders.get(wanted.name)
    if live is None:
        return
    seats = list(live.seat_counts)
    if wanted.anchors and seats == [1]:
        yield Obstacle(wanted.name, "A solo ladder has no ratings: leave anchors out.")
    other = [each.word for each in other_settings(wanted.settings, live) if not each.has_passed(arena.now_us)]
    if live.frozen and "freeze" in other:
        yield Obstacle(
            wanted.name,
            f"freeze: its standings are frozen since {format_time(live.freeze_time)}. Reveal them first: "
            f"`arena ladder reveal {short(wanted.name)} --all`.",
        )
    same: dict[str, Callable[[], bool]] = {
        "seats": lambda: sorted(wanted.request.seat_counts) == sorted(seats),
        "options": lambda: _same_options(wanted.request, zip(seats, live.options, strict=False)),
        _SAME_OWNER: lambda: wanted.request.forbid_same_owner is not live.same_owner,
    }
    for key, values in _other_values(wanted.request, live, wanted.stated, same):
        yield Obstacle(
            wanted.name,
            f"{key} of a ladder that exists cannot be changed, and {values}. Create a ladder with another "
            f"name, or write in the file what `arena ladder show {short(wanted.name)}` shows.",
        )


def _tournament_obstacles(
    wanted: WantedTournament, arena: Arena, own_ladders: Collection[str]
) -> Iterator[Obstacle]:
    request = wanted.request
    live = arena.tournaments.get(wanted.name)
    if live is None:
        if request.seeded_by in own_ladders and request.seeded_by not in arena.ladders:
            yield Obstacle(
                wanted.name,
                f"seeded_by: nobody has a rating on {short(request.seeded_by)}, which this file would create, and the "
                "order of the bots is fixed when the tournament is created. Apply the file without this tournament, "
                "and with it when the ladder has been played.",
            )
        return
    late = [short(bot) for bot in _to_withdraw(wanted, live)]
    if late and live.state == tournament_pb2.Tournament.STATE_FINISHED:
        yield Obstacle(
            wanted.name,
            f"withdrawn: it has finished, and no bot can withdraw from it any more. Leave out {', '.join(late)}.",
        )
    asked = tournament_pb2.CreateTournamentRequest()
    asked.CopyFrom(request)
    asked.parameters.CopyFrom(complete_parameters(request))
    same: dict[str, Callable[[], bool]] = {
        "seats": lambda: request.seats in (0, live.seats),
        "rounds": lambda: request.rounds in (0, live.rounds),
        "options": lambda: _same_options(request, [(live.seats, live.options)]),
        "bots": lambda: _same_bots(request, live),
        "suite": lambda: live.suite.sha256.hex() == ("" if wanted.suite is None else wanted.suite.sha256),
    }
    for key, values in _other_values(asked, live, wanted.stated | {"format"}, same):
        yield Obstacle(
            wanted.name,
            f"{key} of a tournament that exists cannot be changed, and {values}. Create a tournament with "
            f"another name, or write in the file what `arena tournament show {short(wanted.name)}` shows.",
        )


def _same_bots(request: tournament_pb2.CreateTournamentRequest, live: tournament_pb2.Tournament) -> bool:
    """Return whether the bots are those of the tournament; in the same order, if that has given them their seeds."""
    parameters = [live.parameters, *(stage.parameters for stage in live.parameters.stages[:1])]
    drawn = any(each.seeding == tournament_pb2.FormatParameters.SEEDING_DRAWN for each in parameters)
    if live.format in PLANNED_AT_ONCE or live.seeded_by or drawn:
        return sorted(request.bots) == sorted(live.bots)
    return list(request.bots) == list(live.bots)


def _order_warnings(wanted: WantedTournament, arena: Arena) -> Iterator[Warned]:
    """Warn of bots that have no rating on the ladder that is to give their order."""
    ladder = wanted.request.seeded_by
    unrated = [short(bot) for bot in wanted.request.bots if (ladder, bot) not in arena.rated]
    if ladder and wanted.name not in arena.tournaments and unrated:
        yield Warned(
            wanted.name,
            f"Without a rating on {short(ladder)}, and so last in the order of the bots: {', '.join(unrated)}. "
            "The order is fixed when the tournament is created.",
        )


def _unregistered(wanted: EventFile, arena: Arena) -> Iterator[Obstacle]:
    """Yield an obstacle for each ladder and tournament with such bots; each bot is named once."""
    named: set[str] = set()
    events = [
        *((each.name, each.bots) for each in wanted.ladders),
        *((each.name, each.request.bots) for each in wanted.tournaments),
    ]
    for name, bots in events:
        missing = [bot for bot in bots if bot not in arena.bots]
        new = [short(bot) for bot in missing if bot not in named]
        sentences = []
        if new:
            commands = "; ".join(f"arena bot create {bot}" for bot in new)
            sentences.append(f"Not registered: {', '.join(new)}. To register them: {commands}")
        if again := len(missing) - len(new):
            sentences.insert(0, f"Not registered: {counted(again, 'bot')} named above.")
        named.update(missing)
        if sentences:
            yield Obstacle(name, " ".join(sentences))


def _other_values(
    request: Any, live: Any, stated: frozenset[str], same: Mapping[str, Callable[[], bool]]
) -> Iterator[tuple[str, str]]:
    """Yield the stated keys that the arena has other values for, with both values as a part of a sentence.

    `same`: how to compare what is not a plain field.
    """
    for key, fields in keys_of(request.DESCRIPTOR).items():
        if key not in stated:
            continue
        one, two = request, live
        for each in fields:
            one, two = getattr(one, each.name), getattr(two, each.name, None)
        if not (same[key]() if key in same else one == two):
            yield key, _both(_in_words(fields[-1], two), _in_words(fields[-1], one))


def _both(on_arena: str, in_file: str) -> str:
    """Return the two values as a part of a sentence, as far as they can be told apart in words."""
    if not on_arena or not in_file or on_arena == in_file:
        return "the file says something else"
    return f"it is {on_arena}, but the file says {in_file}"


def _in_words(field: FieldDescriptor, value: Any) -> str:
    """Return the value of a field as a file would have it; empty if it is too long or there is none."""
    if value is None:
        return ""
    if field.message_type is not None:
        return format_clock(value) if isinstance(value, time_control_pb2.TimeControl) else ""
    words = (
        {}
        if field.enum_type is None
        else {number: word for word, number in words_of(field.enum_type).items()}
    )
    if field.is_repeated:
        return ", ".join(short(str(each)) for each in value)
    return str(value).lower() if isinstance(value, bool) else words.get(value, short(str(value)))


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


def creation_warnings(answer: object) -> list[str]:
    """Return what the answer to a call warns of; only a creation does."""
    if isinstance(answer, ladder_pb2.CreateLadderResponse):
        return [*answer.warnings, *padding_warnings(answer.ladder.game, answer.ladder.time_control)]
    if isinstance(answer, tournament_pb2.CreateTournamentResponse):
        return [*answer.warnings, *padding_warnings(answer.tournament.game, answer.tournament.time_control)]
    return []
